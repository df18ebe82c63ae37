import { expect, test } from "vitest";
import type { Turn, Verdict } from "../../core/types.ts";
import { rewardTerms, rewardWeights, scoreTurn } from "./index.ts";

const verdict = (score: number): Verdict => ({
  status: "partial",
  score,
  judge: "rule",
  reason: "",
  fields: [],
});
const turn = (formatOk: boolean, actionIsValid: boolean, taskReward = 1) =>
  ({
    parsed: { formatOk },
    actionIsValid,
    taskReward,
    verdicts: { observation: verdict(0.5), prediction: verdict(1) },
  }) as unknown as Turn;

const settings = {
  format_reward: 0.1,
  use_state_reward: true,
  grounding_reward_weight: 0.25,
  worldmodeling_reward_weight: 0.25,
  surroundings_reward_weight: 0,
  scale_by_turns: true,
  repetition_penalty_weight: 0,
  action_cost: 0,
  max_turns: 5,
  weights: {},
};

test("what talking well pays is divided by the turns of an episode; the task is not", () => {
  const { rewards, reward } = scoreTurn(turn(true, true), rewardWeights(settings));
  expect(rewards.task).toBe(1);
  expect(rewards.format).toBeCloseTo(0.02);
  expect(rewards.state_estimation).toBeCloseTo(0.025);
  expect(rewards.transition_modeling).toBeCloseTo(0.05);
  expect(reward).toBeCloseTo(1.095);
});

test("undivided weights are those of the configuration", () => {
  const weights = rewardWeights({ ...settings, scale_by_turns: false });
  expect(weights).toEqual({
    task: 1,
    format: 0.1,
    format_penalty: 0,
    state_estimation: 0.25,
    transition_modeling: 0.25,
    surroundings: 0,
    repetition: 0,
    action_cost: 0,
    turn_cost: 0,
  });
});

test("right neighbours are paid like the other reasoning, by their verdict", () => {
  const told = { ...turn(true, true), verdicts: { surroundings: { status: "partial", score: 0.75 } } };
  const weights = rewardWeights({ ...settings, surroundings_reward_weight: 0.4 });
  expect(scoreTurn(told as unknown as Turn, weights).rewards.surroundings).toBeCloseTo(0.06);
  expect(
    rewardWeights({ ...settings, surroundings_reward_weight: 0.4, use_state_reward: false }),
  ).toMatchObject({
    surroundings: 0,
  });
});

test("the format pays only together with valid actions", () => {
  const weights = rewardWeights(settings);
  expect(scoreTurn(turn(true, false), weights).rewards.format).toBe(0);
  expect(scoreTurn(turn(false, true), weights).rewards.format).toBe(0);
});

test("without the reasoning reward its terms are absent", () => {
  const { rewards } = scoreTurn(turn(true, true), rewardWeights({ ...settings, use_state_reward: false }));
  expect(Object.keys(rewards)).toEqual(["task", "format"]);
});

test("the parts sum to the reward, and every term has a weight", () => {
  const weights = rewardWeights(settings);
  expect(Object.keys(weights).sort()).toEqual([...rewardTerms.ids].sort());
  const { rewards, reward } = scoreTurn(turn(true, true, 0.37), weights);
  expect(Object.values(rewards).reduce((a, b) => a + b, 0)).toBe(reward);
});

test("a claim that is paid something else than its score earns that, and repetition costs on top", () => {
  const weights = rewardWeights({ ...settings, scale_by_turns: false, repetition_penalty_weight: 0.2 });
  const repeating = {
    ...turn(true, true),
    verdicts: { observation: { ...verdict(0.3), repeated: true, paid: -0.1 }, prediction: verdict(1) },
  } as Turn;
  expect(scoreTurn(repeating, weights).rewards).toMatchObject({
    state_estimation: 0.25 * -0.1,
    transition_modeling: 0.25,
    repetition: -0.2,
  });
});

test("every executed action costs the same, undivided", () => {
  const weights = rewardWeights({ ...settings, action_cost: 0.01 });
  const costOf = (...valid: boolean[]) => {
    const executed = valid.map((isValid) => ({ valid: isValid }));
    return scoreTurn({ ...turn(true, true), executed } as unknown as Turn, weights).rewards.action_cost;
  };
  expect(costOf(true, true, true)).toBeCloseTo(-0.03);
  // The game stops at a name that it does not know.
  expect(costOf(true, false)).toBeCloseTo(-0.01);
  expect(costOf(false)).toBe(0);
});

test("a turn cost of what a turn's claims earn leaves the task's reward", () => {
  const earned = scoreTurn(turn(true, true), rewardWeights(settings)).reward - 1;
  const { rewards, reward } = scoreTurn(turn(true, true), rewardWeights({ ...settings, turn_cost: earned }));
  expect(rewards.turn_cost).toBe(-earned);
  expect(reward).toBeCloseTo(1);
});

test("the form is paid with valid actions only, but AReaL's whatever is answered", () => {
  const format = rewardTerms.get("format");
  const free = (formatOk: boolean) =>
    ({ ...turn(formatOk, false), parsed: { formatOk, answersFreely: true } }) as unknown as Turn;
  expect([turn(true, true), turn(true, false), turn(false, true)].map(format.score)).toEqual([1, 0, 0]);
  expect([free(true), free(false)].map(format.score)).toEqual([1, 0]);
});

test("a turn without a valid action earns the format penalty, undivided", () => {
  const weights = rewardWeights({ ...settings, format_penalty: -0.2 });
  const penaltyOf = (...valid: boolean[]) => {
    const executed = valid.map((isValid) => ({ valid: isValid }));
    return scoreTurn({ ...turn(true, false), executed } as unknown as Turn, weights).rewards.format_penalty;
  };
  expect([penaltyOf(), penaltyOf(false), penaltyOf(true, false), penaltyOf(true)]).toEqual([
    -0.2, -0.2, 0, 0,
  ]);
});
