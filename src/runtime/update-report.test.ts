import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { placeTrajectories } from "./batch.ts";
import { fillTrajectories, klInRewardMetrics, type UpdateReadback } from "./update-report.ts";

/** An episode of three tokens, of which the policy wrote the last two; the last one is paid. */
const episode = (reward: number) =>
  ({
    groupId: "g",
    turns: [],
    tokens: {
      ids: new Int32Array(3),
      imagePatch: new Int32Array(3).fill(-1),
      lossMask: Uint8Array.of(0, 1, 1),
      turnEndMask: Uint8Array.of(0, 0, 1),
      rewards: Float32Array.of(0, 0, reward),
      refLogprobs: new Float32Array(0),
    },
  }) as unknown as Trajectory;
const read = (penalisedRewards: Float32Array | null): UpdateReadback => {
  const none = new Float32Array(6);
  const tokens = { advantages: none, returns: none, values: none, logprobs: none, entropy: none };
  return { totals: none, valueTotals: none, optimizer: none, ...tokens, refLogprobs: null, penalisedRewards };
};

test("a KL penalty in the reward is kept with the tokens and told", () => {
  const placed = placeTrajectories([episode(1), episode(0)]);
  // 9 lies outside the mask. The KL is 0.5 and 1 in the first episode, 0 and 2 in the second; the coefficient 0.25.
  fillTrajectories(placed, read(Float32Array.of(9, -0.125, 0.75, 9, 0, -0.5)));
  expect(placed[0]!.trajectory.tokens.penalisedRewards).toEqual(Float32Array.of(0, -0.125, 0.75));
  expect(klInRewardMetrics(placed, 0.25)).toEqual({
    "critic/rewards/mean": 0.0625,
    "critic/rewards/min": -0.5,
    "critic/rewards/max": 0.625,
    "critic/kl": 0.875,
    "critic/kl_coeff": 0.25,
  });
});

test("a run whose reward has no penalty tells nothing of it", () => {
  const placed = placeTrajectories([episode(1)]);
  fillTrajectories(placed, read(null));
  expect(placed[0]!.trajectory.tokens).not.toHaveProperty("penalisedRewards");
  expect(klInRewardMetrics(placed, 0.25)).toEqual({});
});
