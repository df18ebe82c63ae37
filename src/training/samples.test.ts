import { expect, test } from "vitest";
import { answer, answering, answerTo } from "../agent/areal/testing.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { ShapingOptions } from "../rl/reward/shaping.ts";
import { packBatch } from "./batch.ts";
import { gatherSamples, samplesOf, setTrainRewards } from "./samples.ts";

const individual = { areal: { exportStyle: "individual" as const } };
const play = async () => [
  (await answering([answer("Up"), answer("Up"), answer(answerTo(0))], individual)).trajectory,
  (await answering([answer(answerTo(2))], { ...individual, seed: 2 })).trajectory,
];

test("sequences that are trained alone are samples with the turns that they show", async () => {
  const trajectories = await play();
  const samples = samplesOf(trajectories, true);
  expect(samples.map(({ id, turns }) => [id, turns.length])).toEqual([
    ["a-0", 1],
    ["a-1", 2],
    ["a-2", 3],
    ["a-0", 1],
  ]);
  expect(samples.map(({ terminated }) => terminated)).toEqual([false, false, true, true]);
  // R_2 = 1, R_1 = 0.1 + 0.5, R_0 = 0.1 + 0.3; alone 1.
  const packed = packBatch(samples);
  expect(packed.map(({ trajectory }) => trajectory.tokens.rewards.at(-1))).toEqual(
    [0.4, 0.6, 1, 1].map(Math.fround),
  );
  for (const { sequences } of packed) {
    expect(sequences).toHaveLength(1);
    expect(sequences[0]!.images).toHaveLength(1);
    expect(sequences[0]!.ids.length).toBe(sequences[0]!.targetMask.length);
  }
});

test("what an update finds for samples comes back to where they were", async () => {
  const trajectories = await play();
  const before = structuredClone(trajectories);
  const samples = samplesOf(trajectories, true);
  gatherSamples(trajectories, samples);
  expect(trajectories).toEqual(before);
  for (const [s, { tokens }] of samples.entries()) tokens.advantages = tokens.advantages.map(() => s + 1);
  gatherSamples(trajectories, samples);
  const [first, second] = trajectories;
  expect(first!.tokens.sequences!.map(({ to }) => first!.tokens.advantages[to - 1])).toEqual([1, 2, 3]);
  expect(new Set(second!.tokens.advantages)).toEqual(new Set([4]));
});

/** Shapes nothing. */
const SHAPING: ShapingOptions = {
  overlongTokens: 0,
  overlongFactor: 1,
  maxTokens: 1000,
  maxSpentTokens: Number.POSITIVE_INFINITY,
  bias: 0,
  scaling: 1,
  clip: 0,
  norm: { mean: "none", std: "none", leaveOneOut: false },
};

test("a reward that is trained on leaves the recorded one as it is", async () => {
  const trajectories = await play();
  const samples = samplesOf(trajectories, true);
  const recorded = structuredClone(samples.map(({ tokens }) => tokens.rewards));
  const config = { rollout: { use_multi_turn_reward: false } } as RunConfig;
  expect(setTrainRewards(samples, config, SHAPING)).toBeNull();
  const scaled = setTrainRewards(samples, config, { ...SHAPING, scaling: 2 });
  expect(scaled).toEqual(samples.map(({ tokens }) => 2 * (tokens.rewards.at(-1) as number)));
  expect(samples.map(({ tokens }) => tokens.rewards)).toEqual(recorded);
  expect(packBatch(samples).map(({ rewards }) => rewards.at(-1))).toEqual(scaled);
  gatherSamples(trajectories, samples);
  expect([...(trajectories[0]!.tokens.trainRewards ?? [])].filter(Boolean)).toEqual(scaled!.slice(0, 3));
});

test("the length of an episode that costs counts what it is shown after its first prompt", async () => {
  const samples = samplesOf(await play(), false);
  const config = { rollout: { use_multi_turn_reward: false } } as RunConfig;
  const spent = samples.map(({ tokens }) => tokens.ids.length - tokens.responseMask.indexOf(1));
  const written = samples.map(({ tokens }) => tokens.responseMask.filter(Boolean).length);
  expect(spent[0]).toBeGreaterThan(written[0]!);
  const limit = Math.max(...spent);
  const shaped = setTrainRewards(samples, config, { ...SHAPING, overlongTokens: 1, maxSpentTokens: limit });
  const rewards = samples.map(({ tokens }) => tokens.rewards.reduce((sum, reward) => sum + reward, 0));
  for (const [i, reward] of shaped!.entries())
    expect(reward).toBeCloseTo(rewards[i]! - (spent[i] === limit ? 1 : 0), 5);
});

test("otherwise an episode is its own sample", async () => {
  const trajectories = await play();
  expect(samplesOf(trajectories, false)).toEqual(trajectories);
});

test("of an episode that was cut only the last sequence is", async () => {
  const cut = (await play()).map((trajectory) => ({ ...trajectory, terminated: false, truncated: true }));
  const samples = samplesOf(cut, true);
  expect(samples.map(({ truncated }) => truncated)).toEqual([false, false, true, true]);
  expect(samples.map(({ terminated }) => terminated)).toEqual([false, false, false, false]);
});
