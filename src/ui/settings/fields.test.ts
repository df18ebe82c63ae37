import { describe, expect, it } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import { presets } from "../../config/presets.ts";
import { idlePaths } from "../../config/rules/idle.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { plainText } from "../../core/message.ts";
import { envs } from "../../envs/index.ts";
import {
  fieldsFor,
  fieldText,
  isUnusual,
  readField,
  sectionsFor,
  sliderPosition,
  sliderValue,
} from "./fields.ts";
import { idleReason, withReasons } from "./idle.ts";
import { besideField } from "./words.ts";

const fields = fieldsFor("frozenlake");
const field = (path: string) => fields.find((known) => known.path === path)!;
const config = inspectRunConfig({}).config!;

describe("the form", () => {
  it.each(envs.ids)("has a field for every option of %s", (envId) => {
    const spec = envs.get(envId);
    const paths = fieldsFor(envId).map((known) => known.path);
    for (const key of Object.keys(spec.config.parse({}) as object))
      expect(paths).toContain(`env.config.${key}`);
  });
  it.each(envs.ids)("offers presets of %s, all of which are accepted", (name) => {
    const { options = [] } = fieldsFor(name).find(({ path }) => path === "env.preset")!;
    expect(options).toEqual(["none", ...Object.keys(envs.get(name).presets)]);
    const talk =
      envs.get(name).claims.length > 0
        ? {}
        : { rollout: { prompt_format: "boxed" as const }, judge: { name: "off" as const } };
    for (const preset of options)
      expect(inspectRunConfig({ env: { name, preset }, ...talk }).problems).toEqual([]);
  });
  it("shows a dozen or so fields in the basic view, all of them on request", () => {
    const count = (all: boolean) =>
      sectionsFor(fields, { all, search: "", only: null }).reduce((sum, s) => sum + s.fields.length, 0);
    expect(count(false)).toBeGreaterThanOrEqual(8);
    expect(count(false)).toBeLessThanOrEqual(18);
    expect(count(true)).toBe(fields.length);
  });
  it("finds a parameter by the name of its letter and by its choices", () => {
    const paths = (search: string) =>
      sectionsFor(fields, { all: false, search, only: null }).flatMap((found) =>
        found.fields.map(({ path }) => path),
      );
    expect(paths("lambda")).toContain("algorithm.lam");
    expect(paths("bi-level")).toContain("algorithm.adv_estimator");
    expect(paths("drawn board")).toContain("rollout.state_format");
  });
  it("finds fields by any words of title, path or help, also those that are not basic", () => {
    const found = sectionsFor(fields, { all: false, search: "vf_coef value", only: null });
    expect(found.flatMap((s) => s.fields.map((f) => f.path))).toContain("critic.vf_coef");
  });
  it("shows only what was changed on request", () => {
    const found = sectionsFor(fields, { all: false, search: "", only: new Set(["critic.lr"]) });
    expect(found).toEqual([expect.objectContaining({ id: "critic", fields: [field("critic.lr")] })]);
  });
  it("calls no preset's length of SFT unusual", () => {
    for (const { id, config: preset } of presets.all)
      expect(isUnusual(field("sft.total_updates"), preset.sft.total_updates), id).toBe(false);
  });
  it("calls no PPO at all usual, and too few updates unusual", () => {
    const updates = field("trainer.total_updates");
    expect([0, 2, 80].map((value) => isUnusual(updates, value))).toEqual([false, true, false]);
  });
  it("explains every field", () => {
    for (const known of fields) expect(plainText(known.help).length, known.path).toBeGreaterThan(5);
  });
});

describe("values and their text", () => {
  it("reads what it writes", () => {
    for (const known of fields) {
      if (known.type === "boolean" || known.default === undefined) continue;
      const text = fieldText(known.default);
      expect(readField(known, text)?.value, known.path).toEqual(known.default);
    }
  });
  it("reads 1e-5, refuses words", () => {
    expect(readField(field("actor.lr"), "1e-5")).toEqual({ value: 1e-5 });
    expect(readField(field("actor.lr"), "fast")).toBeNull();
  });
  it("refuses 1,000, which may be 1, and reads the studio's own 10 000", () => {
    expect(readField(field("trainer.total_updates"), "1,000")).toBeNull();
    expect(readField(field("trainer.total_updates"), "10 000")).toEqual({ value: 10_000 });
  });
  it.each([
    ["sokoban", "env.config.min_solution_steps", "1,5", [1, 5]],
    ["sokoban", "env.config.min_solution_steps", " [1, 5] ", [1, 5]],
    ["sokoban", "env.config.min_solution_steps", "", null],
    ["sokoban", "env.config.min_solution_steps", "null", null],
    ["frozenlake", "env.config.desc", "SF, FG", ["SF", "FG"]],
    ["frozenlake", "env.config.desc", '["SF", "FG"]', ["SF", "FG"]],
  ])("reads lists as the form and as a file writes them: %s %s %s", (env, path, text, value) => {
    expect(readField(fieldsFor(env).find((known) => known.path === path)!, text)).toEqual({ value });
  });
});

describe("sliders", () => {
  it("are logarithmic for rates", () => {
    const lr = field("actor.lr");
    expect(sliderPosition(lr, lr.slider![0])).toBe(0);
    expect(sliderPosition(lr, lr.slider![1])).toBe(1);
    const middle = sliderValue(lr, 0.5);
    expect(middle).toBeCloseTo(Math.sqrt(lr.slider![0] * lr.slider![1]), 5);
  });
  it("land on whole numbers for counts and round decimals otherwise", () => {
    expect(sliderValue(field("rollout.max_turns"), 0.31)).toBe(4);
    expect(sliderValue(field("algorithm.gamma"), 0.731)).toBeCloseTo(0.946, 3);
  });
  it("stay at their ends for values outside, which are marked as unusual", () => {
    const turns = field("rollout.max_turns");
    expect(sliderPosition(turns, 99)).toBe(1);
    expect([isUnusual(turns, 20), isUnusual(turns, 5)]).toEqual([true, false]);
  });
});

describe("problems and pending changes", () => {
  it("say beside the field only what is expected", () => {
    const { problems } = inspectRunConfig({ actor: { lr: -1 } });
    expect(besideField(problems[0]!)).toBe("It must be a number from 1e-8 to 0.1.");
  });
  it("say what to type into a form, not into a file", () => {
    const given = { env: { name: "sokoban", config: { min_solution_steps: ["a", "b"] } } };
    const [problem] = inspectRunConfig(given).problems;
    expect(besideField(problem!)).toBe(
      "It must be a list of two whole numbers of at least 0, e.g. 1, 5, or empty.",
    );
  });
  it("name fields that have no effect, with the reason", () => {
    const masked = { ...config, algorithm: { ...config.algorithm, adv_estimator: "masked_gae" as const } };
    expect(idleReason("algorithm.high_level_gamma", masked)).toContain("Bi-Level");
    expect(idleReason("algorithm.high_level_gamma", config)).toBe("");
    expect(idleReason("actor.lr", config)).toBe("");
  });

  it("says which claims a reply format does not have, and which penalties an estimator never reads", () => {
    const reason = (path: string, changes: object) => idleReason(path, inspectRunConfig(changes).config!);
    const grounding = { rollout: { prompt_format: "grounding" as const } };
    expect(reason("reward.worldmodeling_reward_weight", grounding)).toBe("“Grounding” has no prediction.");
    expect(reason("reward.grounding_reward_weight", grounding)).toBe("");
    expect(reason("reward.grounding_reward_weight", { judge: { name: "off" } })).toBe("“Judge” is “Off”.");
    const everywhere = { use_kl_in_reward: true, kl_in_reward_tokens: "all" } as const;
    const penalty = (adv_estimator: string) => {
      const algorithm = { ...config.algorithm, ...everywhere, adv_estimator };
      return idleReason("algorithm.kl_in_reward_tokens", { ...config, algorithm });
    };
    expect(penalty("masked_gae")).toContain("Used only by ");
    expect(penalty("grpo")).toBe("");
  });

  it("names each setting in one line, so that the order of the lines does not matter", () => {
    const paths = idlePaths();
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(field(path), path).toBeDefined();
  });

  it("begins the common reason of many as a sentence about them", () => {
    const many = ["turn_discount", "feedback", "export_style"].map((name) => field(`rollout.${name}`));
    expect(withReasons(many, config)[0]?.note).toBe(
      "The next 3 have no effect now. They are used only if “Workflow” is “Question with retries (AReaL)”.",
    );
  });

  it("gives a reason that many share once, above them", () => {
    const warmed = { ...config, trainer: { ...config.trainer, init_checkpoint: "frozenlake-nano-warmup" } };
    const rows = withReasons(
      fields.filter((known) => known.section === "sft"),
      warmed,
    );
    expect(rows.map(({ note }) => note).filter(Boolean)).toEqual([
      `The next ${rows.length - 3} have no effect now. A run that starts from a checkpoint has no SFT unless “SFT after a checkpoint” is on.`,
    ]);
    expect(rows.map(({ isNoted }) => isNoted)).toEqual(
      rows.map(({ field: { path } }) => !/rehearsal_(steps|lr)|after_checkpoint$/.test(path)),
    );
    expect(idleReason("sft.rehearsal_lr", warmed)).toBe("“Rehearsal steps” is 0.");
    // Rehearsal plays demonstrations without SFT.
    const rehearsing = (total_updates: number) =>
      idleReason("sft.train_batch_size", {
        ...warmed,
        sft: { ...warmed.sft, rehearsal_steps: 2 },
        trainer: { ...warmed.trainer, total_updates },
      });
    expect(rehearsing(10)).toBe("");
    expect(rehearsing(0)).toContain("has no SFT");
    // One or two say it themselves.
    const filter = withReasons([field("algorithm.filter_topk"), field("algorithm.filter_top_p")], config);
    expect(filter.map(({ isNoted, idle }) => [isNoted, idle !== ""])).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it.each([
    ["grpo", ["gamma", "lam", "bootstrap_truncated", "whiten_advantages"]],
    ["rloo", ["gamma", "lam", "bootstrap_truncated", "whiten_advantages", "norm_adv_by_std_in_grpo"]],
    ["reinforce_plus_plus", ["lam", "bootstrap_truncated", "norm_adv_by_std_in_grpo"]],
    ["remax", ["gamma", "lam", "bootstrap_truncated", "whiten_advantages", "norm_adv_by_std_in_grpo"]],
    ["trajectory_grpo", ["gamma", "lam", "bootstrap_truncated", "whiten_advantages"]],
    ["bi_level_gae_variable_clock", ["gamma", "lam", "norm_adv_by_std_in_grpo"]],
    ["turn_wise_gae", ["gamma", "norm_adv_by_std_in_grpo"]],
    ["bi_level_gae", ["norm_adv_by_std_in_grpo"]],
    ["masked_gae", ["norm_adv_by_std_in_grpo"]],
  ])("says what %s does not read: %j", (adv_estimator, expected) => {
    const draft = { ...config, algorithm: { ...config.algorithm, adv_estimator } };
    const paths = [
      "gamma",
      "lam",
      "bootstrap_truncated",
      "whiten_advantages",
      "norm_adv_by_std_in_grpo",
    ].filter((name) => idleReason(`algorithm.${name}`, draft) !== "");
    expect(paths).toEqual(expected);
    const withoutCritic = ["grpo", "rloo", "reinforce_plus_plus", "remax", "trajectory_grpo"].includes(
      adv_estimator,
    );
    for (const path of ["model.critic", "sft.vf_coef", "critic.lr", "critic.vf_coef", "critic.detach_trunk"])
      expect(idleReason(path, draft), path).toBe(withoutCritic ? "This estimator has no critic." : "");
  });

  it("knows what else is of no effect beside another setting", () => {
    const separate = { ...config, model: { ...config.model, critic: "separate" as const } };
    for (const path of ["critic.detach_trunk", "critic.trunk_grad_scale"])
      expect(idleReason(path, separate), path).toContain("its own backbone");
    expect(idleReason("critic.trunk_grad_scale", config)).toContain(
      "is on, so no gradient enters the backbone",
    );
    const attached = { ...config, critic: { ...config.critic, detach_trunk: false } };
    expect(idleReason("critic.trunk_grad_scale", attached)).toBe("");
    const algorithm = { ...config.algorithm, adv_estimator: "turn_wise_gae", use_high_level_lam: true };
    expect(idleReason("algorithm.lam", { ...config, algorithm })).toContain("their own λ");
    expect(idleReason("reward.top_strings_k", config)).toContain("is 0 and");
    const reward = { ...config.reward, repetition_penalty: 0.1 };
    expect(idleReason("reward.top_strings_k", { ...config, reward })).toBe("");
    expect(idleReason("judge.name", config)).toBe("");
    expect(idleReason("judge.temperature", config)).toContain("Language model");
  });

  it("knows when episodes are scored again whatever the setting says", () => {
    const scoring = (changes: Partial<RunConfig>) =>
      idleReason("actor.recompute_logprob", { ...config, ...changes });
    expect(scoring({})).toBe("");
    expect(scoring({ rollout: { ...config.rollout, use_loss_mask: false } })).toContain("did not sample");
    const everywhere = { use_kl_in_reward: true, kl_in_reward_tokens: "all" } as const;
    expect(scoring({ algorithm: { ...config.algorithm, ...everywhere } })).toContain("did not sample");
    expect(scoring({ model: { ...config.model, critic: "separate" } })).toContain("separate critic");
    const withoutValues = { ...config.algorithm, adv_estimator: "grpo" } as const;
    expect(scoring({ model: { ...config.model, critic: "separate" }, algorithm: withoutValues })).toBe("");
  });

  it("says which parameters wait for a workflow, an estimator or a count", () => {
    const idle = (path: string) => idleReason(path, config);
    for (const name of ["turn_discount", "feedback", "export_style"])
      expect(idle(`rollout.${name}`)).toBe("Used only if “Workflow” is “Question with retries (AReaL)”.");
    expect(idle("algorithm.overlong_penalty_factor")).toContain("is 0");
    for (const name of ["high_level_lam", "use_high_level_lam", "turn_value_anchor"]) {
      const masked = { ...config, algorithm: { ...config.algorithm, adv_estimator: "masked_gae" } };
      expect(idleReason(`algorithm.${name}`, masked)).toBe("Used only by “Bi-Level GAE”, “Turn-wise GAE”.");
    }
    expect(idle("algorithm.high_level_lam")).toBe("“Own λ for turns” is off.");
    const own = { ...config.algorithm, overlong_tokens: 5, use_high_level_lam: true };
    const turnWise = {
      ...config,
      rollout: { ...config.rollout, workflow: "areal" as const },
      algorithm: { ...own, adv_estimator: "turn_wise_gae" },
    };
    for (const path of [
      "rollout.turn_discount",
      "rollout.feedback",
      "rollout.export_style",
      "algorithm.overlong_penalty_factor",
      "algorithm.high_level_lam",
      "algorithm.use_high_level_lam",
      "algorithm.turn_value_anchor",
    ])
      expect(idleReason(path, turnWise)).toBe("");
  });
});
