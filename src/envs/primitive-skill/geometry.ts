// Vectors and rotations of the simulated world: metres, x towards the camera, y to the right of the picture, z up.
import type { Vec3 } from "../../core/raster/solid.ts";

/** A unit quaternion in MuJoCo's order. */
export type Quaternion = readonly [w: number, x: number, y: number, z: number];

export interface Pose {
  position: Vec3;
  rotation: Quaternion;
}

export const UPRIGHT: Quaternion = [1, 0, 0, 0];

export const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const times = (a: Vec3, by: number): Vec3 => [a[0] * by, a[1] * by, a[2] * by];

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector of length 1 in the same direction; zero stays zero. */
export function normalised(a: Vec3): Vec3 {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return length === 0 ? a : times(a, 1 / length);
}

/** Distance of two points along the table. */
export function flatDistance(a: Vec3, b: Vec3): number {
  const [dx, dy] = [a[0] - b[0], a[1] - b[1]];
  return Math.sqrt(dx * dx + dy * dy);
}

/** A vector turned by a rotation. */
export function turnedBy([w, x, y, z]: Quaternion, v: Vec3): Vec3 {
  const axis: Vec3 = [x, y, z];
  const t = times(cross(axis, v), 2);
  return plus(plus(v, times(t, w)), cross(axis, t));
}
