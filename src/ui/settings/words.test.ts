import { describe, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import { optionTitle } from "../../config/describe.ts";
import { envs } from "../../envs/index.ts";
import { fixText } from "../configure/problems.tsx";
import { fieldsFor } from "./fields.ts";
import { problemInForm } from "./words.ts";

describe("a choice", () => {
  it.each(envs.ids)("of %s is called by a title, never by its id", (envId) => {
    for (const { path, options = [] } of fieldsFor(envId)) {
      for (const option of options)
        expect(optionTitle(path, option), `${path} ${option}`).toMatch(/^[^a-z_]/);
      expect(new Set(options.map((option) => optionTitle(path, option))).size, path).toBe(options.length);
    }
  });
  it("is called by what it means in its own setting", () => {
    expect(optionTitle("env.preset", "none")).toBe("The task's own");
    expect(optionTitle("algorithm.adv_norm_mean_level", "none")).toBe("Nothing");
  });
});

describe("a message in the words of the form", () => {
  const told = (input: object) => inspectRunConfig(input).problems.map(problemInForm);

  it.each<[object, string]>([
    [
      { rollout: { train_batch_size: 4 }, actor: { ppo_mini_batch_size: 32 } },
      "“Minibatch” is 32; it must not exceed the 4 episodes of an update. Use at most 4, or raise “Episodes per update”.",
    ],
    [
      { algorithm: { adv_estimator: "gae" }, trainer: { harness: "no_concat" } },
      "“Advantage estimator” is “GAE”; where each turn is a sequence, sequences repeat history, which must not get an advantage in each of them. Use “Masked GAE” or “Per-turn GAE, first token”, or set “Layout” to “One conversation”.",
    ],
    [
      { judge: { name: "llm" }, reward: { judge_scoring: "cells" } },
      "“Scoring of claims” is “The studio's own: share of right cells”; “Judge” is “Language model”, and a model gives no cells to compare. Use “YES or NO (rubric)”, “F1 of directions, as VAGEN scores the game”, “F1 of directions, exact” or “F1 of directions, soft”; or set “Judge” to “Rule (exact and free)”.",
    ],
  ])("%j", (input, expected) => {
    expect(told(input)).toContain(expected);
  });
  it("says on and off of a switch", () => {
    const [problem] = told({ rollout: { use_loss_mask: false }, actor: { use_decoupled_loss: true } });
    expect(problem).toMatch(/^“[A-Z][^”]+” is on; its weights need/);
  });
  it("has no path and no id with an underscore left, whatever rule is broken", () => {
    const left = /[a-z]+\.[a-z]+_[a-z_]+|\b[a-z]+_[a-z_]+\b/;
    const broken = [
      { algorithm: { adv_estimator: "grpo", filter: "reward_variance_top_p" } },
      { algorithm: { reward_norm_mean_level: "group" }, rollout: { use_multi_turn_reward: false } },
      { rollout: { prompt_format: "no_think", state_format: "symbolic", window_size: 1 } },
      { rollout: { feedback: "no", n_trajectory: 7 } },
      { env: { name: "visual-math" } },
      { trainer: { micro_batch_tokens: 256, harness: "no_concat" } },
    ];
    for (const input of broken)
      for (const text of told(input)) {
        expect(text).not.toMatch(left);
        expect(text).toMatch(/^“/);
      }
  });
});

describe("a fix", () => {
  it("says what the click sets", () => {
    expect(fixText({ path: "actor.ppo_mini_batch_size", value: 16 })).toBe("Set “Minibatch” to 16");
    expect(fixText({ path: "rollout.use_loss_mask", value: true })).toMatch(/^Turn on “/);
    expect(fixText({ path: "judge.name", value: "off" })).toBe("Set “Judge” to Off");
  });
});
