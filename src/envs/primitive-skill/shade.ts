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

/** The directions of `CIRCLE`, and in each of them the farthest point so far: how far, where, and how many points came before it. */
const directions = CIRCLE.length;
const across = Float64Array.from(CIRCLE, ([cosine]) => cosine);
const along = Float64Array.from(CIRCLE, ([, sine]) => sine);
const distances = new Float64Array(directions);
const xs = new Float64Array(directions);
const ys = new Float64Array(directions);
const indices = new Int32Array(directions);

/** The shadow of a convex solid on the table, as a convex patch; null for one that is seen edge-on. */
export function shadowOf(solid: Solid): Face | null {
  distances.fill(Number.NEGATIVE_INFINITY);
  indices.fill(-1);
  let index = 0;
  // A robot has thousands of points, so nothing is allocated per point.
  for (const { points } of solid)
    for (const point of points) cast(point[0] + SLANT.x * point[2], point[1] + SLANT.y * point[2], index++);
  // The farthest point in each of twelve directions, anticlockwise: a convex outline with as many corners as a face may have.
  const outline: Vec3[] = [];
  for (let i = 0; i < directions; i++) if (indices.indexOf(indices[i]) === i) outline.push([xs[i], ys[i], 0]);
  return outline.length < 3 ? null : { points: outline, normal: [0, 0, 1], color: [0, 0, 0] };
}

function cast(x: number, y: number, index: number): void {
  for (let i = 0; i < directions; i++) {
    const distance = x * across[i] + y * along[i];
    if (distance <= distances[i]) continue;
    distances[i] = distance;
    xs[i] = x;
    ys[i] = y;
    indices[i] = index;
  }
}
