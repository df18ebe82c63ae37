// Every refusal names the setting, its value and a remedy, and the remedy works.
import { describe, expect, test } from "vitest";
import { envs, loadEnv } from "../envs/index.ts";
import { setPath } from "./changes.ts";
import { configError, inspectRunConfig as inspect } from "./check.ts";
import { entryConfig } from "./entries.ts";
import { getPreset } from "./presets.ts";
import { problemText } from "./rules/problem.ts";
import type { RunConfig } from "./run-config.ts";

await loadEnv("visual-math");

/** Problems with their texts as the command line has them. */
function inspectRunConfig(input: unknown) {
  const { config, problems } = inspect(input);
  return { config, problems: problems.map((problem) => ({ ...problem, ...problemText(problem) })) };
}

const lake = (config: object) => ({ env: { name: "frozenlake", config } });
const world = (name: string, config: object) => ({ env: { name, config } });
const sokoban = (config: object) => ({ env: { name: "sokoban", config } });

/** The level that a run would begin with. */
function draw({ env: { name, config } }: RunConfig): void {
  const spec = envs.get(name);
  spec.create(spec.config.parse(config)).reset(1);
}

describe("a bad value names field, value and a remedy that works", () => {
  // Input; the setting; what is said of it; the remedy; the value that follows from the remedy.
  test.each<[object, string, string, string, unknown]>([
    [
      sokoban({ min_solution_steps: 500 }),
      "env.config.min_solution_steps",
      "is 500; it must be a list of two whole numbers of at least 0, e.g. [1,5].",
      "or leave it null. The default is null.",
      [1, 5],
    ],
    [
      sokoban({ min_solution_steps: [1] }),
      "env.config.min_solution_steps",
      "is [1]; it must be a list of two whole numbers",
      "e.g. [1,5]",
      [1, 5],
    ],
    [
      sokoban({ min_solution_steps: [1, 2, 3] }),
      "env.config.min_solution_steps",
      "is [1,2,3]; it must be a list of two whole numbers",
      "or leave it null",
      null,
    ],
    [
      sokoban({ min_solution_steps: ["a", "b"] }),
      "env.config.min_solution_steps",
      'is ["a","b"]; it must be a list of two whole numbers',
      "e.g. [1,5]",
      [1, 5],
    ],
    [
      sokoban({ min_solution_steps: [-1, 5] }),
      "env.config.min_solution_steps",
      "is [-1,5]; it must be a list of two whole numbers of at least 0",
      "[1,5]",
      [1, 5],
    ],
    [
      sokoban({ min_solution_steps: [500, 500] }),
      "env.config.min_solution_steps",
      "is [500,500]; a 6×6 room with 1 box has only 240 states",
      "Use [1, 12]",
      [1, 12],
    ],
    [
      sokoban({ num_boxes: 20 }),
      "env.config.num_boxes",
      "is 20; a 6×6 room has 16 cells inside its walls",
      "Use 1 to 4 boxes, or another env.config.dim_room.",
      4,
    ],
    [
      sokoban({ dim_room: [6, 40] }),
      "env.config.dim_room",
      "is [6,40]; it must be a list of two whole numbers from 4 to 15",
      "Use a list of two whole numbers from 4 to 15, e.g. [6,6]. The default is [6,6].",
      [6, 15],
    ],
    [
      sokoban({ dim_room: [4, 4] }),
      "env.config.dim_room",
      "is [4,4]; inside its walls",
      "Use [5, 5]",
      [5, 5],
    ],
    [sokoban({ dim_room: 6 }), "env.config.dim_room", "is 6; it must be a list", "e.g. [6,6]", [6, 6]],
    [
      sokoban({ num_boxes: "two" }),
      "env.config.num_boxes",
      'is "two"; it must be',
      "a whole number of at least 1",
      2,
    ],
    [
      { seed: 1e20 },
      "seed",
      "it must be at most 9007199254740991.",
      "Use a whole number from 0 to 9007199254740991. The default is 0.",
      9007199254740991,
    ],
    [
      { trainer: { total_updates: 1e20 } },
      "trainer.total_updates",
      "it must be at most 100000.",
      "Use a whole number from 0 to 100000.",
      100000,
    ],
    [
      { envs: { a: { name: "sokoban", max_turns: 1e20 } } },
      "envs.a.max_turns",
      "it must be at most 20.",
      "Use a whole number from 1 to 20, or leave it out.",
      undefined,
    ],
    [lake({ p: 1.5 }), "env.config.p", "is 1.5; it must be at most 1.", "Use a number from 0 to 1.", 1],
    [lake({ p: -1 }), "env.config.p", "is -1; it must be at least 0.", "is 0.8.", 0.8],
    [lake({ p: Number.NaN }), "env.config.p", "is NaN; it must be a number.", "from 0 to 1", 0.5],
    [
      lake({ size: 50 }),
      "env.config.size",
      "is 50; it must be at most 20.",
      "Use a whole number from 2 to 20.",
      20,
    ],
    [lake({ size: 4.5 }), "env.config.size", "is 4.5; it must be a whole number.", "The default is 4", 4],
    [
      lake({ is_slippery: "very" }),
      "env.config.is_slippery",
      'is "very"; it must be a boolean',
      "true or false",
      true,
    ],
    [
      lake({ render_mode: "picture" }),
      "env.config.render_mode",
      'is "picture"',
      "Use one of these. The default is ",
      "text",
    ],
    [
      lake({ render_mode: 3 }),
      "env.config.render_mode",
      "is 3",
      'Use one of these. The default is "vision".',
      "text",
    ],
    [
      lake({ desc: "SFG" }),
      "env.config.desc",
      'is "SFG"; it must be a list of 1 to 20 texts',
      '["SFF","FHF","FFG"]',
      ["SFF", "FHF", "FFG"],
    ],
    [
      lake({ desc: ["SX", "FG"] }),
      "env.config.desc",
      'is ["SX","FG"]; use only the letters',
      "or leave it null",
      null,
    ],
    [lake({ desc: ["SH", "HG"] }), "env.config.desc", "no path leads", "Change an H", ["SF", "HG"]],
    [
      { env: { name: "chess" } },
      "env.name",
      'is "chess"',
      "Known are: frozenlake, sokoban, visual-math, navigation, primitive-skill, svg, blackjack, spatial-gym. If it is one of your own, add its extension first.",
      "sokoban",
    ],
    [
      { env: { name: "visual-math" }, judge: { name: "off" } },
      "rollout.prompt_format",
      '"visual-math" has no places to state',
      '"boxed"',
      "boxed",
    ],
    [
      {
        env: { name: "visual-math" },
        rollout: { prompt_format: "boxed" },
        judge: { name: "llm" },
        reward: { judge_scoring: "rubric" },
      },
      "judge.name",
      '"visual-math" has nothing to judge',
      '"off"',
      "off",
    ],
    [
      {
        env: { name: "visual-math", config: { difficulty: "hard", tools: false, max_answer: 60 } },
        rollout: { prompt_format: "boxed" },
        judge: { name: "off" },
      },
      "env.config.tools",
      "only the measuring tool shows",
      "Turn tools on",
      true,
    ],
    [
      { actor: { lr: 5 } },
      "actor.lr",
      "is 5; it must be at most 0.1.",
      "Use a number from 1e-8 to 0.1. The default is 0.0004.",
      0.1,
    ],
    [
      { rollout: { max_turns: "5" } },
      "rollout.max_turns",
      'is "5"; it must be a number',
      "a whole number from 1 to 20",
      5,
    ],
    [
      { algorithm: { adv_estimator: "masked_gea" } },
      "algorithm.adv_estimator",
      'is "masked_gea"',
      'Did you mean "masked_gae"?',
      "gae",
    ],
    [
      { actor: 5 },
      "actor",
      "is 5; it must be a mapping of settings.",
      '"actor: { lr: 0.0004 }"',
      { lr: 4e-4 },
    ],
    [{ env: { config: 5 } }, "env.config", "is 5; it must be", "options by name", {}],
    [
      { algorithm: { adv_estimator: "grpo" } },
      "rollout.n_trajectory",
      'is 1; "grpo" compares the episodes of one level',
      "Use 4 or 8",
      4,
    ],
    [
      { algorithm: { filter: "reward_variance" } },
      "rollout.n_trajectory",
      'is 1; "reward_variance" compares the episodes of one level',
      "no algorithm.filter",
      2,
    ],
    [
      { actor: { loss_mode: "gspo" }, rollout: { use_gae_mask: false } },
      "actor.loss_mode",
      "needs both masks",
      "Turn on rollout.use_loss_mask",
      "vanilla",
    ],
    [
      { algorithm: { adv_estimator: "no_concat_gae" }, rollout: { use_gae_mask: false } },
      "rollout.use_gae_mask",
      '"no_concat_gae" reads the value of a turn before its first token',
      "use another algorithm.adv_estimator",
      true,
    ],
    [
      { algorithm: { turn_value_anchor: "start" }, rollout: { use_gae_mask: false } },
      "rollout.use_gae_mask",
      '"bi_level_gae" reads the value of a turn before its first token',
      'set algorithm.turn_value_anchor to "end"',
      true,
    ],
    [
      { actor: { clip_ratio_c: 0.5 } },
      "actor.clip_ratio_c",
      "is 0.5; it must be above 1, or 0 for off",
      "Use 3, as veRL does, or 0.",
      3,
    ],
    [
      { actor: { clip_ratio_c: 1 } },
      "actor.clip_ratio_c",
      "is 1; it must be above 1, or 0 for off",
      "Use 3, as veRL does, or 0.",
      3,
    ],
    [
      { actor: { behav_imp_weight_cap: 1 } },
      "actor.behav_imp_weight_cap",
      "is 1; it must be at least 1.01",
      "from 1.01 to 1000",
      1.01,
    ],
    [
      { critic: { ppo_epochs: 4, detach_trunk: false } },
      "critic.detach_trunk",
      "the value head has its own optimiser steps (critic.ppo_epochs, critic.ppo_mini_batch_size), which do not train the backbone",
      "or use a separate model.critic",
      true,
    ],
    [
      { algorithm: { adv_estimator: "reinforce_plus_plus" }, trainer: { critic_warmup: 5 } },
      "trainer.critic_warmup",
      'is 5; "reinforce_plus_plus" has no critic to train first',
      "or an algorithm.adv_estimator with a critic",
      0,
    ],
    [
      { algorithm: { use_kl_in_reward: true, adv_estimator: "no_concat_gae" } },
      "algorithm.use_kl_in_reward",
      '"no_concat_gae" takes the advantages of turns from their scores',
      "turn on actor.use_kl_loss instead",
      false,
    ],
    [
      { algorithm: { use_kl_in_reward: true, adv_estimator: "no_concat_gae_last" } },
      "algorithm.use_kl_in_reward",
      '"no_concat_gae_last" takes the advantages of turns from their scores',
      "turn on actor.use_kl_loss instead",
      false,
    ],
    [
      { algorithm: { use_kl_in_reward: true, kl_ctrl_type: "adaptive", kl_coef: 0 } },
      "algorithm.kl_coef",
      "adaptive control multiplies it",
      'set algorithm.kl_ctrl_type to "fixed"',
      0.001,
    ],
    [
      { algorithm: { use_kl_in_reward: true, kl_ctrl_type: "adaptive", horizon: 20 } },
      "algorithm.horizon",
      "moves the coefficient once an update, and rollout.train_batch_size is 64",
      "Use at least 64",
      64,
    ],
    [
      { actor: { use_decoupled_loss: true }, rollout: { use_loss_mask: false } },
      "actor.use_decoupled_loss",
      "only the policy's own tokens have",
      "Turn on rollout.use_loss_mask",
      false,
    ],
    [
      { rollout: { max_head_offpolicyness: 1 }, reward: { use_state_reward: true, repetition_penalty: 0.5 } },
      "rollout.max_head_offpolicyness",
      "it must be 0 with reward.repetition_penalty",
      "Use 0, or set reward.repetition_penalty to 0.",
      0,
    ],
    [
      { rollout: { window_size: 2 } },
      "rollout.window_size",
      "is 2; an episode of 5 turns is trained as one sequence",
      'or set trainer.harness to "no_concat"',
      4,
    ],
    [
      { trainer: { harness: "no_concat" }, algorithm: { adv_estimator: "gae" } },
      "algorithm.adv_estimator",
      "sequences repeat history",
      'Use "masked_gae" or "no_concat_gae"',
      "no_concat_gae",
    ],
    [
      { trainer: { harness: "no_concat" }, rollout: { use_loss_mask: false } },
      "rollout.use_loss_mask",
      "sequences repeat history",
      "Turn it on",
      true,
    ],
    [
      { trainer: { harness: "no_concat", micro_batch_tokens: 256 } },
      "trainer.micro_batch_tokens",
      "the longest sequence has about 380 tokens",
      "lower rollout.window_size",
      380,
    ],
    [
      { trainer: { micro_batch_tokens: 256 } },
      "trainer.micro_batch_tokens",
      "is 256",
      "Use at least 380",
      380,
    ],
  ])("%j", (input, path, message, hint, better) => {
    const { problems } = inspectRunConfig(input);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path, hint: expect.stringContaining(hint) });
    expect(problems[0]!.message).toMatch(new RegExp(`^${path} is `));
    expect(problems[0]!.message).toContain(message);
    const repaired = inspectRunConfig(setPath(input, path, better));
    expect(repaired.problems).toEqual([]);
    draw(repaired.config!);
  });

  test.each<[object, string, string]>([
    [
      lake({ slippery: true }),
      'env.config.slippery is true; there is no option of "frozenlake"',
      '"is_slippery"?',
    ],
    [sokoban({ boxes: 2 }), 'env.config.boxes is 2; there is no option of "sokoban"', '"num_boxes"?'],
    [{ actor: { lrr: 1 } }, 'actor.lrr is 1; there is no setting named "lrr"', '"actor.lr"?'],
    [{ trainr: {} }, 'trainr is {}; there is no setting named "trainr"', '"trainer"?'],
    [
      { "actor.lr": 1 },
      'there is no setting named "actor.lr"',
      'Write it below its section: "actor: { lr: … }".',
    ],
    [
      { env: { "config.size": 4 } },
      'there is no setting named "config.size"',
      'Write it below its section: "env: { config: { size: … } }".',
    ],
    // Only other environments have this option.
    [{ max_step: 3 }, 'there is no setting named "max_step"', "Known are: "],
  ])("a name that does not exist: %j", (input, message, hint) => {
    const { problems } = inspectRunConfig(input);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toContain(message);
    expect(problems[0]!.hint).toContain(hint);
  });
});

test.each(["rule", "recorded", "llm"])("a task without claims refuses the judge %s", (name) => {
  const { problems } = inspectRunConfig({
    env: { name: "visual-math" },
    rollout: { prompt_format: "boxed" },
    judge: { name, recording: "verdicts.jsonl" },
    reward: { judge_scoring: "rubric" },
  });
  expect(problems.map(({ message }) => message)).toEqual([
    `judge.name is "${name}"; "visual-math" has nothing to judge.`,
  ]);
});

describe("choices that do not exist are listed once", () => {
  test.each<[string, object, string]>([
    ["navigation", { eval_set: "kitchen" }, 'Use one of these. The default is "base".'],
    ["navigation", { eval_set: "common_sens" }, 'Did you mean "common_sense"?'],
    ["navigation", { eval_set: "common" }, 'Did you mean "common_sense"?'],
    ["svg", { icons: "kitchen" }, 'Use one of these. The default is "shapes".'],
  ])("%s with %j", (name, config, hint) => {
    const { problems } = inspectRunConfig({ env: { name, config } });
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toContain("it must be one of ");
    expect(problems[0]!.hint).toBe(hint);
  });

  test("an estimator", () => {
    const { problems } = inspectRunConfig({ algorithm: { adv_estimator: "kitchen" } });
    expect(problems.map(({ hint }) => hint)).toEqual(['Use one of these. The default is "bi_level_gae".']);
  });
});

describe("a validation set", () => {
  const problemsOf = (set: object) => inspectRunConfig({ trainer: { val_sets: { more: set } } }).problems;

  test("has seeds and options, and no other setting", () => {
    expect(problemsOf({ seeds: "7", bar: 3 })).toMatchObject([
      { path: "trainer.val_sets.more.bar", hint: "Known are: seeds, config, env, max_turns." },
    ]);
    expect(problemsOf({ seds: "7", seeds: "7" })).toMatchObject([{ hint: 'Did you mean "seeds"?' }]);
  });

  test("plays an environment of the run, with as many turns as its policy can count", () => {
    const found = (set: object) =>
      inspectRunConfig({
        envs: { boxes: { name: "sokoban", max_turns: 7 } },
        trainer: { val_sets: { more: { seeds: "7", ...set } } },
      }).problems.map(({ message, hint }) => `${message} ${hint}`);
    expect(found({ env: "boxes", max_turns: 7 })).toEqual([]);
    expect(found({ env: "frozenlake" })).toEqual([]);
    expect(found({ env: "sokoban" })).toEqual([
      expect.stringMatching(
        /^trainer.val_sets.more.env is "sokoban"; .* Use frozenlake or boxes, or leave it out/,
      ),
    ]);
    expect(found({ max_turns: 8 })).toEqual([
      expect.stringMatching(/more.max_turns is 8; .* 7 turns.* Use at most 7/),
    ]);
  });

  test("has turns as the run's setting accepts them", () => {
    const [found] = problemsOf({ seeds: "7", max_turns: 99 });
    expect(found!.hint).toBe("Use a whole number from 1 to 20, or leave it out.");
  });

  test("without seeds has an example for a remedy", () => {
    expect(problemsOf({})).toMatchObject([
      {
        message: "trainer.val_sets.more.seeds is missing; it must be a string.",
        hint: 'Write sets by name, e.g. "trainer: { val_sets: { steps: { seeds: 20000-20063 } } }".',
      },
    ]);
  });
});

describe("a representation of states that an environment does not have", () => {
  test.each<[string, string, string]>([
    ["navigation", "symbolic", 'Use "natural".'],
    ["navigation", "relations", 'Use "natural".'],
    ["spatial-gym", "symbolic", 'Use "natural".'],
    ["svg", "relations", 'Use "natural".'],
    ["primitive-skill", "symbolic", 'Use "natural" or "structured".'],
    ["primitive-skill", "relations", 'Use "natural" or "structured".'],
  ])("%s refuses %s alone, and names those that it has", (name, state_format, hint) => {
    const { problems } = inspectRunConfig({ env: { name }, rollout: { state_format } });
    expect(problems.map(({ path, hint }) => [path, hint])).toEqual([["rollout.state_format", hint]]);
  });
});

describe("a problem with a nearest value that fits says it", () => {
  const areal = (more: object) => ({
    env: { name: "visual-math" },
    rollout: { workflow: "areal", prompt_format: "boxed", use_multi_turn_reward: false, ...more },
    reward: { scale_by_turns: false },
  });
  test.each<[object, string, unknown]>([
    [
      { rollout: { train_batch_size: 4 }, actor: { ppo_mini_batch_size: 32 } },
      "actor.ppo_mini_batch_size",
      4,
    ],
    // Rows are counted where they are samples: 12 episodes have 36 of them at most.
    [
      {
        ...areal({ train_batch_size: 12, max_turns: 3, export_style: "individual" }),
        actor: { ppo_mini_batch_size: 37 },
      },
      "actor.ppo_mini_batch_size",
      36,
    ],
    [
      { ...areal({ train_batch_size: 12, max_turns: 3 }), actor: { ppo_mini_batch_size: 36 } },
      "actor.ppo_mini_batch_size",
      12,
    ],
    [{ sft: { total_updates: 3, one_turn_updates: 40 } }, "sft.one_turn_updates", 3],
    [{ rollout: { prompt_format: "no_think" }, sft: { rehearsal_steps: 2 } }, "sft.rehearsal_steps", 0],
    [
      { rollout: { train_batch_size: 12, n_trajectory: 5 }, actor: { ppo_mini_batch_size: 12 } },
      "rollout.n_trajectory",
      4,
    ],
    [
      {
        rollout: { train_batch_size: 6 },
        actor: { ppo_mini_batch_size: 6 },
        algorithm: { adv_estimator: "grpo" },
      },
      "rollout.n_trajectory",
      3,
    ],
    [{ model: { intermediate_size: 100 } }, "model.intermediate_size", 96],
    [{ model: { hidden_size: 64, num_attention_heads: 5 } }, "model.num_attention_heads", 4],
    [
      { model: { hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 3 } },
      "model.num_key_value_heads",
      2,
    ],
    [{ model: { pixel_shuffle: 3 } }, "model.pixel_shuffle", 1],
    [{ rollout: { temperature: 0 } }, "rollout.temperature", 1],
    [{ rollout: { max_turns: 9, window_size: 2 } }, "rollout.window_size", 8],
    [{ rollout: { prompt_format: "no_think", state_format: "symbolic" } }, "rollout.state_format", "natural"],
    [
      { env: { name: "navigation" }, rollout: { state_format: "structured" } },
      "rollout.state_format",
      "natural",
    ],
    [
      { env: { name: "primitive-skill" }, rollout: { state_format: "symbolic" } },
      "rollout.state_format",
      "natural",
    ],
    [{ env: { name: "navigation" }, reward: { judge_scoring: "vagen" } }, "reward.judge_scoring", "cells"],
    [
      { env: { name: "primitive-skill" }, judge: { name: "recorded", recording: "verdicts.jsonl" } },
      "judge.name",
      "rule",
    ],
    [{ judge: { name: "llm" }, reward: { judge_scoring: "cells" } }, "reward.judge_scoring", "rubric"],
    [{ env: { name: "visual-math" } }, "rollout.prompt_format", "boxed"],
    [{ env: { name: "blackjack" } }, "rollout.prompt_format", "free_think"],
    [
      { env: { name: "visual-math" }, rollout: { prompt_format: "boxed" }, judge: { name: "llm" } },
      "judge.name",
      "off",
    ],
    [{ rollout: { feedback: "no" } }, "rollout.feedback", "wrong, try again"],
    [areal({ feedback: " " }), "rollout.feedback", "wrong, try again"],
    [{ ...areal({}), trainer: { harness: "no_concat" } }, "trainer.harness", "concat"],
    [{ algorithm: { overlong_penalty_factor: 2 } }, "algorithm.overlong_penalty_factor", 1],
    [{ algorithm: { reward_bias: 1 } }, "rollout.use_multi_turn_reward", false],
    [
      { algorithm: { adv_norm_std_level: "none", whiten_advantages: false } },
      "algorithm.whiten_advantages",
      true,
    ],
    [{ rollout: { use_loss_mask: false }, actor: { loss_mode: "gspo" } }, "actor.loss_mode", "vanilla"],
    [{ trainer: { micro_batch_tokens: 256 } }, "trainer.micro_batch_tokens", 380],
    [{ actor: { lr: -1 } }, "actor.lr", 1e-8],
    [{ rollout: { max_turns: 1000 } }, "rollout.max_turns", 20],
    [world("primitive-skill", { resolution: 300 }), "env.config.resolution", 304],
    [world("navigation", { resolution: 255 }), "env.config.resolution", 256],
    [world("navigation", { step_length: 0.27 }), "env.config.step_length", 0.3],
  ])("%j", (input, path, value) => {
    const { problems } = inspectRunConfig(input);
    const problem = problems.find(({ fix }) => fix?.path === path);
    expect(problem?.fix).toEqual({ path, value });
    const after = inspectRunConfig(setPath(input, path, value)).problems;
    expect(after.map((left) => left.path)).not.toContain(problem!.path);
  });

  test("the command line prints the change", () => {
    const { problems } = inspectRunConfig({ sft: { total_updates: 3, one_turn_updates: 40 } });
    expect(configError(problems).hint).toBe(
      "Use at most 3, or raise sft.total_updates. (The nearest that fits: sft.one_turn_updates=3)",
    );
  });

  test("no value is proposed that its setting would refuse", () => {
    const { problems } = inspectRunConfig({ rollout: { train_batch_size: 67, n_trajectory: 60 } });
    expect(problems).toEqual([expect.objectContaining({ path: "rollout.n_trajectory" })]);
    expect(problems[0]).not.toHaveProperty("fix");
  });
});

describe("an observation of two pictures", () => {
  /** What is wrong with a run that draws icons, with the icon beside each drawing or without it. */
  const problemsOf = (show_target: boolean, trainer: object, rollout: object = {}) =>
    inspectRunConfig({
      env: { name: "svg", config: { resolution: 64, show_target } },
      rollout: { max_turns: 6, response_length: 48, ...rollout },
      model: { pixel_shuffle: 2 },
      trainer,
    }).problems;
  // A picture of 64 × 64 pixels has 8 × 8 patches, of which pixel_shuffle makes 16 tokens. A turn has 4 words besides.
  // Six turns, because the setting itself must be at least 256.
  const one = 6 * (16 + 48 + 4);
  const two = 6 * (2 * 16 + 48 + 4);

  test.each([
    [false, one],
    [true, two],
  ])("counts twice in a micro-batch (show_target %s)", (show_target, tokens) => {
    const [found, ...others] = problemsOf(show_target, { micro_batch_tokens: tokens - 1 });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      path: "trainer.micro_batch_tokens",
      expected: expect.stringContaining(`about ${tokens} tokens`),
      fix: { path: "trainer.micro_batch_tokens", value: tokens },
    });
    expect(problemsOf(show_target, { micro_batch_tokens: tokens })).toEqual([]);
  });

  test.each([
    [false, 3 + 16 + 4],
    [true, 3 + 2 * 16 + 4],
  ])("counts twice in the first prompt of a conversation (show_target %s)", (show_target, prompt) => {
    const compact = (budget: number) =>
      problemsOf(show_target, { harness: "compact", compact_budget: budget, micro_batch_tokens: 4096 });
    expect(compact(prompt)).toMatchObject([
      { path: "trainer.compact_budget", expected: expect.stringContaining(`about ${prompt} tokens`) },
    ]);
    expect(compact(prompt + 2)).toEqual([]);
  });

  test("counts twice in the room of a conversation", () => {
    const least = (show_target: boolean) => {
      const trainer = { harness: "compact", compact_budget: 0, compact_summary_budget: 20 };
      const [found] = problemsOf(show_target, trainer, { max_episode_tokens: 40 });
      expect(found?.path).toBe("rollout.max_episode_tokens");
      const value = Number(found?.fix?.value);
      expect(problemsOf(show_target, trainer, { max_episode_tokens: value })).toEqual([]);
      expect(problemsOf(show_target, trainer, { max_episode_tokens: value - 1 })).not.toEqual([]);
      return value;
    };
    expect(least(true) - least(false)).toBeGreaterThanOrEqual(16);
  });
});

test("the homes of three tasks may begin facing anywhere", () => {
  const facing = (value?: unknown) => {
    const { config } = getPreset("three-tasks-small");
    const path = "envs.navigation.config.facing";
    return inspect(value === undefined ? config : setPath(config, path, value));
  };
  expect(entryConfig(facing().config!, "navigation").env.config.facing).toBe(true);
  expect(entryConfig(facing(false).config!, "navigation").env.config.facing).toBe(false);
  expect(facing("maybe").problems[0]?.path).toBe("envs.navigation.config.facing");
});
