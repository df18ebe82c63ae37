import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { stepValues } from "../policy/wgsl/step-settings.ts";
import { AGGREGATIONS, type AggregationId, inMicroBatchesOfOne } from "../rl/aggregation.ts";
import { overlongPenalty, type ShapingOptions } from "../rl/reward/shaping.ts";
import { packBatch } from "./batch.ts";
import { maskOptions, ppoSettings, sftSettings, shapingOptions, valueClipUnit } from "./hyperparameters.ts";
import { perTurnTrajectory } from "./testing/sequences.ts";

/** The penalty of a sequence, without observations unless they are counted. Plus 0: without a penalty it may be −0. */
const penaltyOf = (
  { tokens, spentTokens = tokens }: { tokens: number; spentTokens?: number },
  options: ShapingOptions,
): number => overlongPenalty({ tokens, spentTokens }, options) + 0;

// Replies of at most 40 tokens in 3 turns: a sequence of one reply ends at 40, an episode at 120. The last 10 tokens cost up to 2.
test.each([
  ["individual", [30, 35, 40], [0, -1, -2]],
  ["concat", [40, 110, 115, 120], [0, 0, -1, -2]],
] as const)("length costs where a sample of %s comes to its end", (export_style, lengths, penalties) => {
  const config = RunConfig.parse({
    rollout: { workflow: "areal", export_style, response_length: 40, max_turns: 3 },
    algorithm: { overlong_tokens: 10, overlong_penalty_factor: 2 },
  });
  const options = shapingOptions(config);
  expect(lengths.map((tokens) => penaltyOf({ tokens }, options))).toEqual(penalties);
});

// The limit of an episode counts observations. It cuts one conversation only, and no episode of AReaL's.
test.each([
  [{ max_episode_tokens: 80 }, "concat", [0, -1, -2]],
  [{ max_episode_tokens: 0 }, "concat", [0, 0, 0]],
  [{ max_episode_tokens: 80 }, "compact", [0, 0, 0]],
  [{ max_episode_tokens: 80, workflow: "areal" }, "concat", [0, 0, 0]],
])("with %j under %s, length costs where the limit is near", (rollout, harness, penalties) => {
  const config = RunConfig.parse({
    rollout: { response_length: 40, max_turns: 3, use_multi_turn_reward: false, ...rollout },
    algorithm: { overlong_tokens: 10, overlong_penalty_factor: 2 },
    trainer: { harness },
  });
  const options = shapingOptions(config);
  expect([70, 75, 80].map((spentTokens) => penaltyOf({ tokens: 30, spentTokens }, options))).toEqual(
    penalties,
  );
});

test("the critic goes first for as many updates as are set", () => {
  const config = RunConfig.parse({ trainer: { critic_warmup: 2 } });
  const rates = [1, 2, 3].map((update) => ppoSettings(config, update));
  expect(rates.map(({ actorLr }) => actorLr)).toEqual([0, 0, config.actor.lr]);
  expect(rates.map(({ criticLr }) => criticLr)).toEqual([1, 2, 3].map(() => config.critic.lr));
});

test.each([
  [{}, "none"],
  [{ trunk_grad_scale: 0.1 }, "none"],
  [{ detach_trunk: false }, "whole"],
  [{ detach_trunk: false, trunk_grad_scale: 0.1 }, "scaled"],
  [{ detach_trunk: false, trunk_grad_scale: 0 }, "none"],
] as const)("with the critic %j the backbone gets %s of the value gradient", (critic, share) => {
  const config = RunConfig.parse({ critic });
  expect(ppoSettings(config).kind.valueGradient).toBe(share);
  // SFT trains the value head and the backbone together.
  expect(sftSettings(config, 1).kind.valueGradient).toBe("whole");
});

test("values are clipped unless the clip is 0", () => {
  const clips = [0, 0.5].map((cliprange_value) =>
    ppoSettings(RunConfig.parse({ critic: { cliprange_value } })),
  );
  expect(clips.map(({ kind, valueClip }) => [kind.clipValue, valueClip])).toEqual([
    [false, 0],
    [true, 0.5],
  ]);
});

/** Losses 1, 2 | 3, 4, 5 | 6 at the tokens of three sequences, made one number by the weights and factors of an update. */
function aggregated(mode: AggregationId, losses: readonly number[] = [1, 2, 3, 4, 5, 6]): number {
  const config = RunConfig.parse({ actor: { loss_agg_mode: mode, loss_scale_factor: 10 } });
  const packed = packBatch([perTurnTrajectory().trajectory], maskOptions(config));
  const { scale } = stepValues(
    ppoSettings(config),
    packed.flatMap(({ sequences }) => sequences),
  );
  const weights = packed.flatMap(({ weights, lossMask }) =>
    Array.from(weights).filter((_, t) => lossMask[t]),
  );
  return losses.reduce((sum, loss, i) => sum + (scale as number) * (weights[i] as number) * loss, 0);
}

test.each([
  ["token-mean", 3.5],
  ["token-sum", 21],
  ["seq-mean-token-sum", 7],
  ["seq-mean-token-mean", (1.5 + 4 + 6) / 3],
  ["seq-mean-token-sum-norm", 0.7],
] as const)("%s of the worked losses is %d", (mode, want) => {
  expect(aggregated(mode)).toBeCloseTo(want, 6);
});

test("micro-batches of one sequence, averaged, are the mode that the import chooses", () => {
  const sequences = [[1, 2], [3, 4, 5], [6]];
  const alone = {
    "token-mean": (losses: readonly number[]) => losses.reduce((a, b) => a + b) / losses.length,
    "token-sum": (losses: readonly number[]) => losses.reduce((a, b) => a + b),
  };
  for (const [mode, ofOne] of Object.entries(alone)) {
    const mean = sequences.reduce((sum, losses) => sum + ofOne(losses), 0) / 3;
    expect(aggregated(inMicroBatchesOfOne(mode as AggregationId)), mode).toBeCloseTo(mean, 6);
  }
  // The others are means over sequences already, so nothing changes.
  for (const mode of Object.keys(AGGREGATIONS) as AggregationId[])
    expect(inMicroBatchesOfOne(inMicroBatchesOfOne(mode))).toBe(inMicroBatchesOfOne(mode));
});

test("without a loss scale, the constant is what the replies of a sequence may have", () => {
  const config = RunConfig.parse({
    actor: { loss_agg_mode: "seq-mean-token-sum-norm" },
    rollout: { response_length: 40, max_turns: 3 },
  });
  expect(ppoSettings(config).mean).toEqual({ per: "sequence", divisor: 120 });
});

test.each([
  ["a turn, where every turn is a sequence", { trainer: { harness: "no_concat" } }, 40],
  ["the longest episode of any environment", { envs: { sokoban: { max_turns: 5 } } }, 200],
  [
    "a reply, where every reply is a sample",
    { rollout: { workflow: "areal", export_style: "individual" } },
    40,
  ],
])("the constant is that of %s", (_, { rollout = {}, ...changes }: Record<string, object>, divisor) => {
  const config = RunConfig.parse({
    actor: { loss_agg_mode: "seq-mean-token-sum-norm" },
    rollout: { response_length: 40, max_turns: 3, ...rollout },
    ...changes,
  });
  expect(ppoSettings(config).mean.divisor).toBe(divisor);
});

test("with several environments, length costs most at the end of the longest episode of any", () => {
  const config = RunConfig.parse({
    rollout: { response_length: 40, max_turns: 3 },
    envs: { sokoban: { max_turns: 5 } },
    algorithm: { overlong_tokens: 10, overlong_penalty_factor: 2 },
  });
  expect([190, 195, 200].map((tokens) => penaltyOf({ tokens }, shapingOptions(config)))).toEqual([0, -1, -2]);
});

test("a relative value clip is in standard deviations of the episode scores, and as it is where they are equal", () => {
  const unit = (relative: boolean, scores: number[]) =>
    valueClipUnit(RunConfig.parse({ critic: { cliprange_relative: relative } }), scores);
  expect(unit(true, [0, 10, 0, 10])).toBe(5);
  expect(unit(false, [0, 10, 0, 10])).toBe(1);
  expect(unit(true, [2, 2])).toBe(1);
});
