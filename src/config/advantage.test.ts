// What estimators need of the other settings, and their names.
import { describe, expect, test } from "vitest";
import { inspectRunConfig } from "./check.ts";
import { problemText } from "./rules/problem.ts";

const inspect = (algorithm: object, others: object = {}) => inspectRunConfig({ algorithm, ...others });
const groups = { rollout: { n_trajectory: 4 } };

describe("names of Bi-Level GAE", () => {
  test.each([
    ["bi_level_gae", "bi_level_gae"],
    ["bi_level_gae_published", "bi_level_gae"],
    ["bi_level_gae_2026", "bi_level_gae_variable_clock"],
    ["bi_level_gae_variable_clock", "bi_level_gae_variable_clock"],
  ])("%s is %s", (adv_estimator, id) => {
    expect(inspect({ adv_estimator }).config?.algorithm.adv_estimator).toBe(id);
  });
});

describe("what is refused, with the value that would do", () => {
  test.each([
    [
      "a token discount beside the variable clock",
      { adv_estimator: "bi_level_gae_variable_clock", gamma: 0.99 },
      {},
      "algorithm.gamma",
      1,
    ],
    [
      "normalised rewards beside a greedy baseline",
      { adv_estimator: "remax", reward_norm_std_level: "batch" },
      { rollout: { use_multi_turn_reward: false } },
      "algorithm.reward_norm_std_level",
      "none",
    ],
    [
      "a KL at prompts that several sequences repeat",
      { adv_estimator: "grpo", use_kl_in_reward: true, kl_in_reward_tokens: "all" },
      { ...groups, trainer: { harness: "no_concat" } },
      "algorithm.kl_in_reward_tokens",
      "policy",
    ],
    [
      "turns that begin at an observation",
      { adv_estimator: "areal_turn_gae" },
      { rollout: { use_gae_mask: false } },
      "rollout.use_gae_mask",
      true,
    ],
    [
      "a KL penalty beside turns that are paid by scores alone",
      { adv_estimator: "no_concat_gae", use_kl_in_reward: true },
      {},
      "algorithm.use_kl_in_reward",
      false,
    ],
    ["a group of one to compare", { adv_estimator: "opo" }, {}, "rollout.n_trajectory", 4],
  ])("%s", (_, algorithm, others, path, value) => {
    const { problems } = inspect(algorithm, others);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]!.fix).toEqual({ path, value });
    const { message, hint } = problemText(problems[0]!);
    expect([message.startsWith(path), /(Use|Turn|Set) /.test(hint)]).toEqual([true, true]);
  });
});

test.each([
  { adv_estimator: "bi_level_gae_variable_clock", gamma: 1 },
  { adv_estimator: "remax" },
  { adv_estimator: "areal_turn_gae", use_kl_in_reward: true },
  { adv_estimator: "default_gae", lam_by_length: "vapo" },
  { adv_estimator: "grpo", use_kl_in_reward: true, kl_in_reward_tokens: "all" },
])("%j is accepted", (algorithm) => {
  expect(inspect(algorithm, groups).problems).toEqual([]);
});
