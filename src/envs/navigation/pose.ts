// Where the agent stands and looks. Axes as in AI2-THOR: x to the right, y up, z ahead at yaw 0; yaw grows clockwise.
import type { Camera } from "../../core/raster/camera.ts";
import type { Vec3 } from "../../core/raster/solid.ts";

/** AI2-THOR's `gridSize` 0.1: every position is a multiple of it. In centimetres, like all lengths of a home. */
export const GRID = 10;
/** Radius of AI2-THOR's agent, in centimetres. */
export const AGENT_RADIUS = 20;
/** Height of AI2-THOR's agent, in centimetres: it passes under what hangs higher. */
export const AGENT_HEIGHT = 180;
/** Height of AI2-THOR's camera when the agent stands (1.576 m), in centimetres. */
const CAMERA_HEIGHT = 157.6;
/** AI2-THOR's agent looks up by at most 30° and down by at most 60°; in tilts of 30° down. */
export const TILTS = { lowest: -1, highest: 2 } as const;

/** Quarter turns clockwise from z. */
export type Quarter = 0 | 1 | 2 | 3;

export interface Pose {
  /** Position in steps of `GRID`. */
  x: number;
  z: number;
  /** Yaw in quarter turns clockwise from +z: AI2-THOR's rotation.y is 90 times this. */
  yaw: Quarter;
  /** Tilts of 30° down: AI2-THOR's cameraHorizon is 30 times this. */
  tilt: number;
}

/** What each yaw looks along, as changes of x and z. */
export const AHEAD: readonly (readonly [dx: number, dz: number])[] = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** The yaw that is some quarter turns further to the right. */
export const turned = (yaw: number, quarters: number): Quarter => ((yaw + quarters) & 3) as Quarter;

/** How far ahead and how far to the right a place is, in centimetres as the place. */
export function offsetTo(
  { x, z, yaw }: Pick<Pose, "x" | "z" | "yaw">,
  to: { readonly x: number; readonly z: number },
): [ahead: number, right: number] {
  const [dx, dz] = [to.x - x * GRID, to.z - z * GRID];
  const [fx, fz] = AHEAD[yaw]!;
  return [dx * fx + dz * fz, dx * fz - dz * fx];
}

const HALF_ROOT_3 = Math.sqrt(3) / 2;
/** Cosine and sine of each tilt: of −30°, 0°, 30° and 60°, exact up to the last bit of a root. */
const TILT: readonly (readonly [cosine: number, sine: number])[] = [
  [HALF_ROOT_3, -0.5],
  [1, 0],
  [HALF_ROOT_3, 0.5],
  [0.5, HALF_ROOT_3],
];

/**
 * The camera of a pose, in centimetres.
 * @param tangent of half the field of view, see `tangentOf`.
 */
export const cameraOf = ({ yaw, ...place }: Pose, tangent: number): Camera =>
  cameraAlong(place, AHEAD[yaw], tangent);

/**
 * The camera of an agent that looks along any direction on the floor, of length 1, in centimetres.
 * @param place in steps of `GRID`, with the tilt in steps of 30° down.
 */
export const cameraAlong = (
  { tilt, ...place }: Omit<Pose, "yaw">,
  along: readonly [dx: number, dz: number],
  tangent: number,
): Camera => cameraAt(place, along, slopeOf(tilt), tangent);

/** Cosine and sine of a tilt. */
export const slopeOf = (tilt: number): readonly [cosine: number, sine: number] => TILT[tilt - TILTS.lowest]!;

/** The camera of an agent that looks along any direction, down by any slope (its cosine and sine), both of length 1. */
export function cameraAt(
  { x, z }: Pick<Pose, "x" | "z">,
  [dx, dz]: readonly [dx: number, dz: number],
  [cosine, sine]: readonly [cosine: number, sine: number],
  tangent: number,
): Camera {
  const forward: Vec3 = [dx * cosine, -sine, dz * cosine];
  const up: Vec3 = [dx * sine, cosine, dz * sine];
  const position: Vec3 = [x * GRID, CAMERA_HEIGHT, z * GRID];
  return { position, right: [dz, 0, -dx], up, forward, tangent, near: 4, clear: 200 };
}

/**
 * The tangent of half a field of view of up to 120°, in degrees, from the first terms of sine and cosine. `Math.tan` may differ in
 * its last bit between engines, and pictures must not.
 */
export function tangentOf(fieldOfView: number): number {
  const x = (fieldOfView * Math.PI) / 360;
  let [sine, cosine, term] = [0, 0, 1];
  for (let n = 1; n < 30; n++) {
    if (n % 2) cosine += n % 4 === 1 ? term : -term;
    else sine += n % 4 === 2 ? term : -term;
    term = (term * x) / n;
  }
  return sine / cosine;
}
