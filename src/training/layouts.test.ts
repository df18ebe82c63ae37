// Real episodes in all layouts: where the numbers must be the same, and what a summary changes.
import { describe, expect, test } from "vitest";
import type { Compact, Layout } from "../agent/layout.ts";
import { demonstrationBatch } from "../agent/players.ts";
import type { Task } from "../agent/task.ts";
import { testTask } from "../agent/test-task.ts";
import { vocabularyFor } from "../agent/vocabulary.ts";
import { countMarked } from "../core/statistics.ts";
import { replyPositions, summaryMask } from "../core/token-sequences.ts";
import type { Trajectory } from "../core/types.ts";
import type { AdvantageParams, AdvantageTokens } from "../rl/advantage/estimator.ts";
import { estimators } from "../rl/advantage/index.ts";
import { whiten } from "../rl/advantage/whiten.ts";
import { conversationMetrics } from "../rl/conversations.ts";
import { episodeMetrics } from "../rl/metrics.ts";
import { POLICY_TOKENS, packBatch, sequencesOf } from "./batch.ts";
import { usableEpisodes } from "./usable.ts";

const CLOSING: Compact = {
  kind: "compact",
  budget: 200,
  room: Number.POSITIVE_INFINITY,
  maxReply: 80,
  maxSummary: 40,
};
const OPEN: Compact = { ...CLOSING, budget: Number.POSITIVE_INFINITY };

/** Groups of two demonstrated games of Sokoban with one action a turn, every turn paid. */
const played = (layout: Layout, overrides: Partial<Task> = {}): Promise<Trajectory[]> => {
  const task = testTask(
    "sokoban",
    {
      maxTurns: 8,
      layout,
      scoreTurn: ({ index, taskReward }) => ({ rewards: {}, reward: taskReward + index / 8 }),
      ...overrides,
    },
    { max_actions_per_step: 1, min_solution_steps: [3, 8] },
  );
  const { spec, envConfig, format, stateFormat } = task;
  const vocabulary = vocabularyFor(spec, envConfig, 8, { format, stateFormat, summaries: true });
  const episodes = Array.from({ length: 8 }, (_, i) => ({
    id: `e${i}`,
    seed: 3 + (i >> 1),
    groupId: `g${i >> 1}`,
    rngKey: 50 + i,
  }));
  const skill = { randomFraction: 0.5, expertFraction: 0.5 };
  return demonstrationBatch({ task: { ...task, vocabulary }, episodes, skill, oneTurn: false, seed: 1 });
};

const conversations = await played({ kind: "concat" });
const perTurn = await played({ kind: "no_concat", historyTurns: 1 });
const summarised = await played(CLOSING);

/** The batch axis with a value for every token: that of a reply's token follows from its turn and place, others are 9. */
function axisOf(trajectories: readonly Trajectory[], summaryValue = 9): AdvantageTokens {
  const packed = packBatch(trajectories);
  const join = (of: (trajectory: Trajectory) => ArrayLike<number>) =>
    trajectories.flatMap((trajectory) => Array.from(of(trajectory)));
  const valuesOf = ({ tokens, turns }: Trajectory) => {
    const values = Array.from(summaryMask(tokens), (own) => (own ? summaryValue : 9));
    for (const [turn, positions] of replyPositions(tokens, turns.length).entries())
      for (const [place, t] of positions.entries()) values[t] = Math.sin(turn * 7 + place);
    return values;
  };
  return {
    starts: [
      ...packed.map(({ start }) => start),
      packed.at(-1)!.start + trajectories.at(-1)!.tokens.ids.length,
    ],
    rewards: join(({ tokens }) => tokens.rewards),
    values: join(valuesOf),
    gaeMask: join(({ tokens }) => tokens.responseMask),
    turnEndMask: join(({ tokens }) => tokens.turnEndMask),
    groups: packed.map(({ trajectory }) => Number(trajectory.groupId.slice(1))),
    baselines: trajectories.map((_, i) => i / 10),
  };
}

/** Positions on the batch axis of the tokens of all replies, and of all summaries, in order. */
function placesOf(trajectories: readonly Trajectory[]) {
  const [replies, summaries]: [number[], number[]] = [[], []];
  for (const { trajectory, start } of packBatch(trajectories)) {
    const { tokens, turns } = trajectory;
    replies.push(...replyPositions(tokens, turns.length).flatMap((own) => own.map((t) => start + t)));
    summaries.push(...[...summaryMask(tokens).entries()].flatMap(([t, own]) => (own ? [start + t] : [])));
  }
  return { replies, summaries };
}

const PARAMS: AdvantageParams = { gamma: 0.99, lambda: 0.95, turnGamma: 0.9 };
const UNDISCOUNTED: AdvantageParams = {
  gamma: 1,
  lambda: 1,
  turnGamma: 1,
  clock: { gammaTurn: 1, lambdaTurn: 1, lambdaToken: 1, mix: 0.75 },
};

/** Advantages and returns at the tokens of replies, whitened over the batch as well. */
function numbers(id: string, trajectories: readonly Trajectory[], params: AdvantageParams) {
  const tokens = axisOf(trajectories);
  const { advantages, returns } = estimators.get(id).estimate(tokens, params);
  const { replies } = placesOf(trajectories);
  const whitened = whiten(advantages, tokens.gaeMask, tokens.gaeMask);
  const at = (array: ArrayLike<number>) => replies.map((t) => array[t] as number);
  return { advantages: at(advantages), returns: at(returns), whitened: at(whitened) };
}

const masked = estimators.all.filter(({ usesEveryToken }) => !usesEveryToken).map(({ id }) => id);

test("the episodes are the same, and some have several conversations", () => {
  const outcome = (trajectories: readonly Trajectory[]) =>
    trajectories.map(({ turns, success }) => ({ success, replies: turns.map(({ reply }) => reply) }));
  expect(outcome(perTurn)).toEqual(outcome(conversations));
  expect(outcome(summarised)).toEqual(outcome(conversations));
  expect(conversationMetrics(summarised)["conversations/mean"]).toBeGreaterThan(1.5);
  expect(conversationMetrics(conversations)).toEqual({
    "conversations/mean": 1,
    "conversations/closed_share": 0,
    "conversations/no_progress": 0,
  });
});

test.each(masked)("%s gives the turns of real episodes the same numbers in concat and no_concat", (id) => {
  expect(numbers(id, perTurn, PARAMS)).toEqual(numbers(id, conversations, PARAMS));
});

test.each(masked)("%s gives episodes in which nothing is closed the numbers of concat", async (id) => {
  expect(numbers(id, await played(OPEN), PARAMS)).toEqual(numbers(id, conversations, PARAMS));
});

// A summary is one more step without reward: undiscounted it changes no sum of rewards that is to come, whatever its values are.
test.each(["masked_gae", "token_level_gae", "default_gae", "bi_level_gae_variable_clock", "trajectory_grpo"])(
  "%s without discounts gives replies the same advantages, summaries or not",
  (id) => {
    const [plain, closed] = [numbers(id, conversations, UNDISCOUNTED), numbers(id, summarised, UNDISCOUNTED)];
    for (const key of ["advantages", "returns"] as const)
      for (const [i, x] of closed[key].entries()) expect(x).toBeCloseTo(plain[key][i]!, 9);
  },
);

describe("a summary", () => {
  const { summaries } = placesOf(summarised);

  test.each(masked)("gets finite advantages from %s, and requests and repeated openings get none", (id) => {
    const { advantages, returns } = estimators.get(id).estimate(axisOf(summarised), PARAMS);
    for (const t of summaries) expect([advantages[t], returns[t]].every(Number.isFinite)).toBe(true);
    const outside = axisOf(summarised).gaeMask;
    for (const [t, own] of Array.from(outside).entries()) if (!own) expect(advantages[t]).toBe(0);
  });

  test("costs the variable clock a turn: an action, a summary and an action are two boundaries", () => {
    // Three spans of one token, the second a summary; a reward of 1 at the end.
    const tokens = {
      starts: [0, 5],
      rewards: [0, 0, 0, 0, 1],
      values: [0, 0, 0, 0, 0],
      gaeMask: [1, 0, 1, 0, 1],
      turnEndMask: [1, 0, 1, 0, 1],
    };
    const clock = { gammaTurn: 0.95, lambdaTurn: 0.95, lambdaToken: 1, mix: 1 };
    const { advantages } = estimators
      .get("bi_level_gae_variable_clock")
      .estimate(tokens, { gamma: 1, lambda: 1, turnGamma: 1, clock });
    // (0.95 · 0.95)² with the summary, 0.95 · 0.95 without.
    expect(advantages[0]).toBeCloseTo(0.8145, 4);
    expect(advantages[2]).toBeCloseTo(0.9025, 4);
  });

  test("is a turn to the turn-level estimators, with one advantage and one value", () => {
    const tokens = axisOf(summarised);
    const { advantages, returns } = estimators.get("turn_level_gae").estimate(tokens, PARAMS);
    for (const { trajectory, start } of packBatch(summarised))
      for (const { summaryFrom, to } of trajectory.tokens.sequences ?? []) {
        if (summaryFrom === undefined) continue;
        const [from, end] = [start + summaryFrom, start + to];
        expect(new Set(advantages.subarray(from, end)).size).toBe(1);
        expect([...returns.subarray(from, end)].filter((x) => x !== 0)).toHaveLength(1);
      }
  });

  test("is trained on, and its sequence weighs as much as another", () => {
    const packed = packBatch(summarised, { ...POLICY_TOKENS, averageSequences: true });
    const sequences = sequencesOf(packed);
    expect(sequences).toHaveLength(8 * conversationMetrics(summarised)["conversations/mean"]!);
    for (const { lossMask, valueMask, trajectory, weights, sequences: own } of packed) {
      expect(lossMask).toEqual(trajectory.tokens.responseMask);
      expect(valueMask).toEqual(lossMask);
      const total = lossMask.reduce((sum, mark, t) => sum + mark * weights[t]!, 0);
      expect(total).toBeCloseTo(own.length, 4);
    }
  });

  test("is no reply: turns, lengths and rewards of the episode are those of concat", () => {
    const options = { maxReplyTokens: 80, hasSummaries: true };
    const { "conversations/mean": _, ...closed } = episodeMetrics(summarised, options);
    expect(closed).toMatchObject(episodeMetrics(conversations, { maxReplyTokens: 80 }));
    const tokens = (trajectories: readonly Trajectory[]) =>
      trajectories.reduce((sum, one) => sum + countMarked(one.tokens.responseMask), 0);
    expect(tokens(summarised) - tokens(conversations)).toBe(summaries.length);
    expect(closed["conversations/summary_tokens"]).toBeCloseTo(
      summaries.length / (sequencesOf(packBatch(summarised)).length - 8),
      9,
    );
  });
});

test("episodes without progress are left out, and none left is an error that names the settings", () => {
  const [first, ...others] = summarised;
  const stuck = { ...first!, unusable: "no_progress" as const };
  expect(usableEpisodes([stuck, ...others])).toEqual(others);
  expect(conversationMetrics([stuck, ...others])["conversations/no_progress"]).toBe(1 / 8);
  expect(() => usableEpisodes([stuck, stuck])).toThrow(
    /None of 2 episodes .*trainer\.compact_budget, rollout\.max_episode_tokens/,
  );
});
