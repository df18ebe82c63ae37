// Convex solids in any direction, in the axes of the world: what robot, cubes and apple are drawn of.
import { dot, type Face, minus, type Rgb, type Vec3 } from "../../core/raster/solid.ts";
import { cross, normalised, type Pose, plus, times, turnedBy } from "./geometry.ts";

const HALF = 0.5;
const ROOT = Math.sqrt(3) / 2;
/** Twelve points of the unit circle: as many as a face may have corners. */
export const CIRCLE: readonly (readonly [cosine: number, sine: number])[] = [
  ...[[1, 0] as const, [ROOT, HALF] as const, [HALF, ROOT] as const],
  ...[[0, 1] as const, [-HALF, ROOT] as const, [-ROOT, HALF] as const],
  ...[[-1, 0] as const, [-ROOT, -HALF] as const, [-HALF, -ROOT] as const],
  ...[[0, -1] as const, [HALF, -ROOT] as const, [ROOT, -HALF] as const],
];

/** One convex solid. */
export type Solid = readonly Face[];

/** A convex polygon that is seen from the side away from a place inside its solid. */
function outward(points: readonly Vec3[], inside: Vec3, color: Rgb): Face {
  const normal = normalised(cross(minus(points[1], points[0]), minus(points[2], points[0])));
  const isInward = dot(normal, minus(points[0], inside)) < 0;
  return { points, normal: isInward ? times(normal, -1) : normal, color };
}

const SIDES = [-1, 1] as const;

/** A box around a place of a pose: `offset` and `half` extents along the axes of the pose. */
export function box({ position, rotation }: Pose, offset: Vec3, half: Vec3, color: Rgb): Solid {
  const place = (u: Vec3) =>
    plus(
      position,
      turnedBy(rotation, [
        offset[0] + u[0] * half[0],
        offset[1] + u[1] * half[1],
        offset[2] + u[2] * half[2],
      ]),
    );
  const middle = place([0, 0, 0]);
  const face = (corner: (u: number, v: number) => Vec3): Face =>
    outward(
      [place(corner(-1, -1)), place(corner(1, -1)), place(corner(1, 1)), place(corner(-1, 1))],
      middle,
      color,
    );
  return SIDES.flatMap((side) => [
    face((u, v) => [side, u, v]),
    face((u, v) => [u, side, v]),
    face((u, v) => [u, v, side]),
  ]);
}

/** Twelve points of a circle around `middle`, in the plane of two axes. */
const ring = (middle: Vec3, u: Vec3, v: Vec3, radius: number): Vec3[] =>
  CIRCLE.map(([cosine, sine]) => plus(middle, plus(times(u, cosine * radius), times(v, sine * radius))));

/** Two axes that stand on a direction and on each other. */
function across(direction: Vec3): readonly [Vec3, Vec3] {
  const aside: Vec3 = Math.abs(direction[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1];
  const u = normalised(cross(direction, aside));
  return [u, cross(direction, u)];
}

/** A round rod between two places, with a radius at each end. */
export function rod(from: Vec3, to: Vec3, color: Rgb, radius: number, endRadius = radius): Solid {
  const [u, v] = across(normalised(minus(to, from)));
  return stacked([ring(from, u, v, radius), ring(to, u, v, endRadius)], color);
}

/** Heights and radii of the bands of a ball. */
const BANDS: readonly (readonly [height: number, radius: number])[] = [
  [-0.97, 0.24],
  [-ROOT, HALF],
  [-HALF, ROOT],
  [0, 1],
  [HALF, ROOT],
  [ROOT, HALF],
  [0.97, 0.24],
];

/** A ball; with `bands` of another shape anything that is round about its axis. The colour may depend on the height, −1 … 1. */
export function ball(
  { position, rotation }: Pose,
  radius: number,
  color: Rgb | ((height: number) => Rgb),
  bands = BANDS,
): Solid {
  const [u, v, axis] = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((e) => turnedBy(rotation, e));
  const rings = bands.map(([height, wide]) =>
    ring(plus(position, times(axis, height * radius)), u, v, wide * radius),
  );
  return stacked(rings, color);
}

/** The faces between rings, and the two ends. */
function stacked(rings: readonly (readonly Vec3[])[], color: Rgb | ((height: number) => Rgb)): Face[] {
  const last = rings.length - 1;
  const colorOf = (i: number): Rgb => (typeof color === "function" ? color((2 * i) / last - 1) : color);
  const middle = times(plus(centre(rings[0]), centre(rings[last])), 0.5);
  const faces = [outward(rings[0], middle, colorOf(0)), outward(rings[last], middle, colorOf(last))];
  for (let i = 0; i < last; i++) {
    const [lower, upper] = [rings[i], rings[i + 1]];
    for (let k = 0; k < lower.length; k++) {
      const next = (k + 1) % lower.length;
      faces.push(outward([lower[k], lower[next], upper[next], upper[k]], middle, colorOf(i + 0.5)));
    }
  }
  return faces;
}

const centre = (points: readonly Vec3[]): Vec3 =>
  times(
    points.reduce<Vec3>((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / points.length,
  );

/** A disc that lies on the table. */
export const disc = ([x, y]: Vec3, height: number, radius: number, color: Rgb): Face => ({
  points: ring([x, y, height], [1, 0, 0], [0, 1, 0], radius),
  normal: [0, 0, 1],
  color,
});
