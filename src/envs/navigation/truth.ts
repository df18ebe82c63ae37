// Facts about a state for judges and demonstrations, as VAGEN's environment states them for its judge.
import type { Home } from "./home.ts";
import { isKind, type Kind } from "./kinds.ts";
import { squaredDistanceTo } from "./plan.ts";
import { offsetTo, type Pose } from "./pose.ts";

export type Sector = "ahead" | "right" | "back" | "left";

/** Where an object is, seen from the agent. */
interface Sighting {
  kind: Kind;
  direction: Sector;
  /** Horizontal distance to its middle in metres, with two decimals. */
  distance: number;
  /** Where its middle is, [x, z] in metres. */
  at: readonly [x: number, z: number];
}

/** VAGEN: `target_obj_type`, `target_direction_to_player`, `target_distance_to_player`, `visible_objects`. */
export interface State {
  target: Sighting;
  /** Objects that show in the agent's picture, nearest first; at most as many as a state lists. */
  visible: readonly Sighting[];
  /** The other objects that show, nearest first. VAGEN's state does not have them. */
  further: readonly Sighting[];
  agent: {
    /** In metres, with one decimal. */
    x: number;
    z: number;
    /** Degrees clockwise from +z: 0, 90, 180 or 270. */
    yaw: number;
    /** Degrees below level: −30, 0, 30 or 60. */
    horizon: number;
  };
}

/**
 * The share of a picture's pixels from which an object shows in it: 3 pixels of the default picture, 64 × 64. Fewer cannot be
 * recognised, and with a share nearly the same objects show at every resolution: samples at edges differ.
 */
const SHOWS_FROM = 3 / 64 ** 2;

/**
 * Whether a thing shows in a picture.
 * @param pixels that it fills; quarters of pixels count.
 * @param side of the picture, in pixels.
 */
export const isShown = (pixels: number, side: number): boolean => pixels >= SHOWS_FROM * side * side;

/**
 * The sector of a place around the agent. VAGEN's angles, clockwise from where the agent looks: [−45°, 45°] ahead, (45°, 135°] right,
 * [−135°, −45°) left, else back. It compares components, so the borders are exact.
 */
export function sectorOf(pose: Pose, to: { x: number; z: number }): Sector {
  const [ahead, right] = offsetTo(pose, to);
  if (Math.abs(right) <= ahead) return "ahead";
  if (right > 0 && -ahead <= right) return "right";
  return right < 0 && ahead >= right ? "left" : "back";
}

/** Horizontal distance in metres, rounded to whole centimetres. */
export const distanceOf = (pose: Pose, to: { x: number; z: number }): number =>
  Math.round(Math.sqrt(squaredDistanceTo(to, pose.x, pose.z))) / 100;

/**
 * The state of a pose.
 * @param target index of the object that is to be reached.
 * @param pixels that each thing fills of the agent's picture, by index.
 * @param side of that picture, in pixels.
 * @param most visible objects that are listed, the target among them.
 */
export function stateOf(
  home: Home,
  target: number,
  pose: Pose,
  { pixels, side }: { pixels: ArrayLike<number>; side: number },
  most: number,
): State {
  const sighting = (index: number): Sighting => {
    const thing = home.things[index];
    return {
      kind: thing.kind as Kind,
      direction: sectorOf(pose, thing),
      distance: distanceOf(pose, thing),
      at: [thing.x / 100, thing.z / 100],
    };
  };
  const squared = (index: number) => squaredDistanceTo(home.things[index], pose.x, pose.z);
  const seen = home.things
    .flatMap(({ kind }, i) => (isKind(kind) && isShown(pixels[i], side) ? [i] : []))
    .sort((a, b) => squared(a) - squared(b));
  // A target beyond the nearest takes the place of the last of them.
  const listed = seen.filter((thing, rank) => rank < most || thing === target);
  if (listed.length > most) listed.splice(most - 1, 1);
  return {
    target: sighting(target),
    visible: listed.map(sighting),
    further: seen.filter((thing) => !listed.includes(thing)).map(sighting),
    agent: { x: pose.x / 10, z: pose.z / 10, yaw: pose.yaw * 90, horizon: pose.tilt * 30 },
  };
}
