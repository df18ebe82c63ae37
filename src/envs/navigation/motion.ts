// The way from one pose to the next, for people: the agent walks, turns or tilts its head in place of jumping.
import type { Motion } from "../env.ts";
import { pictureSide } from "../square-picture.ts";
import type { Home } from "./home.ts";
import { AHEAD, cameraAt, type Direction, type Pose, slopeOf } from "./pose.ts";
import { drawThrough } from "./view.ts";

/** Seconds of a quarter turn; a step or a tilt takes less. */
const TURN = 0.6;
const STEP_OR_TILT = 0.35;

interface Walked {
  home: Home;
  from: Pose;
  to: Pose;
}

/**
 * How an action led from one pose to another; null where it changed nothing.
 * @param resolution of the agent's picture, in pixels.
 * @param tangent of half the field of view.
 */
export function motionOf({ home, from, to }: Walked, resolution: number, tangent: number): Motion | null {
  const names = ["x", "z", "yaw", "tilt"] as const;
  if (names.every((name) => from[name] === to[name])) return null;
  const seconds = from.yaw === to.yaw ? STEP_OR_TILT : TURN;
  return {
    seconds,
    picture(second, patchPx) {
      const t = Math.min(1, second / seconds);
      const place = { x: mixed(from.x, to.x, t), z: mixed(from.z, to.z, t) };
      const along = turnedTo(AHEAD[from.yaw]!, AHEAD[to.yaw]!, t);
      const slope = turnedTo(slopeOf(from.tilt), slopeOf(to.tilt), t);
      return drawThrough(home, cameraAt(place, along, slope, tangent), pictureSide(resolution, patchPx));
    },
  };
}

const mixed = (a: number, b: number, t: number): number => a + (b - a) * t;

/** Some part of the way from one direction to another that is not opposite, as the direction of the straight line's point. */
function turnedTo([a0, a1]: Direction, [b0, b1]: Direction, t: number): Direction {
  const [x, y] = [mixed(a0, b0, t), mixed(a1, b1, t)];
  const length = Math.sqrt(x * x + y * y);
  return [x / length, y / length];
}
