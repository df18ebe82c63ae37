// Light: how bright a face is, and the shadow of a solid on the table.
import { dot, type Face, type Rgb, type Vec3 } from "../../core/raster/solid.ts";
import { CIRCLE, type Solid } from "./shapes.ts";

/** Towards the light in the axes of the rasteriser: from above, in front and a little from the right. */
const LIGHT: Vec3 = [0.3, 0.8, 0.52];
/** The rasteriser's own light is soft. This adds contrast, so that the sides of a cube differ. */
const LEAST = 0.72;
const MORE = 0.34;

/** A face of the colour in which it is lit. Faces with a pattern keep theirs. */
export function shaded(face: Face): Face {
  if (face.pattern) return face;
  const light = LEAST + MORE * Math.max(0, dot(face.normal, LIGHT));
  const [red, green, blue] = face.color;
  const color: Rgb = [red * light, green * light, blue * light];
  return { ...face, color };
}

/** How far a shadow moves along x and y for each metre of height: the light is steeper than `LIGHT`, so that shadows stay near. */
const SLANT = { x: -0.3, y: -0.22 } as const;

/** The shadow of a convex solid on the table, as a convex patch; null for one that is seen edge-on or reaches below the table. */
export function shadowOf(solid: Solid): Face | null {
  const cast = solid.flatMap(({ points }) =>
    points.map(([x, y, z]): Vec3 => [x + SLANT.x * z, y + SLANT.y * z, 0]),
  );
  // The farthest point in each of twelve directions, anticlockwise: a convex outline with as many corners as a face may have.
  const outline: Vec3[] = [];
  for (const direction of CIRCLE) {
    const farthest = farthestOf(cast, direction);
    if (!outline.includes(farthest)) outline.push(farthest);
  }
  return outline.length < 3 ? null : { points: outline, normal: [0, 0, 1], color: [0, 0, 0] };
}

function farthestOf(points: readonly Vec3[], [u, v]: readonly [number, number]): Vec3 {
  let best = points[0];
  for (const point of points) if (point[0] * u + point[1] * v > best[0] * u + best[1] * v) best = point;
  return best;
}
