// The way from one pose to the next, for people: the agent walks, turns or tilts its head in place of jumping.
import type { Motion } from "../env.ts";
import { pictureSide } from "../square-picture.ts";
import type { Home } from "./home.ts";
import { AHEAD, cameraAt, type Pose, slopeOf } from "./pose.ts";
import { draw, sketchThrough } from "./view.ts";

/** Seconds of a quarter turn; a step or a tilt takes less. */
const TURN = 0.6;
const STEP_OR_TILT = 0.35;

interface Walked {
  home: Home;
  from: Pose;
  to: Pose;
}

/**
 * How an action led from one pose to another; null where it changed nothing. Its ends are the pictures of the two poses; those between
 * them have less detail, so that a page can draw 30 of them a second.
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
      const t = second / seconds;
      const side = pictureSide(resolution, patchPx);
      if (t <= 0 || t >= 1) return draw(home, t <= 0 ? from : to, side, tangent);
      const place = { x: mixed(from.x, to.x, t), z: mixed(from.z, to.z, t) };
      const along = between(AHEAD[from.yaw]!, AHEAD[to.yaw]!, t);
      const slope = between(slopeOf(from.tilt), slopeOf(to.tilt), t);
      return sketchThrough(home, cameraAt(place, along, slope, tangent), side);
    },
  };
}

const mixed = (a: number, b: number, t: number): number => a + (b - a) * t;

type UnitVector = readonly [number, number];

/** The direction of the point that is a part `t` of the way from one unit vector to another, which is not opposite. */
function between([a0, a1]: UnitVector, [b0, b1]: UnitVector, t: number): UnitVector {
  const [x, y] = [mixed(a0, b0, t), mixed(a1, b1, t)];
  const length = Math.sqrt(x * x + y * y);
  return [x / length, y / length];
}
