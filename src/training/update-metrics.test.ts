import { expect, test } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import type { Trajectory } from "../core/types.ts";
import { POLICY_TOKENS, packBatch } from "./batch.ts";
import { klInRewardMetrics, ppoMetrics, sftMetrics } from "./update-metrics.ts";
import { fillTrajectories, type UpdateReadback } from "./update-readback.ts";

const twice = applyChanges(getPreset("frozenlake-nano").config, { "actor.ppo_epochs": 2 });

/** An episode of some tokens that the policy reads and two that it wrote; the last one is paid. */
const episode = (reward: number, tokensRead = 1) => {
  const length = tokensRead + 2;
  const marks = (at: (t: number) => boolean) => Uint8Array.from({ length }, (_, t) => (at(t) ? 1 : 0));
  return {
    groupId: "g",
    turns: [],
    tokens: {
      ids: new Int32Array(length),
      imagePatch: new Int32Array(length).fill(-1),
      responseMask: marks((t) => t >= tokensRead),
      turnEndMask: marks((t) => t === length - 1),
      turnIndex: new Int16Array(length),
      rewards: Float32Array.from({ length }, (_, t) => (t === length - 1 ? reward : 0)),
      refLogprobs: new Float32Array(0),
    },
  } as unknown as Trajectory;
};
const read = (rewardsAfterKl: Float32Array | null): UpdateReadback => {
  const none = new Float32Array(6);
  const tokens = { advantages: none, returns: none, values: none, logprobs: none, entropy: none };
  return {
    totals: none,
    valueTotals: none,
    optimizer: none,
    ...tokens,
    refLogprobs: null,
    criticOptimizer: none,
    rewardsAfterKl,
  };
};

test("a KL penalty in the reward is stored with the tokens and reported", () => {
  const packed = packBatch([episode(1), episode(0)]);
  // 9 lies outside the mask. The KL is 0.5 and 1 in the first episode, 0 and 2 in the second; the coefficient 0.25.
  const penalised = read(Float32Array.of(9, -0.125, 0.75, 9, 0, -0.5));
  fillTrajectories(packed, penalised);
  const { rewards, trainRewards } = packed[0]!.trajectory.tokens;
  expect(trainRewards).toEqual(Float32Array.of(0, -0.125, 0.75));
  expect(rewards).toEqual(Float32Array.of(0, 0, 1));
  expect(klInRewardMetrics(packed, penalised, 0.25)).toEqual({
    "critic/rewards/mean": 0.0625,
    "critic/rewards/min": -0.5,
    "critic/rewards/max": 0.625,
    "critic/kl": 0.875,
    "critic/kl_coeff": 0.25,
  });
});

test("a KL penalty at every token is stored and averaged over all that something predicts", () => {
  const packed = packBatch([episode(1, 2)], { ...POLICY_TOKENS, klAtEveryToken: true });
  // Nothing predicts the first token, where the axis holds a leftover. The KL of the others is 1, 0.5 and 1.5.
  const penalised = read(Float32Array.of(9, -0.25, -0.125, 0.625));
  fillTrajectories(packed, penalised);
  expect(packed[0]!.trajectory.tokens.trainRewards).toEqual(Float32Array.of(0, -0.25, -0.125, 0.625));
  expect(klInRewardMetrics(packed, penalised, 0.25)).toMatchObject({
    "critic/rewards/mean": 0.25,
    "critic/kl": 1,
  });
});

test("a run without a penalty reports none", () => {
  const packed = packBatch([episode(1)]);
  fillTrajectories(packed, read(null));
  expect(packed[0]!.trajectory.tokens).not.toHaveProperty("trainRewards");
  expect(klInRewardMetrics(packed, read(null), 0.25)).toEqual({});
});

/** Two episodes, with what an update reads back of their six tokens. Sums are 12 for the policy, 8 and 1 for the critic. */
function updated(valueTokens: "trained" | "turn_end" | "none") {
  const packed = packBatch([episode(1), episode(0)], { ...POLICY_TOKENS, valueTokens });
  const numbers = {
    totals: new Float32Array(8).fill(12),
    valueTotals: Float32Array.of(8, 1, 0, 0),
    optimizer: new Float32Array(8),
    // 9 where the axis holds leftovers.
    values: Float32Array.of(9, 0.5, 1, 9, 0.5, 3),
    returns: Float32Array.of(9, 0, 2, 9, 0, 4),
  };
  const all = { ...read(null), ...numbers };
  fillTrajectories(packed, all);
  return { packed, read: all };
}

test("SFT's value loss is a mean over the tokens whose value is trained", () => {
  const metrics = (which: Parameters<typeof updated>[0]) => {
    const { packed, read } = updated(which);
    return sftMetrics(packed, read);
  };
  expect(metrics("trained")).toMatchObject({ "sft/loss": 3, "critic/vf_loss": 2 });
  expect(metrics("turn_end")).toMatchObject({ "sft/loss": 3, "critic/vf_loss": 4 });
  expect(metrics("none")).toMatchObject({ "sft/loss": 3 });
  expect(metrics("none")).not.toHaveProperty("critic/vf_loss");
});

test("episodes that a filter leaves out are marked as such", () => {
  const { packed, read: all } = updated("turn_end");
  fillTrajectories(packed, all, packed.slice(1));
  const masks = packed.map(({ trajectory: { tokens } }) => [tokens.lossMask, tokens.valueMask]);
  expect(masks.map((pair) => pair.map((mask) => [...mask!]))).toEqual([
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [0, 1, 1],
      [0, 0, 1],
    ],
  ]);
});

test("the distance to the ref policy is reported if it is computed", () => {
  const { packed, read } = updated("trained");
  expect(ppoMetrics(packed, read, twice)).toHaveProperty("actor/kl_loss");
  const without = applyChanges(twice, { "actor.use_kl_loss": false });
  expect(ppoMetrics(packed, read, without)).not.toHaveProperty("actor/kl_loss");
});

test("an asymmetric critic has no loss of the network", () => {
  const { packed, read } = updated("trained");
  const metrics = ppoMetrics(packed, read, applyChanges(twice, { "critic.asymmetric": true }));
  expect(metrics).not.toHaveProperty("critic/vf_loss");
  expect(metrics).toHaveProperty("critic/vf_explained_var");
});

test("critic metrics cover the tokens whose value is trained", () => {
  const { packed, read } = updated("turn_end");
  const metrics = ppoMetrics(packed, read, twice);
  // Two of the four policy tokens, two epochs; errors of 1 at both, so all of the variance is explained.
  expect(metrics).toMatchObject({
    "critic/vf_loss": 2,
    "critic/vf_clipfrac": 0.25,
    "critic/values/mean": 2,
    "critic/values/min": 1,
    "critic/values/max": 3,
    "critic/returns/mean": 3,
    "critic/returns/min": 2,
    "critic/returns/max": 4,
    "actor/pg_loss": 1.5,
  });
  expect(metrics["critic/vf_explained_var"]).toBeCloseTo(1, 6);
  const trained = updated("trained");
  expect(ppoMetrics(trained.packed, trained.read, twice)).toMatchObject({
    "critic/vf_loss": 1,
    "critic/returns/min": 0,
  });
  const none = updated("none");
  expect(
    Object.keys(ppoMetrics(none.packed, none.read, twice)).filter((k) => /critic.(v|ret)/.test(k)),
  ).toEqual([]);
});
