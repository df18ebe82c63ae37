// Convex solids and flat patches as faces: what a scene is built of. Lengths are in any unit that scene and camera share.

export type Vec3 = readonly [x: number, y: number, z: number];

/** Red, green, blue, 0 … 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A repeated drawing on a face, in the two world axes that the face lies in. */
export interface Pattern {
  /** `checker`: squares; `planks`: boards side by side with joints; `tiles`: squares with narrow lines between them. */
  kind: "plain" | "checker" | "planks" | "tiles";
  /** Side of a square or width of a board. */
  size: number;
  /** Colour of every second square or board, or of the lines. */
  second: Rgb;
}

/** A flat convex polygon that is seen from the side that its normal points to. */
export interface Face {
  points: readonly Vec3[];
  /** Of length 1. */
  normal: Vec3;
  color: Rgb;
  pattern?: Pattern;
}

/** A box between two corners, as six faces. */
export function boxFaces(from: Vec3, to: Vec3, color: Rgb): Face[] {
  const [x0, y0, z0] = from;
  const [x1, y1, z1] = to;
  const face = (normal: Vec3, ...points: Vec3[]): Face => ({ points, normal, color });
  return [
    face([1, 0, 0], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]),
    face([-1, 0, 0], [x0, y0, z0], [x0, y1, z0], [x0, y1, z1], [x0, y0, z1]),
    face([0, 1, 0], [x0, y1, z0], [x1, y1, z0], [x1, y1, z1], [x0, y1, z1]),
    face([0, -1, 0], [x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]),
    face([0, 0, 1], [x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]),
    face([0, 0, -1], [x0, y0, z0], [x1, y0, z0], [x1, y1, z0], [x0, y1, z0]),
  ];
}

/** Tangent of 22.5°: where the sides of a regular octagon around the unit circle meet. */
const OCTAGON = Math.sqrt(2) - 1;
const RING: readonly (readonly [number, number])[] = [
  [1, -OCTAGON],
  [1, OCTAGON],
  [OCTAGON, 1],
  [-OCTAGON, 1],
  [-1, OCTAGON],
  [-1, -OCTAGON],
  [-OCTAGON, -1],
  [OCTAGON, -1],
];

/** Along which axis an eight-sided prism stands: from its base at `from` to its end at `to`. */
export type Axis = "x" | "y" | "z";

/**
 * An eight-sided prism that fills the box between two corners: a cylinder in few faces.
 * @param taper size of its end as a part of its base: 1 a prism, 0 a pyramid.
 */
export function roundFaces(from: Vec3, to: Vec3, color: Rgb, axis: Axis = "y", taper = 1): Face[] {
  const place = ringPlacer(from, to, axis);
  const base = RING.map(([u, v]) => place(u, v, 0));
  const end = RING.map(([u, v]) => place(u * taper, v * taper, 1));
  const centre: Vec3 = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2];
  const sides = base.map((point, i) => {
    const next = (i + 1) % base.length;
    return taper === 0 ? [point, base[next], place(0, 0, 1)] : [point, base[next], end[next], end[i]];
  });
  const all = taper === 0 ? [base, ...sides] : [base, end, ...sides];
  return all.map((points) => ({ points, normal: outward(points, centre), color }));
}

/** Places a point of the ring (−1 … 1 twice) at a part of the way from base to end. */
function ringPlacer(from: Vec3, to: Vec3, axis: Axis): (u: number, v: number, along: number) => Vec3 {
  const between = (i: number, t: number) => from[i] + (to[i] - from[i]) * t;
  const half = (u: number) => (u + 1) / 2;
  if (axis === "x") return (u, v, along) => [between(0, along), between(1, half(u)), between(2, half(v))];
  if (axis === "y") return (u, v, along) => [between(0, half(u)), between(1, along), between(2, half(v))];
  return (u, v, along) => [between(0, half(u)), between(1, half(v)), between(2, along)];
}

/** The normal of a polygon that points away from a place inside its solid. */
function outward([a, b, c]: readonly Vec3[], inside: Vec3): Vec3 {
  const [ux, uy, uz] = minus(b, a);
  const [vx, vy, vz] = minus(c, a);
  const cross: Vec3 = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(dot(cross, cross));
  const sign = dot(cross, minus(a, inside)) < 0 ? -1 : 1;
  return [(cross[0] / length) * sign, (cross[1] / length) * sign, (cross[2] / length) * sign];
}

export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
