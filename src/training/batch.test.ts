import { expect, test } from "vitest";
import { demonstrationBatch } from "../agent/players.ts";
import { rollout, type Task } from "../agent/rollout.ts";
import { testTask } from "../agent/test-task.ts";
import { inspectRunConfig } from "../config/check.ts";
import { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { estimators } from "../rl/advantage/index.ts";
import { episodeMean } from "../rl/reward/deferred.ts";
import { POLICY_TOKENS, packBatch, sequencesOf, tokenCount, withBootstrapTargets } from "./batch.ts";
import { advantageOptions, maskOptions } from "./hyperparameters.ts";
import { weighMarked } from "./loss-weights.ts";
import { perTurnTrajectory } from "./testing/sequences.ts";

const LAKE = { desc: ["SFF", "FHF", "FFG"] };

/** Demonstrated episodes of up to three turns. */
const played = (historyTurns?: number): Promise<Trajectory[]> => {
  const task = testTask("frozenlake", {
    maxTurns: 3,
    ...(historyTurns !== undefined && { layout: { kind: "no_concat", historyTurns } as const }),
  });
  const episodes = Array.from({ length: 6 }, (_, i) => ({
    id: `e${i}`,
    seed: 7 + i,
    groupId: `g${i >> 1}`,
    rngKey: 100 + i,
  }));
  return demonstrationBatch({
    task,
    episodes,
    skill: { randomFraction: 0.5, expertFraction: 0.5 },
    oneTurn: false,
    seed: 1,
  });
};

test("a trajectory is one stretch of the batch axis, and each of its turns one sequence", async () => {
  const trajectories = await played(1);
  const packed = packBatch(trajectories, { ...POLICY_TOKENS, averageSequences: true });
  let at = 0;
  for (const { trajectory, start, sequences, weights, lossMask } of packed) {
    expect(start).toBe(at);
    expect(sequences).toHaveLength(trajectory.turns.length);
    for (const [turn, sequence] of sequences.entries()) {
      expect(sequence.batchStart).toBe(at);
      expect(sequence.images).toEqual(
        trajectory.turns.slice(Math.max(0, turn - 1), turn + 1).flatMap((t) => t.observation.images),
      );
      const inside = weights.subarray(at - start, at - start + sequence.ids.length);
      const own = lossMask.subarray(at - start, at - start + sequence.ids.length);
      const sum = inside.reduce((total, w, t) => total + w * (own[t] as number), 0);
      expect(sum).toBeCloseTo(1, 5);
      at += sequence.ids.length;
    }
  }
  expect(tokenCount(packed)).toBe(at);
});

test("the same replies are trained on in either mode", async () => {
  const own = (trajectories: readonly Trajectory[]) =>
    sequencesOf(packBatch(trajectories)).flatMap(({ ids, targetMask }) =>
      Array.from(ids).filter((_, t) => targetMask[t]),
    );
  const whole = own(await played());
  for (const history of [0, 1, Infinity]) expect(own(await played(history))).toEqual(whole);
});

test("a cut episode's value is read after its last sequence", async () => {
  const trajectories = (await played(0)).map((t) => ({ ...t, truncated: true }));
  const packed = packBatch(trajectories);
  const sequences = withBootstrapTargets(packed);
  expect(sequences).toHaveLength(packed.length);
  for (const [s, { ids, batchStart, targetMask }] of sequences.entries()) {
    const last = packed[s]!.sequences.at(-1)!;
    expect(ids.slice(0, -1)).toEqual(last.ids);
    expect(targetMask.indexOf(1)).toBe(last.ids.length);
    expect(batchStart + last.ids.length).toBe(tokenCount(packed) + s);
  }
});

test("an episode that a budget of tokens cuts is paid by the mean of its turns, and bootstraps after its cut reply", async () => {
  const settle: NonNullable<Task["settle"]> = (turns) => episodeMean(turns, 4);
  const score = { rewards: { task: 0, state_estimation: 0.5 }, reward: 0.5 };
  const task = testTask(
    "frozenlake",
    { maxTurns: 4, format: "no_think", settle, scoreTurn: () => score },
    LAKE,
  );
  const play = (more: Partial<Task>) =>
    rollout({
      task: { ...task, ...more },
      policy: scriptedPolicy(() => task.vocabulary.encode("<answer>Up</answer><eos>")),
      episodes: [{ id: "a", seed: 1, groupId: "g", rngKey: 0 }],
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 9, seed: 0 },
    });
  const [whole] = await play({});
  expect(whole!.turns.map(({ reward }) => reward)).toEqual([0.5, 0.5, 0.5, 0.5]);
  // Two replies and the observation between them, less the end token of the second.
  const marks = whole!.tokens.responseMask;
  const first = marks.indexOf(1);
  const ends = Array.from(whole!.tokens.turnEndMask.keys()).filter((t) => whole!.tokens.turnEndMask[t]);
  for (const historyTurns of [undefined, 1]) {
    const cut = { maxEpisodeTokens: ends[1]! - first, ...(historyTurns !== undefined && { historyTurns }) };
    const [short] = await play(cut);
    expect([short!.turns.length, short!.truncated]).toEqual([2, true]);
    // Four turns' worth of claims for two turns, on the last tokens of the replies.
    expect(short!.turns.map(({ reward }) => reward)).toEqual([1, 1]);
    const { rewards, turnEndMask } = short!.tokens;
    expect(Array.from(rewards).filter((_, t) => turnEndMask[t])).toEqual([1, 1]);
    const packed = packBatch([short!]);
    const [behind] = withBootstrapTargets(packed);
    const last = packed[0]!.sequences.at(-1)!;
    expect(behind!.ids.length).toBe(last.ids.length + 1);
    expect([last.targetMask.at(-1), behind!.targetMask.indexOf(1)]).toEqual([1, last.ids.length]);
  }
});

// A worked example of three turns, (R, v) = (0.1, 0.3), (0.1, 0.6), (1.1, 0.8).
test.each([
  ["no_concat_gae", "turn_start"],
  ["no_concat_gae_last", "turn_end"],
] as const)(
  "%s over sequences gives the worked numbers, and trains values at its anchors only",
  (id, valueTokens) => {
    const { trajectory, values } = perTurnTrajectory();
    const [packed] = packBatch([trajectory], { ...POLICY_TOKENS, valueTokens });
    const { tokens } = trajectory;
    const estimated = estimators.get(id).estimate(
      {
        starts: [0, tokens.ids.length],
        rewards: tokens.rewards,
        values,
        gaeMask: tokens.responseMask,
        turnEndMask: tokens.turnEndMask,
      },
      { gamma: 0.99, lambda: 0.95, turnGamma: 0.5 },
    );
    const advantages = [0.933988, 0.57415, 0.3];
    const returns = [1.233988, 1.17415, 1.1];
    for (const [turn, { targetMask, valueMask, batchStart }] of packed!.sequences.entries()) {
      const anchor = valueTokens === "turn_start" ? targetMask.indexOf(1) : targetMask.length - 1;
      expect(Array.from(valueMask!.keys()).filter((t) => valueMask![t])).toEqual([anchor]);
      targetMask.forEach((m, t) => {
        expect(estimated.advantages[batchStart + t]).toBeCloseTo(m ? advantages[turn]! : 0, 5);
        expect(estimated.returns[batchStart + t]).toBeCloseTo(t === anchor ? returns[turn]! : 0, 5);
      });
    }
  },
);

// The turns of a trajectory are the same in sequences as in one conversation; so are the advantages, at equal values.
test.each(estimators.ids.filter((id) => id !== "gae"))(
  "%s gives sequences the advantages of a conversation",
  (id) => {
    const params = { gamma: 0.99, lambda: 0.95, turnGamma: 0.9 };
    const estimate = (concatenated: boolean) => {
      const { trajectory, values } = perTurnTrajectory(concatenated);
      const { tokens } = trajectory;
      const starts = [0, tokens.ids.length];
      const gaeMask = tokens.responseMask;
      const batch = { starts, ...tokens, values, gaeMask };
      const { advantages, returns } = estimators.get(id).estimate(batch, params);
      const own = (array: Float64Array) => Array.from(array).filter((_, t) => tokens.responseMask[t]);
      return { advantages: own(advantages), returns: own(returns) };
    };
    const sequences = estimate(false);
    // Alone in its group, no trajectory is better than the others.
    const isCompared = ["trajectory_grpo", "grpo_passk"].includes(id);
    expect(sequences.advantages.some((a) => a !== 0)).toBe(!isCompared);
    expect(sequences).toEqual(estimate(true));
  },
);

/** Every estimator with a critic, under every pair of masks and at both anchors. */
const maskings = estimators.all
  .filter(({ valueTokens }) => valueTokens !== "none")
  .flatMap(({ id }) =>
    [true, false].flatMap((use_loss_mask) =>
      [true, false].flatMap((use_gae_mask) =>
        (["end", "start"] as const).map((anchor) => ({
          rollout: { use_loss_mask, use_gae_mask },
          algorithm: { adv_estimator: id, turn_value_anchor: anchor },
        })),
      ),
    ),
  );
test.each(maskings)("the critic learns at tokens with a return, and at some: %j", (given) => {
  // Refused is right too: there the value that is read could not be learned.
  if (inspectRunConfig(given).problems.length > 0) return expect(given.rollout.use_gae_mask).toBe(false);
  const config = RunConfig.parse(given);
  const { trajectory } = perTurnTrajectory(true);
  const [packed] = packBatch([trajectory], maskOptions(config));
  const { lam: lambda, ...params } = advantageOptions(config);
  const { returns } = estimators.get(given.algorithm.adv_estimator).estimate(
    {
      starts: [0, trajectory.tokens.ids.length],
      rewards: trajectory.tokens.rewards,
      values: Float32Array.from(trajectory.tokens.ids, (_, t) => 0.1 + t / 7),
      gaeMask: packed!.gaeMask,
      turnEndMask: trajectory.tokens.turnEndMask,
    },
    { ...params, lambda },
  );
  const learned = Array.from(packed!.valueMask.keys()).filter((t) => packed!.valueMask[t]);
  expect(learned.length).toBeGreaterThanOrEqual(trajectory.turns.length);
  expect(learned.filter((t) => returns[t] === 0 || !packed!.lossMask[t])).toEqual([]);
});

test("without masks the critic of plain GAE learns at every token", () => {
  const options = { ...POLICY_TOKENS, lossMask: false, gaeMask: false };
  const [packed] = packBatch([perTurnTrajectory(true).trajectory], options);
  expect(packed!.valueMask).toEqual(packed!.lossMask);
  expect(packed!.valueMask.indexOf(0, 1)).toBe(-1);
});

test("tokens of two kinds have the product of both weights, and a kind that counts once changes nothing", async () => {
  const packed = packBatch(await played());
  const every =
    (n: number) =>
    ({ tokens }: Trajectory) =>
      Uint8Array.from(tokens.ids, (_, t) => Number(t % n === 0));
  weighMarked(packed, [
    { factor: 5, marksOf: every(2) },
    { factor: 3, marksOf: every(3) },
    { factor: 1, marksOf: every(5) },
  ]);
  for (const { weights, lossMask } of packed) {
    const unit = weights[lossMask.findIndex((mark, t) => mark === 1 && t % 6 === 1)]!;
    for (const [t, weight] of weights.entries())
      expect(weight / unit).toBeCloseTo((t % 2 ? 1 : 5) * (t % 3 ? 1 : 3), 4);
  }
});

test("marked tokens weigh as often as they should, and all that is trained on weighs one on average", async () => {
  const packed = packBatch(await played());
  const isThird = (_: unknown, t: number) => Number(t % 3 === 0);
  weighMarked(packed, [{ factor: 5, marksOf: ({ tokens }) => Uint8Array.from(tokens.ids, isThird) }]);
  const trained = packed.flatMap(({ weights, lossMask }) =>
    Array.from(weights, (weight, t) => ({ weight, isMarked: t % 3 === 0 })).filter((_, t) => lossMask[t]),
  );
  const mean = trained.reduce((sum, { weight }) => sum + weight, 0) / trained.length;
  expect(mean).toBeCloseTo(1, 5);
  const [marked, other] = [true, false].map((is) => trained.find(({ isMarked }) => isMarked === is)!.weight);
  expect(marked! / other!).toBeCloseTo(5, 5);
  for (const { weight, isMarked } of trained) expect(weight).toBe(isMarked ? marked : other);
});
