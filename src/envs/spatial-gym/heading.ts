// Where the agent stands and looks: as in Navigation, but with eight headings.

/** Eighths of a turn clockwise from +z. */
export type Heading = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface Pose {
  /** Position in steps of Navigation's grid. */
  x: number;
  z: number;
  heading: Heading;
}

const HALF_ROOT_2 = Math.SQRT1_2;

/** What each heading looks along, as changes of x and z; of length 1, exact up to the last bit of a root. */
export const ALONG: readonly (readonly [dx: number, dz: number])[] = [
  [0, 1],
  [HALF_ROOT_2, HALF_ROOT_2],
  [1, 0],
  [HALF_ROOT_2, -HALF_ROOT_2],
  [0, -1],
  [-HALF_ROOT_2, -HALF_ROOT_2],
  [-1, 0],
  [-HALF_ROOT_2, HALF_ROOT_2],
];

/** The heading after a clockwise turn by a multiple of 45°. */
export const rotated = (heading: number, degrees: number): Heading =>
  ((((heading + degrees / 45) % 8) + 8) % 8) as Heading;

/** A place as seen along a direction: how far ahead and how far to the right. */
export type Offset = readonly [ahead: number, right: number];

/** The offset of a difference of x and z, as seen along a direction; in its unit if the direction has length 1. */
export const seenAlong = (
  [fx, fz]: readonly [number, number],
  [dx, dz]: readonly [number, number],
): Offset => [dx * fx + dz * fz, dx * fz - dz * fx];

/** Words for the four sides of what looks ahead, clockwise. */
export const SIDES = ["ahead", "right", "back", "left"] as const;
export type Side = (typeof SIDES)[number];

/** How much smaller the smaller part of an offset must be for its side to be clear: about 31° off at most, of 45°. */
const CLEAR = 0.6;

/** The side that an offset points to, as an index into `SIDES`; null if it is not clear which. */
export function clearSide([ahead, right]: Offset): number | null {
  const isAhead = Math.abs(ahead) >= Math.abs(right);
  const [larger, smaller] = isAhead ? [ahead, right] : [right, ahead];
  if (larger === 0 || Math.abs(smaller) > CLEAR * Math.abs(larger)) return null;
  return isAhead ? (ahead > 0 ? 0 : 2) : right > 0 ? 1 : 3;
}
