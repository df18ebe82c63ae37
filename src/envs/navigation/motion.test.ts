import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/types.ts";
import { config } from "./config.ts";
import { drawHome } from "./draw-home.ts";
import { motionOf } from "./motion.ts";
import { createNavigation } from "./navigation.ts";
import { cameraAt, type Pose, slopeOf } from "./pose.ts";
import { TANGENT } from "./testing.ts";
import { draw, sketchThrough } from "./view.ts";

const home = drawHome("bedroom", 3);
const pose: Pose = { x: 20, z: 20, yaw: 3, tilt: 0 };
const to = (change: Partial<Pose>) => motionOf({ home, from: pose, to: { ...pose, ...change } }, 64, TANGENT);

/** Share of colour values that differ by more than rounding. */
const difference = (a: Frame, b: Frame) =>
  a.data.filter((value, i) => Math.abs(value - b.data[i]!) > 2).length / a.data.length;

describe("the motion of an action", () => {
  it.each([
    ["a step", { x: 22 }],
    ["a turn to the left", { yaw: 2 }],
    ["a tilt", { tilt: 1 }],
  ] as const)("begins and ends with the pictures of %s, and is elsewhere between them", (_, change) => {
    const motion = to(change)!;
    const [first, last] = [pose, { ...pose, ...change }].map((at) => draw(home, at, 64, TANGENT));
    expect(motion.picture(0, 8)).toEqual(first);
    expect(motion.picture(motion.seconds, 8)).toEqual(last);
    expect(motion.picture(motion.seconds + 1, 8)).toEqual(last);
    const middle = motion.picture(motion.seconds / 2, 8);
    for (const end of [first!, last!]) expect(difference(middle, end)).toBeGreaterThan(0.05);
  });

  it("turns the short way, also past the direction that counting begins with", () => {
    const motion = to({ yaw: 0 })!;
    // From −x to +z.
    const between = cameraAt(pose, [-Math.SQRT1_2, Math.SQRT1_2], slopeOf(0), TANGENT);
    expect(difference(motion.picture(motion.seconds / 2, 8), sketchThrough(home, between, 64))).toBeLessThan(
      0.01,
    );
  });

  it("is null where nothing moved", () => {
    expect(to({})).toBeNull();
  });

  it("is drawn in the size that is asked for", () => {
    expect(to({ tilt: 1 })!.picture(0.1, 16)).toMatchObject({ width: 128, height: 128 });
  });
});

it("belongs to the last action of a game, and stays when the game goes on", () => {
  const game = createNavigation(config.parse({}));
  game.reset(7);
  expect(game.motion()).toBeNull();
  game.step("turn_right");
  const turn = game.motion()!;
  const picture = turn.picture(0.3, 8);
  game.step("look_down");
  expect(turn.picture(0.3, 8)).toEqual(picture);
  expect(game.motion()!.seconds).toBeLessThan(turn.seconds);
  game.step("look_down");
  game.step("look_down");
  // The head is as low as it can be.
  expect(game.motion()).toBeNull();
});
