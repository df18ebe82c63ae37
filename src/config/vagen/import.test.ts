import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SokobanConfig } from "../../envs/sokoban/config.ts";
import { levelOf } from "../../envs/sokoban/level-source.ts";
import { checkedRunConfig } from "../check.ts";
import type { RunConfig } from "../run-config.ts";
import { formatRunConfig } from "../yaml.ts";
import { exportVagen } from "./export.ts";
import { type Finding, ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { isVagenConfig } from "./parse/file.ts";

const example = (name: string) => ({
  name,
  text: readFileSync(join(import.meta.dirname, "testing/examples", name), "utf8"),
});
const yaml = (text: string, name = "trainer.yaml") => ({ name, text });
/** A value that names another key. */
const reference = (key: string) => ["$", "{", key, "}"].join("");
const set = (...overrides: string[]) => importVagen([], { overrides });
const byKey = (findings: readonly Finding[], key: string) => findings.find((finding) => finding.key === key);

describe("a legacy script and its dataset", () => {
  const { config, findings, generation } = importVagen([
    example("legacy-script.sh"),
    example("legacy-dataset.yaml"),
  ]);

  test("is recognised as legacy", () => expect(generation).toBe("legacy"));

  test("gives a configuration with the script's values", () => {
    expect(config.name).toBe("the lake");
    expect(config.rollout).toMatchObject({
      train_batch_size: 128,
      n_trajectory: 8,
      max_turns: 3,
      response_length: 200,
      temperature: 0.7,
      top_p: 0.95,
      prompt_format: "grounding_worldmodeling",
    });
    expect(config.algorithm).toMatchObject({ adv_estimator: "masked_gae", high_level_gamma: 1 });
    expect(config.actor).toMatchObject({ lr: 1e-6, ppo_mini_batch_size: 32, kl_loss_type: "k2" });
    expect(config.trainer).toMatchObject({ total_updates: 300, test_freq: 20, save_freq: 150, val_size: 64 });
    expect(config.reward).toMatchObject({ use_state_reward: true, grounding_reward_weight: 0.5 });
  });

  test("takes VAGEN's defaults where the method depends on them", () => {
    expect(config.algorithm).toMatchObject({ use_kl_in_reward: true, kl_coef: 0.001 });
    expect(config.actor).toMatchObject({ use_kl_loss: false, entropy_coeff: 0.001 });
    // Micro-batches of one sequence, which the script sets for the actor and leaves to the default for the critic.
    expect(config.actor.loss_agg_mode).toBe("seq-mean-token-mean");
    expect(config.critic.loss_agg_mode).toBe("seq-mean-token-mean");
    expect(config.reward.scale_by_turns).toBe(false);
    expect(config.env.config).toMatchObject({
      success_reward: 10,
      format_reward: 0.5,
      max_actions_per_step: 2,
    });
    const assumed = ofKind(findings, "assumed").map(({ path }) => path);
    expect(assumed).toEqual(
      expect.arrayContaining(["algorithm.use_kl_in_reward", "env.config.success_reward"]),
    );
  });

  test("says what differs, what is ignored and why, and that a task is missing", () => {
    expect(byKey(findings, "data.train_batch_size")).toMatchObject({
      path: "rollout.train_batch_size",
      ours: 128,
      remark: "16 levels × 8 episodes for each.",
    });
    expect(byKey(findings, "trainer.n_gpus_per_node")).toMatchObject({ kind: "ignored" });
    expect(byKey(findings, "trainer.logger")).toMatchObject({ value: ["console", "wandb"] });
    expect(byKey(findings, "kitchen.env_name")).toMatchObject({
      kind: "refused",
      remark: expect.stringMatching(/no such environment\..*frozenlake/),
    });
    expect(ofKind(findings, "unknown")).toEqual([]);
  });
});

describe("the legacy judge", () => {
  const dataset = (on: boolean) =>
    yaml(`lake: { env_name: frozenlake, env_config: { use_state_reward: ${on} } }`, "dataset.yaml");
  const service = (on: string) => yaml(`rollout_manager: { use_service: ${on}, max_turns: 3 }`);
  const rewarded = (...files: { name: string; text: string }[]) =>
    importVagen(files).config.reward.use_state_reward;

  test.each([
    ["true", true, true],
    ["true", false, false],
    ["false", true, false],
    ["off", true, false],
  ])("with a server that is %s and an environment that is %s is %s", (server, env, on) => {
    expect(rewarded(service(server), dataset(env))).toBe(on);
    expect(rewarded(dataset(env), service(server))).toBe(on);
  });

  test("reports where the environment needs it and has no server", () => {
    const { findings } = importVagen([service("false"), dataset(true)]);
    expect(byKey(findings, "lake.env_config.use_state_reward")).toMatchObject({
      kind: "applied",
      value: true,
      ours: false,
      remark:
        "The legacy judge is part of the server of environments, and rollout_manager.use_service is off.",
    });
    expect(byKey(findings, "rollout_manager.use_service")).toMatchObject({
      kind: "ignored",
      remark: expect.stringContaining("use_state_reward"),
    });
  });

  test("is off where the trainer's file has no server", () => {
    expect(rewarded(yaml("rollout_manager: { max_turns: 3 }"), dataset(true))).toBe(false);
  });

  test("is as the dataset says where there is no trainer's file", () => {
    expect(rewarded(dataset(true))).toBe(true);
    expect(rewarded(dataset(false))).toBe(false);
  });

  test("needs a server that is on or off", () => {
    const { findings, config } = importVagen([service('"off"'), dataset(true)]);
    const words = 'rollout_manager.use_service is "off"; it must be true or false, without quotes.';
    expect(ofKind(findings, "refused").map(({ remark }) => remark)).toEqual([words, words]);
    expect(config.reward.use_state_reward).toBe(checkedRunConfig({}).reward.use_state_reward);
    expect(rewarded(service('"off"'), dataset(false))).toBe(false);
  });
});

describe("what the legacy judge scores by", () => {
  const legacy = (env: string, stated: boolean) =>
    importVagen([
      yaml(`a: { env_name: ${env}, env_config: { use_state_reward: ${stated} } }`, "dataset.yaml"),
    ]);
  const assumedOf = ({ findings }: { findings: readonly Finding[] }) =>
    Object.fromEntries(
      ofKind(findings, "assumed")
        .filter(({ key }) => key === "(no key)")
        .map(({ path, ours }) => [path, ours]),
    );

  test("is F1 of exact directions and a penalty for repetition in Sokoban", () => {
    const sokoban = legacy("sokoban", true);
    expect(sokoban.config.reward).toMatchObject({
      judge_scoring: "vagen",
      repetition_penalty: 0.1,
      repetition_threshold: 0.35,
      top_strings_m: 1000,
      top_strings_k: 5,
      repetition_penalty_weight: 0,
    });
    expect(assumedOf(sokoban)).toMatchObject({
      "reward.judge_scoring": "vagen",
      "reward.repetition_penalty": 0.1,
    });
  });

  test("is soft F1 without a penalty in FrozenLake", () => {
    const lake = legacy("frozenlake", true);
    expect(lake.config.reward).toMatchObject({ judge_scoring: "vagen", repetition_penalty: 0 });
    expect(assumedOf(lake)).toEqual({
      "reward.judge_scoring": "vagen",
      "reward.scale_by_turns": false,
      "rollout.reply_reading": "legacy",
    });
  });

  test("overrides the base where the files leave it open", () => {
    const base = checkedRunConfig({ reward: { repetition_penalty: 0.4, top_strings_k: 9 } });
    const text = "a: { env_name: frozenlake, env_config: { use_state_reward: true } }";
    expect(importVagen([yaml(text)], { base }).config.reward.repetition_penalty).toBe(0);
    const boxes = text.replace("frozenlake", "sokoban");
    expect(importVagen([yaml(boxes)], { base }).config.reward).toMatchObject({
      repetition_penalty: 0.1,
      top_strings_k: 5,
    });
  });

  test("has no effect without rewards for claims, or in Lite, which has no judge", () => {
    expect(assumedOf(legacy("sokoban", false))).toEqual({
      "reward.scale_by_turns": false,
      "env.config.levels": "legacy",
      "rollout.reply_reading": "legacy",
    });
    const off = importVagen([
      yaml("rollout_manager: { use_service: false }"),
      yaml("a: { env_name: sokoban, env_config: { use_state_reward: true } }", "dataset.yaml"),
    ]);
    expect(off.config.reward.judge_scoring).toBe("cells");
    const lite = importVagen([example("lite-train.yaml")]);
    expect(assumedOf(lite)).toEqual({
      "reward.scale_by_turns": false,
      "reward.use_state_reward": false,
      "env.config.levels": "lite",
      "rollout.reply_reading": "lite",
    });
  });

  test("is overridden by values in a file", () => {
    const text = [
      '# studio: reward.judge_scoring = "rubric"',
      "a: { env_name: sokoban, env_config: { use_state_reward: true } }",
    ].join("\n");
    const { config, findings } = importVagen([yaml(text)]);
    expect(config.reward).toMatchObject({ judge_scoring: "rubric", repetition_penalty: 0.1 });
    expect(assumedOf({ findings })).not.toHaveProperty("reward.judge_scoring");
  });
});

describe("Lite's files", () => {
  const { config, findings, generation } = importVagen([
    example("lite-trainer.yaml"),
    example("lite-train.yaml"),
    example("lite-val.yaml"),
  ]);

  test("are recognised as Lite's", () => expect(generation).toBe("lite"));

  test("give a configuration with their values", () => {
    expect(config.env).toMatchObject({ name: "sokoban", config: { dim_room: [7, 7], success_reward: 1 } });
    expect(config.rollout).toMatchObject({
      train_batch_size: 128,
      n_trajectory: 4,
      max_turns: 4,
      response_length: 120,
      prompt_format: "wm",
    });
    expect(config.algorithm).toMatchObject({ adv_estimator: "masked_gae", lam: 0.95 });
    expect(config.actor).toMatchObject({ ppo_mini_batch_size: 32, kl_loss_type: "k3", use_kl_loss: true });
    expect(config.trainer).toMatchObject({
      total_updates: 401,
      test_freq: 0,
      save_freq: 100000,
      val_size: 96,
    });
  });

  test("report unknown keys with the nearest known one", () => {
    expect(ofKind(findings, "unknown")).toEqual([
      { kind: "unknown", key: "algorithm.gama", value: 1, remark: "Did you mean algorithm.gamma?" },
    ]);
  });

  test("are read in any order", () => {
    const files = [example("lite-val.yaml"), example("lite-train.yaml"), example("lite-trainer.yaml")];
    expect(importVagen(files).config).toEqual(config);
  });
});

test("a section with a value in place of its settings is reported as one", () => {
  const text =
    "envs: [{ name: FrozenLake, n_envs: 4, seed: [1, 4, 1], config: 5 }]\nactor_rollout_ref: { actor: { optim: [1, 2] } }";
  const found = ofKind(importVagen([yaml(text, "train.yaml")]).findings, "unknown");
  expect(found.map(({ key, remark }) => [key, remark])).toEqual([
    ["actor_rollout_ref.actor.optim", expect.stringContaining("such as actor_rollout_ref.actor.optim.")],
    [
      "envs[0].config",
      expect.stringMatching(/^It is a section, whose settings have names, such as config\./),
    ],
  ]);
});

describe("formats", () => {
  const rollout = (format: string, generation: "legacy" | "lite") => {
    const text =
      generation === "legacy"
        ? `env1: { env_name: sokoban, env_config: { prompt_format: ${format} } }`
        : `envs: [{ name: Sokoban, n_envs: 4, seed: [1, 4, 1], config: { prompt_format: ${format} } }]`;
    const { config, findings } = importVagen([yaml(text, "train.yaml")], {
      generation,
      overrides: ["rollout.response_length=200"],
    });
    return { ...config.rollout, refused: ofKind(findings, "refused") };
  };

  test.each([
    ["grounding_structured", "grounding", "structured"],
    ["grounding_worldmodeling_symbolic", "grounding_worldmodeling", "symbolic"],
    ["worldmodeling", "worldmodeling", "natural"],
  ])("legacy's %s is a format and a representation", (name, prompt_format, state_format) => {
    expect(rollout(name, "legacy")).toMatchObject({ prompt_format, state_format, refused: [] });
  });

  test.each(["wm", "free_wm", "free_think"])("Lite's %s is our own", (name) => {
    expect(rollout(name, "lite")).toMatchObject({
      prompt_format: name,
      state_format: "natural",
      refused: [],
    });
  });

  test("unknown ones are refused by name", () => {
    expect(rollout("grounding_verbose", "legacy").refused).toMatchObject([{ ours: "grounding_verbose" }]);
  });
});

describe("formats of Lite's worlds", () => {
  const worlds = {
    navigation: "eval_set: base",
    "primitive-skill": "env_id: AlignTwoCube",
    svg: "dataset_name: starvector/svg-icons-simple",
  } as const;
  type World = keyof typeof worlds;
  const read = (world: World, options: string, overrides: readonly string[] = []) =>
    importVagen(
      [
        yaml(
          `envs: [{ name: RemoteEnv, n_envs: 4, seed: [1, 4, 1], config: { base_urls: x, ${worlds[world]}${options} } }]`,
          "train.yaml",
        ),
      ],
      { overrides },
    );
  const key = "envs[0].config.prompt_format";

  test.each<[World, string, string]>([
    ["navigation", "free_think", "free_think"],
    ["navigation", "wm", "wm"],
    ["navigation", "no_think", "no_think"],
    ["navigation", "eval_mode", "eval_mode"],
    ["primitive-skill", "free_think", "free_think"],
    ["svg", "free_think", "free_think"],
    ["svg", "wm", "wm"],
    ["primitive-skill", "wm", "wm"],
  ])("%s: %s is %s", (world, theirs, ours) => {
    const { config, findings } = read(world, `, prompt_format: ${theirs}`);
    expect(config.env.name).toBe(world);
    expect(config.rollout).toMatchObject({ prompt_format: ours, reply_reading: "lite" });
    expect(byKey(findings, key)).toMatchObject({ kind: "applied", value: theirs, ours });
  });

  test.each<[World, string, string]>([
    ["navigation", "free_think", "free_think_2026"],
    ["primitive-skill", "wm", "wm_2026"],
  ])("%s has %s by default", (world, before, since) => {
    expect(read(world, "").config.rollout.prompt_format).toBe(before);
    expect(read(world, "", ["trainer.harness=concat"]).config.rollout.prompt_format).toBe(since);
  });

  test.each([
    ["true", "free_think", "free_think_2026"],
    ["false", "no_think", "answer"],
  ])("SpatialGym chooses by enable_think: %s", (think, before, since) => {
    const text = `envs: [{ name: SpatialGym, n_envs: 4, seed: [1, 4, 1], config: { prompt_config: { enable_think: ${think} } } }]`;
    const format = (...overrides: string[]) =>
      importVagen([yaml(text, "train.yaml")], { overrides }).config.rollout.prompt_format;
    expect([format(), format("trainer.harness=concat")]).toEqual([before, since]);
  });

  test("predict before the answer from August 2026 on", () => {
    const { config } = read("navigation", ", prompt_format: wm", ["trainer.harness=concat"]);
    expect(config.rollout.prompt_format).toBe("wm_2026");
  });

  test("that VAGEN does not have are refused", () => {
    const { findings } = read("navigation", ", prompt_format: verbose");
    expect(byKey(findings, key)).toMatchObject({ kind: "refused", ours: "verbose" });
  });
});

describe("rewards for the format in Lite's Navigation", () => {
  const read = (options: string, base?: RunConfig) =>
    importVagen(
      [
        yaml(
          `envs: [{ name: RemoteEnv, n_envs: 4, seed: [1, 4, 1], config: { base_urls: x, eval_set: base, ${options} } }]`,
          "train.yaml",
        ),
      ],
      { ...(base && { base }) },
    );
  const paid = ({ config }: { config: RunConfig }) => config.env.config.format_reward;
  const bonus = "envs[0].config.format_reward";

  test.each([
    "per_turn_format_reward: 0.02, format_reward: 0.5",
    "format_reward: 0.5, per_turn_format_reward: 0.02",
  ])("{%s} pays a turn what is for a turn, and an episode what is for an episode", (options) => {
    const imported = read(options);
    expect(paid(imported)).toBe(0.02);
    expect(imported.config.env.config.episode_format_reward).toBe(0.5);
    expect(byKey(imported.findings, bonus)).toMatchObject({
      kind: "applied",
      value: 0.5,
      path: "env.config.episode_format_reward",
    });
  });

  test("pay Lite's default at each turn where only the bonus at the end is given", () => {
    const base = checkedRunConfig({ env: { name: "navigation", config: { format_reward: 0.3 } } });
    const imported = read("format_reward: 0.5", base);
    expect(paid(imported)).toBe(0.01);
    expect(imported.findings).toContainEqual(
      expect.objectContaining({ kind: "assumed", key: "config.per_turn_format_reward", ours: 0.01 }),
    );
  });

  test("have no bonus at the end by default, whatever the configuration had", () => {
    const base = checkedRunConfig({ env: { name: "navigation", config: { episode_format_reward: 0.3 } } });
    expect(read("format_reward: 0", base).config.env.config.episode_format_reward).toBe(0);
    expect(read("step_length: 0.3", base).config.env.config.episode_format_reward).toBe(0);
  });

  test("are paid at each turn in the legacy release", () => {
    const legacy = "a: { env_name: navigation, env_config: { format_reward: 0.4 } }";
    const imported = importVagen([yaml(legacy)]);
    expect(paid(imported)).toBe(0.4);
    expect(imported.config.env.config.episode_format_reward).toBe(0);
  });
});

describe("tasks in which nothing is stated", () => {
  const legacy = (env: string, options = "render_mode: vision", base?: RunConfig) =>
    importVagen([yaml(`a: { env_name: ${env}, env_config: { ${options} } }`)], { ...(base && { base }) });

  test.each([
    ["blackjack", "off"],
    ["svg", "rule"],
    ["SVG", "rule"],
  ])("%s has free thought by default", (env, judge) => {
    const { config, findings } = legacy(env);
    expect(config.rollout.prompt_format).toBe("free_think");
    expect(config.judge.name).toBe(judge);
    expect(ofKind(findings, "refused")).toEqual([]);
  });

  test.each([
    ["free_think", "free_think"],
    ["no_think", "no_think"],
  ])("Blackjack's %s is %s", (theirs, ours) => {
    expect(legacy("blackjack", `prompt_format: ${theirs}`).config.rollout.prompt_format).toBe(ours);
  });

  test.each([
    ["dataset_name", "starvector/svg-icons-simple", ["all_train"]],
    ["split", "test", ["mdi_train", "mdi_test"]],
  ])("SVG's %s has the icons of the studio as its counterpart", (key, value, sets) => {
    const finding = byKey(legacy("svg", `${key}: ${value}`).findings, `a.env_config.${key}`);
    expect(finding).toMatchObject({ kind: "ignored", remark: expect.stringContaining("env.config.icons") });
    const remark = finding && "remark" in finding ? String(finding.remark) : "";
    for (const icons of sets) {
      expect(remark).toContain(icons);
      expect(() => checkedRunConfig({ env: { name: "svg", config: { icons } } })).not.toThrow();
    }
  });

  test("take SVG's format_penalty as it is, and its default where a file has none", () => {
    const penaltyOf = ({ config }: { config: RunConfig }) => config.env.config.format_penalty;
    const given = legacy("svg", "format_penalty: -0.5");
    expect(penaltyOf(given)).toBe(-0.5);
    const finding = byKey(given.findings, "a.env_config.format_penalty");
    expect(finding).toMatchObject({ kind: "applied", path: "env.config.format_penalty" });
    expect(finding).not.toHaveProperty("remark");
    const base = checkedRunConfig({ env: { name: "svg", config: { format_penalty: -2 } } });
    expect(penaltyOf(legacy("svg", "format_reward: 0.5", base))).toBe(0);
  });

  test("pay SVG's models by their weights, and say that each needs a file", () => {
    const { config, findings } = legacy("svg", "dino_weight: null, dreamsim_weight: 5.0");
    expect(config.env.config).toMatchObject({ dino_weight: 0, dreamsim_weight: 5, paid: "every_drawing" });
    expect(byKey(findings, "a.env_config.dreamsim_weight")).toMatchObject({
      kind: "applied",
      path: "env.config.dreamsim_weight",
      remark: expect.stringMatching(
        /^A run needs the ONNX file of a DreamSim model: give it with --similarity dreamsim=/,
      ),
    });
    expect(byKey(findings, "a.env_config.dino_weight")).not.toHaveProperty("remark");
    const base = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 2 } } });
    expect(legacy("svg", "format_reward: 0.5", base).config.env.config.dino_weight).toBe(0);
  });

  test.each([
    "{ name: SVG, n_envs: 4, config: { dataset_name: starvector/svg-icons-simple, dino_weight: 5 } }",
    "{ name: RemoteEnv, n_envs: 4, config: { base_urls: x, dataset_name: starvector/svg-icons-simple } }",
  ])("pay every drawing of Lite's SVG, without a success: %s", (entry) => {
    const { config, findings } = importVagen([yaml(`envs: [${entry}]`, "train.yaml")]);
    const theirs = { paid: "every_drawing", success_similarity: 1, format_reward: 0.5 };
    expect(config.env.config).toMatchObject(theirs);
    const assumed = findings.filter(({ kind }) => kind === "assumed").map(({ key }) => key);
    expect(assumed).toEqual(
      expect.arrayContaining(Object.keys(theirs).map((name) => expect.stringContaining(name))),
    );
  });

  test("end an episode of Lite's SVG at a refused drawing, and go on in the legacy release's", () => {
    const lite = "envs: [{ name: RemoteEnv, n_envs: 4, config: { base_urls: x, format_penalty: -0.5 } }]";
    const { config, findings } = importVagen([yaml(lite, "train.yaml")]);
    expect(config.env).toMatchObject({
      name: "svg",
      config: { format_penalty: -0.5, refused_drawing: "end" },
    });
    expect(byKey(findings, "envs[0].config.format_penalty")).not.toHaveProperty("remark");
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: "assumed", path: "env.config.refused_drawing", ours: "end" }),
    );
    const base = checkedRunConfig({ env: { name: "svg", config: { refused_drawing: "end" } } });
    const legacyRun = legacy("svg", "format_reward: 0.5", base);
    expect(legacyRun.config.env.config.refused_drawing).toBe("continue");
  });

  test("take SVG's weight of structure as it is, beside the weights of the studio's own measures", () => {
    const read = (weight: string) => {
      const { config, findings } = legacy("svg", `structural_weight: ${weight}`);
      const { kind, remark } = byKey(findings, "a.env_config.structural_weight")!;
      return { config: config.env.config, kind, remark };
    };
    const own = { ms_ssim_weight: 0.4, edge_weight: 0.3, color_weight: 0.3 };
    const paid = read("10.0");
    expect(paid).toMatchObject({ config: { ...own, structural_weight: 10 }, kind: "applied" });
    expect(paid.remark).toMatch(/for VAGEN's score alone, set `ms_ssim_weight`, `edge_weight` and/);
    for (const none of ["0.0", "null"])
      expect(read(none)).toMatchObject({ config: { ...own, structural_weight: 0 }, remark: undefined });
    for (const wrong of ["much", "-1", "101"]) expect(read(wrong).kind).toBe("refused");
    const base = checkedRunConfig({ env: { name: "svg", config: { structural_weight: 2 } } });
    expect(legacy("svg", "format_reward: 0.5", base).config.env.config.structural_weight).toBe(0);
  });

  test.each([
    ["format_reward: 0.5", true],
    ["format_reward: 0.5, dreamsim_weight: 0.0, structural_weight: null", true],
    ["format_reward: 0.5, dreamsim_weight: 5.0", false],
    ["format_reward: 0.5, structural_weight: 10.0", false],
  ])("say where SVG's format is paid beside the studio's measures alone: %s", (options, isSaid) => {
    const { config, findings } = legacy("svg", options);
    expect(config.env.config.format_reward).toBe(0.5);
    const { remark = "" } = byKey(findings, "a.env_config.format_reward")!;
    expect(
      /pay a drawing at most 1, where VAGEN's examples pay 5 \(legacy\) or 15 \(Lite\)/.test(remark),
    ).toBe(isSaid);
  });

  test("take what a turn of Blackjack without a valid action costs, and say so", () => {
    const { config, findings } = legacy("blackjack", "natural: true");
    expect(config.env).toMatchObject({ name: "blackjack", config: { natural: true, format_penalty: -0.1 } });
    const said = findings.filter((one) => "path" in one && one.path === "env.config.format_penalty");
    expect(said).toMatchObject([{ kind: "assumed", remark: expect.stringContaining("takes 0.1") }]);
    expect(ofKind(findings, "unsupported")).toEqual([]);
  });

  test("take what an invalid action of SpatialGym costs, also in a further environment", () => {
    const lake = "{ name: FrozenLake, n_envs: 4, seed: [1, 4, 1], max_turns: 5 }";
    const rooms = "{ name: SpatialGym, n_envs: 4, seed: [1, 4, 1], max_turns: 5 }";
    const penalties = (...entries: string[]) => {
      const { config } = importVagen([yaml(`envs: [${entries.join(", ")}]`, "train.yaml")]);
      return [config.env, ...Object.values(config.envs)].map(({ config: options }) => options.format_penalty);
    };
    expect(penalties(rooms)).toEqual([-0.5]);
    expect(penalties(lake, rooms)).toEqual([undefined, -0.5]);
    // VAGEN has no such key, so what a file says with it does not count, wherever it stands.
    expect(
      penalties("{ config: { format_penalty: -3 }, name: SpatialGym, n_envs: 4, seed: [1, 4, 1] }"),
    ).toEqual(penalties("{ name: SpatialGym, n_envs: 4, seed: [1, 4, 1], config: { format_penalty: -3 } }"));
  });

  test.each([
    ["room_data/1-room", 1, "applied"],
    ["../../../vagen/envs/spatial_gym/room_data/2-room/", 2, "applied"],
    ["room_data/3-room", 1, "ignored"],
    ["room_data", 1, "ignored"],
    ["[2-room]", 1, "ignored"],
  ])("take SpatialGym's number of rooms from the folder of its data: %s", (folder, rooms, kind) => {
    const entry = `{ name: SpatialGym, n_envs: 4, seed: [1, 4, 1], config: { data_dir: ${folder} } }`;
    const { config, findings } = importVagen([yaml(`envs: [${entry}]`, "train.yaml")]);
    expect(config.env.config.rooms).toBe(rooms);
    expect(byKey(findings, "envs[0].config.data_dir")).toMatchObject({ kind });
  });

  test.each([
    ["active", "active", "applied"],
    ["passive", "passive", "applied"],
    ["guided", "active", "refused"],
    [undefined, "passive", "assumed"],
  ])("take how SpatialGym is explored, and ask for a map: %s", (theirs, ours, kind) => {
    const options = theirs === undefined ? "" : `, config: { exp_type: ${theirs} }`;
    const entry = `{ name: SpatialGym, n_envs: 4, seed: [1, 4, 1], max_turns: 5${options} }`;
    const { config, findings } = importVagen([yaml(`envs: [${entry}]`, "train.yaml")]);
    expect(config.env.config).toMatchObject({ exp_type: ours, task: "map" });
    const isOfOption = ({ key }: Finding) => key.endsWith("config.exp_type");
    expect(findings.find(isOfOption)).toMatchObject({ kind });
  });

  test("keep free thought where a file wants something stated", () => {
    const { config, findings } = legacy("blackjack", "prompt_format: grounding");
    expect(byKey(findings, "a.env_config.prompt_format")).toMatchObject({
      kind: "refused",
      remark: expect.stringContaining("no places to state"),
    });
    expect(config.rollout.prompt_format).toBe("free_think");
  });

  test.each([
    ["SVG", "render_mode: vision", "free_think"],
    ["SVG", "prompt_format: wm", "wm"],
    ["Navigation", "render_mode: vision", "free_think"],
  ])("and other worlds leave the representation of boards: %s with %s", (name, options, format) => {
    const { config } = importVagen(
      [yaml(`envs: [{ name: ${name}, n_envs: 4, seed: [1, 4, 1], config: { ${options} } }]`, "train.yaml")],
      { base: checkedRunConfig({ rollout: { state_format: "structured" } }) },
    );
    expect(config.rollout).toMatchObject({ prompt_format: format, state_format: "natural" });
  });
});

describe("notes", () => {
  const lite = { generation: "lite" } as const;
  test("are only about names that differ", () => {
    const gae = importVagen([], { ...lite, overrides: ["algorithm.adv_estimator=gae"] });
    expect(gae.findings[0]).toMatchObject({
      ours: "masked_gae",
      remark: expect.stringContaining("masked_gae"),
    });
    const own = importVagen([], { ...lite, overrides: ["algorithm.kl_penalty=k2"] });
    expect(own.findings[0]).not.toHaveProperty("remark");
  });
  test("include what is not supported yet", () => {
    const ratio = "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio=0.1";
    const { findings } = importVagen([], { ...lite, overrides: [ratio] });
    expect(findings.map(({ kind }) => kind)).toContain("unsupported");
  });
});

test("the critic has steps of its own where its epochs or minibatches differ from the actor's", () => {
  const critic = (...overrides: string[]) => {
    const { ppo_epochs, ppo_mini_batch_size } = set(...overrides).config.critic;
    return [ppo_epochs, ppo_mini_batch_size];
  };
  expect(critic("critic.ppo_epochs=1", "actor_rollout_ref.actor.ppo_epochs=1")).toEqual([0, 0]);
  expect(critic("critic.ppo_epochs=4", "critic.ppo_mini_batch_size=8")).toEqual([4, 8]);
});

test.each([
  [0, 0],
  [1, 0],
  [20, 19],
])(
  "a critic warm-up of %i trains the policy from that step on, which is after %i updates",
  (theirs, ours) => {
    const { config, findings } = set(`trainer.critic_warmup=${theirs}`);
    expect(config.trainer.critic_warmup).toBe(ours);
    expect("remark" in findings[0]!).toBe(theirs > 0);
  },
);

describe("what the policy sees", () => {
  test("is the current turn where each turn is a row", () => {
    const overrides = ["trainer.concat_multi_turn=false", "algorithm.adv_estimator=no_concat_gae"];
    const { config, findings } = importVagen([], { generation: "lite", overrides });
    expect(config.trainer.harness).toBe("no_concat");
    expect(config.rollout).toMatchObject({ window_size: 0, use_multi_turn_reward: true });
    expect(ofKind(findings, "refused")).toEqual([]);
  });
  test("must not be less in legacy's rollout than in its training", () => {
    const read = (window: number) =>
      importVagen([], {
        generation: "legacy",
        overrides: ["rollout_manager.max_turns=5", `rollout_manager.window_size=${window}`],
      });
    expect(read(5).config.rollout.window_size).toBe(5);
    expect(byKey(read(2).findings, "rollout_manager.window_size")).toMatchObject({
      kind: "refused",
      remark: expect.stringMatching(
        /trained as one sequence.*\. Use at least 4, lower rollout\.max_turns, or set trainer\.harness to "no_concat" for a sequence per turn\.$/,
      ),
    });
  });
});

describe("settings of a feature that is off", () => {
  test.each(["filter.filter_kwargs.top_p=0.9", "algorithm.kl_ctrl.horizon=10000"])(
    "%s is ignored",
    (part) => {
      expect(set(part).findings[0]).toMatchObject({
        kind: "ignored",
        remark: expect.stringMatching(/off|fixed/),
      });
    },
  );
});

describe("values that the schema refuses", () => {
  test("are reported with field, value and remedy; the rest stays", () => {
    const { config, findings } = set("algorithm.gamma=1.5", "algorithm.lam=0.9");
    expect(ofKind(findings, "refused")).toEqual([
      expect.objectContaining({
        key: "algorithm.gamma",
        path: "algorithm.gamma",
        ours: 1.5,
        remark: expect.stringMatching(/^algorithm\.gamma is 1\.5; it must be at most 1\. .*from 0 to 1/),
      }),
    ]);
    expect(config.algorithm).toMatchObject({ gamma: 1, lam: 0.9 });
  });

  test("may be names", () => {
    const { findings } = set("algorithm.adv_estimator=gdpo");
    expect(byKey(findings, "algorithm.adv_estimator")).toMatchObject({ kind: "refused", ours: "gdpo" });
  });

  test("may only be wrong together with others", () => {
    const { config, findings } = set(
      "data.train_batch_size=16",
      "actor_rollout_ref.actor.ppo_mini_batch_size=64",
    );
    expect(byKey(findings, "actor_rollout_ref.actor.ppo_mini_batch_size")).toMatchObject({ kind: "refused" });
    expect(config.rollout.train_batch_size).toBe(16);
    expect(config.actor.ppo_mini_batch_size).toBe(16);
  });

  test("and the studio's own memory settings are adjusted", () => {
    const { config, findings } = set("data.max_response_length=2000", "rollout_manager.max_turns=10");
    expect(config.rollout.response_length).toBe(2000);
    expect(config.trainer.micro_batch_tokens).toBe(32768);
    expect(findings.at(-1)).toMatchObject({ kind: "assumed", path: "trainer.micro_batch_tokens" });
  });
});

describe("overrides", () => {
  test("win over files, and the last of several counts", () => {
    const files = [yaml("algorithm: { gamma: 0.5 }\nrollout_manager: { max_turns: 3 }")];
    const { config } = importVagen(files, { overrides: ["algorithm.gamma=0.6", "algorithm.gamma=0.7"] });
    expect(config.algorithm.gamma).toBe(0.7);
    expect(config.rollout.max_turns).toBe(3);
  });
  test("may name the studio's own settings", () => {
    expect(set("model.hidden_size=32", "algorithm.gamma=1").config.model.hidden_size).toBe(32);
  });
  test("need an equals sign", () => {
    expect(() => set("algorithm.gamma")).toThrow("expected key=value");
    expect(() => set("~/algorithm.gamma")).toThrow("expected key=value");
  });
  test("may delete keys and sections, as in Hydra", () => {
    const file = yaml(
      "algorithm: { gamma: 0.5, lam: 0.6, kl_ctrl: { kl_coef: 0.3 } }\nrollout_manager: { max_turns: 3 }",
    );
    const read = (...overrides: string[]) => importVagen([file], { overrides });
    const { config, findings } = read("~algorithm.lam", "~algorithm.kl_ctrl", "~algorithm.gamma=0.5");
    expect(config.algorithm).toMatchObject({ gamma: 1, lam: 1, kl_coef: 0.001 });
    expect(byKey(findings, "~algorithm.lam")).toMatchObject({
      kind: "ignored",
      remark: "Deleted: read as if the files did not have it.",
    });
    expect(read("~algorithm.lam", "+algorithm.lam=0.7").config.algorithm.lam).toBe(0.7);
    const script = yaml("python3 -m verl.trainer.main_ppo algorithm.gamma=0.7 ~algorithm.lam ~/x.y", "a.sh");
    expect(importVagen([file, script]).config.algorithm).toMatchObject({ gamma: 0.7, lam: 1 });
  });
  test.each([
    ["1_000", 1000],
    ["2_0", 20],
    ["30", 30],
  ])("may separate digits: %s", (text, steps) => {
    const { config, findings } = set(`trainer.total_training_steps=${text}`);
    expect(config.trainer.total_updates).toBe(steps);
    expect(ofKind(findings, "refused")).toEqual([]);
  });
  test.each(["_1000", "1000_", "1__0", "0_1", "a_1"])("keep other underscores: %s", (text) => {
    expect(set(`trainer.experiment_name=${text}`).config.name).toBe(text);
  });
  test.each([
    ["algorithm.gamma=0.95  # before: algorithm.gamma=0.5", 0.95],
    ["algorithm.gamma=0.95\t# don't use algorithm.gamma=0.5", 0.95],
    ["# algorithm.gamma=0.5 \\\nalgorithm.gamma=0.95", 0.95],
    ["python3 main.py algorithm.gamma=0.95 \\\n  # algorithm.gamma=0.5 \\\n  algorithm.lam=0.9", 0.95],
    ["python3 main.py \\\r\n  algorithm.gamma=0.95 \\\r\n  algorithm.lam=0.9", 0.95],
  ])("in comments are ignored: %j", (text, gamma) => {
    const { config } = importVagen([yaml(text, "changes.txt")]);
    expect(config.algorithm.gamma).toBe(gamma);
  });
  test.each([
    ["trainer.experiment_name='a # b' algorithm.gamma=0.9", "a # b"],
    ['trainer.experiment_name="a # b"', "a # b"],
    ["trainer.experiment_name=\"'a # b'\"", "a # b"],
    ["trainer.experiment_name=a#b", "a#b"],
  ])("keep a # in quotes and inside of a word: %s", (text, name) => {
    expect(importVagen([yaml(text, "changes.txt")]).config.name).toBe(name);
  });
  test("one a line, with Hydra's plus", () => {
    const { config } = importVagen([yaml("+algorithm.gamma=0.9\n++algorithm.lam=0.8\n", "changes.txt")]);
    expect(config.algorithm).toMatchObject({ gamma: 0.9, lam: 0.8 });
  });
});

describe("switches", () => {
  const lite = (text: string) => importVagen([yaml(text)], { generation: "lite" });
  const legacy = (text: string) => importVagen([yaml(text)], { generation: "legacy" });

  test.each(["no", "off", "False"])("a YAML file may turn them off with %s", (off) => {
    expect(legacy(`actor_rollout_ref: { ref: { use_ref: ${off} } }`).config.algorithm.use_kl_in_reward).toBe(
      false,
    );
    const turns = lite(
      `algorithm: { adv_estimator: no_concat_gae }\ntrainer: { concat_multi_turn: ${off} }`,
    ).config;
    expect(turns.trainer.harness).toBe("no_concat");
    expect(turns.rollout).toMatchObject({ window_size: 0, use_multi_turn_reward: true });
  });

  test.each(["yes", "on", "True"])("and on with %s", (on) => {
    const groups = "actor_rollout_ref: { rollout: { n: 4 } }\nalgorithm: { adv_estimator: grpo }";
    const { config } = lite(`filter: { enable: ${on}, name: reward_variance }\n${groups}`);
    expect(config.algorithm.filter).toBe("reward_variance");
    const inLoss = legacy(`actor_rollout_ref: { actor: { use_kl_loss: ${on} } }`).config;
    expect(inLoss).toMatchObject({ algorithm: { use_kl_in_reward: false }, actor: { use_kl_loss: true } });
  });

  test.each([
    ["use_ref", 'actor_rollout_ref: { ref: { use_ref: "no" } }', "actor_rollout_ref.ref.use_ref"],
    ["a filter", 'filter: { enable: "off" }', "filter.enable"],
    ["a number", "filter: { enable: 1 }", "filter.enable"],
    ["turns as sequences", 'trainer: { concat_multi_turn: "off" }', "trainer.concat_multi_turn"],
  ])("a text or number is refused: %s", (_, text, key) => {
    const { config, findings } = key.includes("use_ref") ? legacy(text) : lite(text);
    expect(ofKind(findings, "refused")).toEqual([
      expect.objectContaining({
        key,
        remark: expect.stringMatching(
          `^${key} is .*; it must be (true or false|a boolean).*(quotes|true or false)`,
        ),
      }),
    ]);
    expect(ofKind(findings, "applied")).toEqual([]);
    const { algorithm, trainer } = checkedRunConfig({});
    expect(config.algorithm.filter).toBe(algorithm.filter);
    expect(config.trainer.harness).toBe(trainer.harness);
  });

  test("an override accepts only true and false, as in Hydra", () => {
    const read = (enable: string) =>
      set(
        `filter.enable=${enable}`,
        "filter.name=reward_variance",
        "algorithm.adv_estimator=grpo",
        "actor_rollout_ref.rollout.n=4",
      );
    expect(byKey(read("on").findings, "filter.enable")).toMatchObject({ kind: "refused", value: "on" });
    expect(read("True").config.algorithm.filter).toBe("reward_variance");
  });

  test("a filter that is on without a name is VAGEN's own", () => {
    const { config, findings } = set(
      "filter.enable=true",
      "algorithm.adv_estimator=grpo",
      "actor_rollout_ref.rollout.n=4",
    );
    expect(config.algorithm.filter).toBe("reward_variance_top_p");
    expect(ofKind(findings, "assumed")).toContainEqual(expect.objectContaining({ key: "filter.name" }));
  });

  test("a key that depends on a refused one is refused", () => {
    const { config, findings } = set("filter.enable=on", "filter.name=reward_variance");
    expect(byKey(findings, "filter.name")).toMatchObject({
      kind: "refused",
      remark: 'filter.enable is "on"; it must be true or false, without quotes.',
    });
    expect(config.algorithm.filter).toBe("off");
  });
});

test.each([
  ["data.train_batch_size=true", "rollout.train_batch_size is true"],
  ["data.train_batch_size=$N", 'rollout.train_batch_size is "$N"'],
  ["rollout_manager.window_size=true", "rollout.window_size is true"],
  ['rollout_manager.window_size="5"', 'rollout.window_size is "5"'],
])("%s is not a number", (override, message) => {
  const { findings } = importVagen([], { generation: "legacy", overrides: [override] });
  expect(ofKind(findings, "refused")).toMatchObject([{ remark: expect.stringContaining(message) }]);
});

test("numbers are those of YAML 1.1", () => {
  const { config } = importVagen([
    yaml("actor_rollout_ref: { actor: { optim: { lr: 1e-5 } } }\ntrainer: { total_training_steps: 1_000 }"),
  ]);
  expect(config.actor.lr).toBe(1e-5);
  expect(config.trainer.total_updates).toBe(1000);
});

describe("odd files", () => {
  test.each([
    ["a number", "5", "neither a section nor an override"],
    ["broken YAML", "a: [1\nb: 2", "line 2"],
    ["an anchor that is not there", "a: *b", "b"],
  ])("%s is refused", (_, text, message) => {
    expect(() => importVagen([yaml(text)])).toThrow(message);
    expect(() => importVagen([yaml(text)])).toThrow(expect.objectContaining({ code: "invalid_yaml" }));
  });
  test("an empty value is ignored", () => {
    const { findings } = importVagen([yaml("trainer: { total_training_steps: null, nnodes: 1 }")]);
    expect(byKey(findings, "trainer.total_training_steps")).toMatchObject({
      kind: "ignored",
      remark: "Empty: VAGEN decides itself.",
    });
  });
  test("a reference to another key is followed", () => {
    const text = `data: { max_response_length: 99, custom: "${reference("data.max_response_length")}" }`;
    expect(byKey(importVagen([yaml(text)]).findings, "data.custom")).toMatchObject({ value: 99 });
  });
  test("to its final value, after all files and overrides", () => {
    const text = `trainer: { test_freq: "${reference("trainer.save_freq")}", save_freq: 20 }`;
    const { config } = importVagen([yaml(text)], { overrides: ["trainer.save_freq=50"] });
    expect(config.trainer).toMatchObject({ test_freq: 50, save_freq: 50 });
    const apart = importVagen([
      yaml(`trainer: { test_freq: "${reference("trainer.save_freq")}" }`),
      yaml("trainer: { save_freq: 7 }"),
    ]);
    expect(apart.config.trainer.test_freq).toBe(7);
    const inOverride = importVagen([yaml("trainer: { save_freq: 7 }")], {
      overrides: [`trainer.test_freq=${reference("trainer.save_freq")}`],
    });
    expect(inOverride.config.trainer.test_freq).toBe(7);
  });
  test("over several steps, and inside of a text", () => {
    const text = [
      `algorithm: { gamma: "${reference("algorithm.lam")}", lam: "${reference("x")}" }`,
      "x: 0.9",
      `trainer: { experiment_name: "${reference("trainer.project_name")}-${reference("x")}", project_name: lake }`,
    ].join("\n");
    const { config } = importVagen([yaml(text)]);
    expect(config.algorithm).toMatchObject({ gamma: 0.9, lam: 0.9 });
    expect(config.name).toBe("lake-0.9");
  });
  test("decides the generation by its target", () => {
    const text = `algorithm: { adv_estimator: "${reference("method")}" }\nmethod: bi_level_gae`;
    expect(importVagen([yaml(text)]).generation).toBe("legacy");
  });
  test("unless it leads back to itself", () => {
    const text = `algorithm: { gamma: "${reference("algorithm.lam")}", lam: "${reference("x")}" }\nx: "${reference("algorithm.gamma")}"`;
    const { config, findings } = importVagen([yaml(text)]);
    expect(byKey(findings, "algorithm.gamma")).toMatchObject({
      kind: "refused",
      path: "algorithm.gamma",
      remark:
        "algorithm.gamma refers to a cycle of references: algorithm.gamma → algorithm.lam → x → algorithm.gamma. Write one of these values out.",
    });
    expect(ofKind(findings, "refused").map(({ key }) => key)).toEqual([
      "algorithm.gamma",
      "algorithm.lam",
      "x",
    ]);
    expect(config.algorithm).toMatchObject({ gamma: 1, lam: 1 });
  });
  test("with leading dots, relative to its own section", () => {
    const text = `trainer: { save_freq: 7, test_freq: "${reference(".save_freq")}", experiment_name: "${reference("..lake.name")}" }\nlake: { name: Erie }`;
    const { config } = importVagen([yaml(text)]);
    expect(config.trainer.test_freq).toBe(7);
    expect(config.name).toBe("Erie");
  });
  test("a reference to an unknown key is ignored", () => {
    const { findings } = importVagen([yaml(`rollout_manager: { max_turns: "${reference("turns")}" }`)]);
    expect(byKey(findings, "rollout_manager.max_turns")).toMatchObject({
      kind: "ignored",
      remark: expect.stringContaining("write the value out"),
    });
  });
  test("a key of the other generation has no effect", () => {
    const { findings } = importVagen([yaml("rollout_manager: { max_turns: 3 }\nfilter: { enable: true }")], {
      generation: "legacy",
    });
    expect(byKey(findings, "filter.enable")).toMatchObject({
      kind: "ignored",
      remark: "A key of VAGEN lite; this file is read as legacy.",
    });
  });
});

describe("files of VAGEN and our own", () => {
  const config = checkedRunConfig({});
  test("are distinguished", () => {
    expect(isVagenConfig(formatRunConfig(config))).toBe(false);
    expect(isVagenConfig("actor: { lr: 1e-3 }\nalgorithm: { gamma: 1 }")).toBe(false);
    for (const name of ["legacy-script.sh", "legacy-dataset.yaml", "lite-trainer.yaml", "lite-train.yaml"])
      expect(isVagenConfig(example(name).text), name).toBe(true);
    for (const file of [...exportVagen(config, "legacy"), ...exportVagen(config, "lite")])
      expect(isVagenConfig(file.text), file.name).toBe(true);
  });
  test.each([
    "rollout: { train_batch_size: 64, temprature: 1 }",
    "rollout: { train_batch_size: 64, max_turn: 3 }",
    "rollout: { max_turn: 3 }",
    "algorithm: { gamma: 0.9 }\nrollout: { temprature: 0.7 }",
    "rollout: { train_batch_size: 64, temprature: 1, max_turn: 3 }",
    "critic: { lrr: 1e-3 }",
    "env: { name: frozenlake }\nreward: { use_stat_reward: true }",
  ])("a misspelt setting leaves a file one of the studio: %s", (text) => {
    expect(isVagenConfig(text)).toBe(false);
  });
});

describe("hostile files are refused quickly", () => {
  const chain = (n: number, times: number) =>
    Array.from({ length: n }, (_, i) => `  k${i}: "${reference(`k.k${i + 1}`).repeat(times)}"`).join("\n");

  test("references that double with each line are cut at 4,096 characters", () => {
    const { findings } = importVagen([yaml(`algorithm:\n  gamma: 1\nk:\n${chain(22, 2)}\n  k22: word`)]);
    expect(ofKind(findings, "refused").map(({ key, remark }) => [key, remark])).toContainEqual([
      "k.k0",
      "k.k0 refers to a text of more than 4096 characters. Write one of these values out.",
    ]);
  });

  test("references that double and form a cycle", () => {
    const { findings } = importVagen([yaml(`k:\n${chain(25, 2)}\n  k25: "${reference("k.k0").repeat(2)}"`)]);
    expect(ofKind(findings, "refused")).toHaveLength(26);
    expect(byKey(findings, "k.k24")).toMatchObject({
      remark: expect.stringMatching(/^k\.k24 refers to a cycle of references: k\.k24 → k\.k25 → k\.k0 → /),
    });
  });

  test("a chain of 1,000 references", () => {
    const { findings } = importVagen([yaml(`k:\n${chain(1000, 1)}\n  k1000: word`)]);
    expect(byKey(findings, "k.k0")).toMatchObject({
      remark: "k.k0 refers to a value more than 32 references away. Write one of these values out.",
    });
  });

  test.each([
    ["collection keys", "? ".repeat(472), "a key is not a plain word"],
    ["300 KB", "a".repeat(300_000), "300000 characters"],
    ["3,000 overrides", "a.b=1 ".repeat(3000), "3000 overrides, more than the 2000"],
    ["3,000 comments", "# studio: seed = 1\n".repeat(3000), "3000 settings of the studio"],
  ])("%s", (_, text, words) => {
    expect(() => importVagen([yaml(text)])).toThrow(
      expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(words) }),
    );
  });
});

describe("what a key means depends on the generation", () => {
  const lite = (...overrides: string[]) => importVagen([], { generation: "lite", overrides }).config;

  test("Lite's estimator is gae, and default_gae with a harness", () => {
    expect(lite("trainer.concat_multi_turn=True").algorithm.adv_estimator).toBe("masked_gae");
    for (const layout of ["concat", "no_concat", "null"])
      expect(lite(`trainer.harness=${layout}`).algorithm.adv_estimator).toBe("default_gae");
    expect(lite("trainer.harness=concat", "algorithm.adv_estimator=gae").algorithm.adv_estimator).toBe(
      "masked_gae",
    );
  });

  test.each([
    ["grpo_vectorized", "grpo"],
    ["rloo_vectorized", "rloo"],
  ])("Lite's %s is %s", (theirs, ours) => {
    const overrides = [`algorithm.adv_estimator=${theirs}`, "actor_rollout_ref.rollout.n=4"];
    const { config, findings } = importVagen([], { generation: "lite", overrides });
    expect(config.algorithm.adv_estimator).toBe(ours);
    expect(byKey(findings, "algorithm.adv_estimator")).not.toHaveProperty("remark");
  });

  test("a harness that is null is concat", () => {
    const { trainer, rollout } = lite("trainer.harness=null");
    expect(trainer.harness).toBe("concat");
    expect(rollout).toMatchObject({ use_multi_turn_reward: true, window_size: 20 });
  });

  /** Keys that only the generation of August 2026 has, in files that leave the harness to its default. */
  const NEW = [
    ["algorithm.adv_estimator=bi_level_gae", "algorithm.gamma_turn=0.9", "algorithm.bi_level_mix=1.0"],
    ...["default_gae", "token_level_gae", "turn_level_gae"].map((name) => [
      `algorithm.adv_estimator=${name}`,
    ]),
    ["actor_rollout_ref.actor.policy_loss.loss_mode=turn_ppo"],
    ["trainer.save_best_actor=true"],
  ];
  const OURS_OF_AUGUST = { use_multi_turn_reward: true, loss_agg_mode: "token-mean", harness: "concat" };
  const OURS_BEFORE = {
    ...OURS_OF_AUGUST,
    use_multi_turn_reward: false,
    loss_agg_mode: "seq-mean-token-mean",
  };
  const decisive = ({ rollout, actor, trainer }: RunConfig) => ({
    use_multi_turn_reward: rollout.use_multi_turn_reward,
    loss_agg_mode: actor.loss_agg_mode,
    harness: trainer.harness,
  });

  test.each(NEW)("files without a harness are of August 2026 by %s", (...overrides) => {
    expect(decisive(lite(...overrides))).toEqual(OURS_OF_AUGUST);
    expect(decisive(lite("trainer.concat_multi_turn=True", ...overrides))).toEqual(OURS_BEFORE);
    expect(lite(...overrides, "trainer.harness=no_concat").trainer.harness).toBe("no_concat");
  });

  test.each(["prompt_format: wm_think", "state_reward: { state_estimation: { enable: true, reward: 0.1 } }"])(
    "and by an entry with %s",
    (option) => {
      const envs = `envs:\n  - { name: Sokoban, n_envs: 4, max_turns: 3, config: { ${option} } }`;
      const overrides = ["actor_rollout_ref.actor.optim.lr=1e-6"];
      expect(decisive(importVagen([yaml(envs)], { overrides }).config)).toEqual(OURS_OF_AUGUST);
    },
  );

  test("files with nothing new are of Lite", () => {
    expect(decisive(lite("algorithm.adv_estimator=gae"))).toEqual(OURS_BEFORE);
    const { algorithm } = lite("algorithm.lambda_turn=0.9");
    expect(algorithm.adv_estimator).toBe("default_gae");
  });

  test.each(["legacy", "lite"] as const)(
    "a KL loss of %s has veRL's coefficient and estimator",
    (generation) => {
      const overrides = ["actor_rollout_ref.actor.use_kl_loss=True"];
      const { config, findings } = importVagen([], { generation, overrides });
      expect(config.actor).toMatchObject({ use_kl_loss: true, kl_loss_coef: 0.001, kl_loss_type: "k3" });
      expect(byKey(findings, "actor_rollout_ref.actor.kl_loss_coef")).toMatchObject({ kind: "assumed" });
    },
  );

  test("a legacy entry without test_size has 100 levels of validation", () => {
    const { config } = importVagen([yaml("lake: { env_name: frozenlake, env_config: {}, train_size: 50 }")]);
    expect(config.trainer.val_size).toBe(100);
  });

  test.each([undefined, "gae"])("legacy's plain gae reads every token: %s", (estimator) => {
    const chosen = estimator === undefined ? [] : [`algorithm.adv_estimator=${estimator}`];
    const { config } = importVagen([], {
      generation: "legacy",
      overrides: ["rollout_manager.max_turns=3", "rollout_manager.use_gae_mask=True", ...chosen],
    });
    expect(config.algorithm).toMatchObject({ adv_estimator: "gae", kl_in_reward_tokens: "all" });
    expect(config.rollout).toMatchObject({ use_gae_mask: false, use_loss_mask: true });
  });

  test.each(["masked_gae", "bi_level_gae", "turn_wise_gae"])("legacy's %s reads its own", (estimator) => {
    const { config } = importVagen([], {
      generation: "legacy",
      overrides: ["rollout_manager.max_turns=3", `algorithm.adv_estimator=${estimator}`],
    });
    expect(config.algorithm.kl_in_reward_tokens).toBe("policy");
    expect(config.rollout.use_gae_mask).toBe(true);
  });
});

test.each([
  [
    ["clip_ratio=0.3", "clip_ratio_low=null", "clip_ratio_high=null"],
    [0.3, 0],
  ],
  [
    ["clip_ratio=0.3", "clip_ratio_low=null", "clip_ratio_high=0.4"],
    [0.3, 0.4],
  ],
  [
    ["clip_ratio=0.3", "clip_ratio_low=0.1", "clip_ratio_high=null"],
    [0.1, 0.3],
  ],
  [
    ["clip_ratio_low=null", "clip_ratio_high=0.2"],
    [0.2, 0],
  ],
  [["clip_ratio=0.3"], [0.2, 0]],
  [
    ["clip_ratio_low=0.1", "clip_ratio_high=0.28"],
    [0.1, 0.28],
  ],
])("veRL's bounds of the ratio, null where clip_ratio counts: %j", (keys, expected) => {
  const overrides = keys.map((key) => `actor_rollout_ref.actor.${key}`);
  const { config, findings } = importVagen([], { generation: "lite", overrides });
  expect([config.actor.clip_ratio, config.actor.clip_ratio_high]).toEqual(expected);
  expect(ofKind(findings, "refused")).toEqual([]);
});

test("a negative number of warm-up steps leaves them to their share", () => {
  const key = "actor_rollout_ref.actor.optim.lr_warmup_steps";
  const { config, findings } = set(`${key}=-1`);
  expect(config.actor.lr_warmup_updates).toBe(0);
  expect(byKey(findings, key)).toMatchObject({
    kind: "ignored",
    remark: expect.stringContaining("lr_warmup_steps_ratio"),
  });
  expect(set(`${key}=12`).config.actor.lr_warmup_updates).toBe(12);
});

describe("the mean of the losses", () => {
  const ACTOR = "actor_rollout_ref.actor";
  const means = (...overrides: string[]) => {
    const { config } = set("trainer.concat_multi_turn=True", ...overrides);
    return [config.actor.loss_agg_mode, config.critic.loss_agg_mode];
  };

  test("is that of micro-batches of one sequence, averaged", () => {
    expect(means()).toEqual(["seq-mean-token-mean", "seq-mean-token-mean"]);
    expect(means(`${ACTOR}.loss_agg_mode=token-mean`)).toEqual([
      "seq-mean-token-mean",
      "seq-mean-token-mean",
    ]);
    expect(means(`${ACTOR}.loss_agg_mode=seq-mean-token-sum-norm`, "critic.loss_agg_mode=token-sum")).toEqual(
      ["seq-mean-token-sum-norm", "seq-mean-token-sum"],
    );
  });

  test("follows the actor's in the critic, and is each one's own with larger micro-batches", () => {
    expect(means(`${ACTOR}.loss_agg_mode=seq-mean-token-sum`)).toEqual([
      "seq-mean-token-sum",
      "seq-mean-token-sum",
    ]);
    expect(means(`${ACTOR}.ppo_micro_batch_size_per_gpu=8`)).toEqual(["token-mean", "seq-mean-token-mean"]);
    expect(means("critic.ppo_micro_batch_size_per_gpu=8")).toEqual(["seq-mean-token-mean", "token-mean"]);
  });

  test("is over all tokens of the minibatch from August 2026 on, whatever the micro-batches", () => {
    const august = "trainer.harness=concat";
    expect(means(august)).toEqual(["token-mean", "token-mean"]);
    expect(means(august, `${ACTOR}.ppo_micro_batch_size_per_gpu=1`)).toEqual(["token-mean", "token-mean"]);
    expect(means(august, `${ACTOR}.loss_agg_mode=token-sum`)).toEqual(["token-sum", "token-sum"]);
    expect(
      means(august, `${ACTOR}.loss_agg_mode=seq-mean-token-mean`, "critic.loss_agg_mode=token-mean"),
    ).toEqual(["seq-mean-token-mean", "token-mean"]);
  });

  test("is not dismissed as hardware: the report says what a micro-batch means", () => {
    const { findings } = set(`${ACTOR}.ppo_micro_batch_size_per_gpu=1`);
    expect(byKey(findings, `${ACTOR}.ppo_micro_batch_size_per_gpu`)).toMatchObject({
      kind: "applied",
      path: "actor.loss_agg_mode",
      ours: "seq-mean-token-mean",
      remark: "VAGEN averages over micro-batches, and each of them has one sequence.",
    });
  });
});

test("the losses of veRL and VAGEN keep their names and numbers", () => {
  const ACTOR = "actor_rollout_ref.actor";
  const { config, findings } = set(
    `${ACTOR}.policy_loss.loss_mode=clip_cov`,
    `${ACTOR}.policy_loss.clip_cov_ub=7`,
    `${ACTOR}.policy_loss.kl_cov_ratio=0.01`,
    `${ACTOR}.tau_neg=1.2`,
    `${ACTOR}.use_kl_loss=True`,
    `${ACTOR}.kl_loss_type=low_var_kl+`,
  );
  expect(config.actor).toMatchObject({
    loss_mode: "clip_cov",
    clip_cov_ub: 7,
    kl_cov_ratio: 0.01,
    tau_neg: 1.2,
    kl_loss_type: "k3+",
  });
  expect(ofKind(findings, "unsupported")).toEqual([]);
  for (const mode of ["turn_ppo", "turn_gspo", "geo_mean", "cispo"])
    expect(set(`${ACTOR}.policy_loss.loss_mode=${mode}`).config.actor.loss_mode).toBe(mode);
});

describe("where the legacy critic learns", () => {
  const MASK = "critic.use_reward_mask";
  const maskWith = (estimator: string, value: string) => {
    const overrides = [`algorithm.adv_estimator=${estimator}`, `${MASK}=${value}`];
    return byKey(importVagen([], { generation: "legacy", overrides }).findings, MASK);
  };

  test("is missed where turn_wise_gae has none", () => {
    const overrides = ["algorithm.adv_estimator=turn_wise_gae"];
    const { findings } = importVagen([], { generation: "legacy", overrides });
    expect(byKey(findings, "algorithm.adv_estimator")).toMatchObject({
      kind: "applied",
      remark: expect.stringContaining(`refuses to start turn_wise_gae without ${MASK}=true`),
    });
    expect(maskWith("turn_wise_gae", "true")?.kind).toBe("ignored");
  });

  test.each(["gae", "masked_gae", "bi_level_gae"])("is unsupported at turn ends with %s", (estimator) => {
    expect(maskWith(estimator, "true")).toMatchObject({
      kind: "unsupported",
      remark: `With ${estimator} the studio's critic learns at every token of the policy.`,
    });
  });

  test.each([
    ["turn_wise_gae", "true"],
    ["masked_gae", "false"],
    // It has no critic.
    ["grpo", "true"],
  ])("is what %s has with %s", (estimator, value) => {
    expect(maskWith(estimator, value)).toMatchObject({ kind: "ignored" });
  });

  test("must be turn ends with turn_wise_gae", () => {
    expect(maskWith("turn_wise_gae", "false")).toMatchObject({
      kind: "refused",
      remark: `${MASK} is false; turn_wise_gae trains the critic at turn ends only, in VAGEN as here. Set it to true.`,
    });
  });
});

test("a value clip of 0 is applied, and the report says that it means something else there", () => {
  const { config, findings } = set("critic.cliprange_value=0");
  expect(config.critic.cliprange_value).toBe(0);
  expect(byKey(findings, "critic.cliprange_value")).toMatchObject({
    kind: "applied",
    remark: expect.stringContaining("here it means no clipping"),
  });
  expect(byKey(set("critic.cliprange_value=0.2").findings, "critic.cliprange_value")).not.toHaveProperty(
    "remark",
  );
});

test("the report says which seeds of legacy Sokoban have a level of the studio's", () => {
  const { config, findings } = importVagen([
    yaml("a: { env_name: sokoban, train_size: 500 }", "dataset.yaml"),
  ]);
  expect(ofKind(findings, "assumed").find(({ path }) => path === "env.config.levels")).toMatchObject({
    ours: "legacy",
    remark: expect.stringMatching(/one in four by default; the studio draws a level of its own/),
  });
  const seeds = Array.from({ length: 120 }, (_, i) => i + 1);
  const options = config.env.config as SokobanConfig;
  const own = seeds.filter((seed) => levelOf(options, seed).source === "studio");
  expect(own.length / seeds.length).toBeCloseTo(0.25, 1);
});
