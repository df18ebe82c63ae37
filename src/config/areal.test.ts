// Configurations of AReaL's workflow: rows 11 and 12 of its bug-to-invariant table, and what it does not go with.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replaceExtensions } from "../extension/index.ts";
import { checkedRunConfig, inspectRunConfig } from "./check.ts";
import { feedbackOf } from "./feedback.ts";
import { presets } from "./presets.ts";
import { replyWords } from "./reply-words.ts";
import { problemText } from "./rules/problem.ts";

type Input = Record<string, Record<string, unknown>>;
const problems = (input: Input) =>
  inspectRunConfig(input).problems.map((problem) => ({ ...problem, ...problemText(problem) }));

describe("configurations of the areal workflow", () => {
  it("row 11: a misspelt key is refused with the one that was meant", () => {
    expect(problems({ rollout: { export_stile: "concat" } })[0]).toMatchObject({
      path: "rollout.export_stile",
      hint: expect.stringContaining("export_style"),
    });
    expect(problems({ actor: { behave_imp_weight_cap: 5 } })[0]!.hint).toContain("behav_imp_weight_cap");
  });

  it("row 11: every preset file of the project is a sound configuration", () => {
    const files = readdirSync("public/presets").filter((name) => name.endsWith(".yaml"));
    expect(files.length).toBe(presets.all.length);
    for (const { config } of presets.all) expect(problems(config as unknown as Input)).toEqual([]);
    for (const file of files) expect(readFileSync(`public/presets/${file}`, "utf8")).toContain("version: 1");
  });

  it.each([
    ["reward_norm_mean_level", { rollout: { use_multi_turn_reward: false } }],
    ["reward_norm_std_level", { rollout: { use_multi_turn_reward: false } }],
    ["adv_norm_mean_level", {}],
    ["adv_norm_std_level", {}],
  ])("row 12: %s of a group needs at least 2 episodes in it", (name, input: Input) => {
    const grouped = (size: number) =>
      problems({
        rollout: { ...input.rollout, n_trajectory: size },
        algorithm: { adv_estimator: "reinforce_plus_plus", [name]: "group" },
      });
    expect(grouped(1)).toEqual([
      expect.objectContaining({
        path: "rollout.n_trajectory",
        value: 1,
        hint: expect.stringContaining("4 or 8"),
      }),
    ]);
    expect(grouped(2)).toEqual([]);
  });

  it.each(["reward_norm_mean_level", "reward_bias", "reward_scaling", "reward_clip", "overlong_tokens"])(
    "row 13: %s is refused where every turn has a reward of its own",
    (name) => {
      const algorithm = { [name]: name.endsWith("level") ? "batch" : 2 };
      expect(problems({ algorithm })).toEqual([
        expect.objectContaining({
          path: `algorithm.${name}`,
          hint: expect.stringContaining("use_multi_turn_reward"),
        }),
      ]);
      expect(problems({ algorithm, rollout: { use_multi_turn_reward: false } })).toEqual([]);
    },
  );

  it("row 13: levels of whitening are refused where nothing is whitened, or no mean is subtracted", () => {
    const path = (algorithm: Record<string, unknown>) =>
      problems({ algorithm }).map((problem) => problem.path);
    expect(path({ adv_norm_std_level: "none", whiten_advantages: false })).toEqual([
      "algorithm.adv_norm_std_level",
    ]);
    expect(path({ adv_norm_mean_level: "none", adv_norm_mean_leave1out: true })).toEqual([
      "algorithm.adv_norm_mean_leave1out",
    ]);
    expect(path({ reward_norm_mean_leave1out: true })).toEqual(["algorithm.reward_norm_mean_leave1out"]);
    expect(path({ adv_norm_mean_leave1out: true })).toEqual([]);
    const grpo = { adv_estimator: "grpo", adv_norm_std_level: "none" };
    const found = problems({ rollout: { n_trajectory: 2 }, algorithm: grpo });
    expect(found.map((problem) => problem.path)).toEqual(["algorithm.adv_norm_std_level"]);
  });

  it("refuses a penalty for overlong tokens that are none", () => {
    const found = problems({
      rollout: { use_multi_turn_reward: false },
      algorithm: { overlong_penalty_factor: 2 },
    });
    expect(found).toEqual([expect.objectContaining({ path: "algorithm.overlong_penalty_factor", value: 2 })]);
    const priced = { overlong_penalty_factor: 2, overlong_tokens: 10 };
    expect(problems({ rollout: { use_multi_turn_reward: false }, algorithm: priced })).toEqual([]);
  });

  it("judges an extension's estimator by its properties, not by its id", () => {
    const estimate = () => null;
    replaceExtensions([
      {
        name: "mine",
        factory: ({ estimator }: { estimator: (own: unknown) => void }) => {
          estimator({ id: "normalised", whitenOver: "none", estimate });
          estimator({ id: "compared", comparesGroups: true, estimate });
          estimator({ id: "everywhere", usesEveryToken: true, estimate });
        },
      },
    ]);
    const levels = (adv_estimator: string) =>
      problems({
        rollout: { n_trajectory: 2 },
        algorithm: { adv_estimator, adv_norm_std_level: "none" },
      }).map(({ path }) => path);
    expect(levels("normalised")).toEqual(["algorithm.adv_norm_std_level"]);
    expect(levels("compared")).toEqual([]);
    const rows = (adv_estimator: string) =>
      problems({ trainer: { harness: "no_concat" }, algorithm: { adv_estimator } });
    expect(rows("everywhere")).toEqual([
      expect.objectContaining({ path: "algorithm.adv_estimator", value: "everywhere" }),
    ]);
    expect(rows("normalised")).toEqual([]);
    replaceExtensions([]);
  });

  it("is accepted for questions about pictures, refused for text", () => {
    const base = {
      rollout: { workflow: "areal", prompt_format: "boxed" },
      reward: { scale_by_turns: false },
      judge: { name: "off" },
    };
    const asked = (config: object) => problems({ ...base, env: { name: "visual-math", config } });
    expect(asked({})).toEqual([]);
    expect(asked({ render_mode: "text" })).toEqual([
      expect.objectContaining({ path: "rollout.workflow", hint: expect.stringContaining("render_mode") }),
    ]);
  });

  it("is refused for games, whose state an answer changes", () => {
    const reward = { scale_by_turns: false };
    const found = problems({ rollout: { workflow: "areal" }, reward });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ path: "rollout.workflow", value: "areal" });
    expect(found[0]!.message).toContain('"frozenlake" is a game');
    expect(found[0]!.hint).toContain('Use "vagen"');
  });

  it.each([
    ["reward.scale_by_turns", {}, true],
    ["trainer.harness", { trainer: { harness: "no_concat" } }, "no_concat"],
    ["rollout.feedback", { rollout: { workflow: "areal", feedback: "no<eos>" } }, "no<eos>"],
    ["rollout.feedback", { rollout: { workflow: "areal", feedback: " " } }, " "],
    [
      "rollout.use_gae_mask",
      { rollout: { workflow: "areal", export_style: "individual", use_gae_mask: false } },
      false,
    ],
  ])("says that %s does not go with it", (path, input: Input, value) => {
    const found = problems({ rollout: { workflow: "areal" }, ...input });
    expect(found.filter((problem) => problem.path === path)).toEqual([
      expect.objectContaining({ value, hint: expect.stringMatching(/\S/) }),
    ]);
  });

  it.each([
    ["reward.action_cost", 0.1, { reward: { action_cost: 0.1 } }, "Use at most 0,"],
    ["reward.turn_cost", 0.1, { reward: { turn_cost: 0.1 } }, "Use at most 0,"],
    ["env.config.format_reward", 0, { config: { format_reward: 0 } }, "Use at least 0.1,"],
    ["env.config.format_reward", 0.1, { config: { success_reward: 0.5 } }, "Use at least 0.5,"],
    [
      "env.config.format_reward",
      0,
      { config: { format_reward: 0 }, reward: { action_cost: 0.1 } },
      "Use at least 0.2,",
    ],
  ])("refuses %s %d, with which no answer would end an episode", (path, value, changes: Input, remedy) => {
    const { config, reward } = changes as { config?: object; reward?: object };
    const found = problems({
      env: { name: "visual-math", config: config ?? {} },
      rollout: { workflow: "areal", prompt_format: "boxed" },
      reward: { scale_by_turns: false, ...reward },
      judge: { name: "off" },
    });
    expect(found).toEqual([expect.objectContaining({ path, value, hint: expect.stringContaining(remedy) })]);
    expect(found[0]!.message).toContain('says "wrong, try again" to everything below 1');
  });

  const question = (config: object, reward: object = {}) =>
    problems({
      env: { name: "visual-math", config },
      rollout: { workflow: "areal", prompt_format: "boxed" },
      reward: { scale_by_turns: false, ...reward },
      judge: { name: "off" },
    });

  it.each([
    [{ format_reward: 1 }, 1, 0.1, "for example 0.1"],
    [{ format_reward: 1.2, success_reward: 0.5 }, 1.2, 0.5, "for example 0.5"],
    [{ format_reward: 3, success_reward: 4 }, 3, 0.1, "for example 0.1"],
    [{ format_reward: 1.2, success_reward: 0 }, 1.2, undefined, "success_reward that adds up to 1"],
  ])(
    "row 6: refuses %j, with which the form alone would end an episode",
    (config, value, nearest, remedy) => {
      const [found, ...others] = question(config);
      expect(others).toEqual([]);
      expect(found).toMatchObject({
        path: "env.config.format_reward",
        value,
        message: expect.stringContaining("a wrong answer in the right form earns as much"),
        hint: expect.stringContaining(remedy),
      });
      expect(found!.fix?.value).toBe(nearest);
      if (found!.fix) expect(question({ ...config, format_reward: found!.fix.value })).toEqual([]);
    },
  );

  it("row 6: asks for more success where no form that stays below 1 would do", () => {
    const [found, ...others] = question({ success_reward: 0 }, { action_cost: 0.1 });
    expect(others).toEqual([]);
    expect(found).toMatchObject({ path: "env.config.success_reward", value: 0, hint: "Use at least 1." });
    expect(question({ success_reward: found!.fix!.value }, { action_cost: 0.1 })).toEqual([]);
  });

  it("lets an action cost what success pays above 1", () => {
    const found = problems({
      env: { name: "visual-math", config: { success_reward: 1 } },
      rollout: { workflow: "areal", prompt_format: "boxed" },
      reward: { scale_by_turns: false, action_cost: 0.1 },
      judge: { name: "off" },
    });
    expect(found).toEqual([]);
  });

  it("keeps its export styles to itself, and its numbers in range", () => {
    expect(problems({ rollout: { export_style: "individual" } })[0]).toMatchObject({
      path: "rollout.export_style",
      hint: expect.stringContaining("trainer.harness"),
    });
    for (const [name, value] of [
      ["turn_discount", 0.9],
      ["feedback", "no"],
    ] as const)
      expect(problems({ rollout: { [name]: value } })).toEqual([
        expect.objectContaining({ path: `rollout.${name}`, value, hint: expect.stringContaining('"areal"') }),
      ]);
    expect(problems({ rollout: { turn_discount: 0 } })[0]!.path).toBe("rollout.turn_discount");
    expect(problems({ rollout: { turn_discount: 1.1 } })[0]!.path).toBe("rollout.turn_discount");
  });
});

it("the feedback can be AReaL's own sentence, as one token", () => {
  const config = checkedRunConfig({
    env: { name: "visual-math" },
    rollout: { workflow: "areal", prompt_format: "boxed", feedback_text: "areal" },
    reward: { scale_by_turns: false, use_state_reward: false },
    judge: { name: "off" },
  });
  expect(feedbackOf(config)).toMatch(/^Your answer is either wrong or not parsable/);
  expect(replyWords(config).feedback).toEqual([feedbackOf(config)]);
  const own = { ...config, rollout: { ...config.rollout, feedback_text: "own" as const } };
  expect(replyWords(own).feedback).toEqual(["wrong, try again"]);
});
