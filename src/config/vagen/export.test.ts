import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { envs } from "../../envs/index.ts";
import { applyChanges } from "../changes.ts";
import { checkedRunConfig } from "../check.ts";
import { parseOverride } from "../overrides.ts";
import { presets } from "../presets.ts";
import { exportVagen, tasksToPrepare, trainedOtherwise } from "./export.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import type { VagenFile } from "./parse/file.ts";

const preset = (id: string) => presets.get(id).config;

describe.each(["legacy", "lite"] as const)("to %s and back", (generation) => {
  test.each(presets.all.map(({ id, config }) => [id, config] as const))("%s is the same", (_, config) => {
    const files = exportVagen(config, generation);
    const back = importVagen(files);
    expect(back.config).toEqual(config);
    expect(back.generation).toBe(generation);
    expect([...ofKind(back.findings, "unknown"), ...ofKind(back.findings, "refused")]).toEqual([]);
  });

  test.each([
    ["groups", ["rollout.n_trajectory=8", "algorithm.adv_estimator=gae", "actor.ppo_mini_batch_size=30"]],
    ["a format that Lite does not have", ["rollout.prompt_format=grounding"]],
    ["a format that only Lite has", ["rollout.prompt_format=free_wm"]],
    ["states as dictionaries", ["rollout.state_format=structured"]],
    ["drawn states", ["rollout.state_format=symbolic", "rollout.response_length=80"]],
    ["drawn states in Lite's order", ["rollout.prompt_format=wm", "rollout.state_format=structured"]],
    ["a format of August 2026", ["rollout.prompt_format=wm_2026"]],
    ["such a format turn by turn", ["rollout.prompt_format=answer", "trainer.concat_multi_turn=false"]],
    ["the other generation's rewards", ["env.preset=legacy"]],
    ["another scoring of claims", ["reward.judge_scoring=rubric", "reward.repetition_penalty=0.2"]],
    ["no rewards for claims", ["reward.use_state_reward=false"]],
    ["a fixed map", ["env.config.desc=[SFF, FHF, FFG]"]],
    [
      "KL in the reward",
      ["algorithm.use_kl_in_reward=true", "actor.use_kl_loss=false", "algorithm.kl_penalty=k3"],
    ],
    ["a critic that goes first", ["trainer.critic_warmup=20"]],
    ["a critic with steps of its own", ["critic.ppo_epochs=4", "critic.ppo_mini_batch_size=16"]],
    ["no KL at all", ["actor.use_kl_loss=false"]],
    ["no validation, no saving", ["trainer.test_freq=0", "trainer.save_freq=100000"]],
    ["a switch as a name", ['name="off"', 'description="1:30"']],
    ["a reference to itself as a name", [`name="${"$"}{trainer.experiment_name}"`]],
    ["words that YAML could misread", ['name="yes: # no"', 'description="line\\nline # studio: seed = 5"']],
  ])("%s is the same", (_, overrides) => {
    const config = overridden(overrides);
    expect(importVagen(exportVagen(config, generation)).config).toEqual(config);
  });

  test("without its comments a file still carries the method", () => {
    const config = preset("frozenlake-nano");
    const bare = withoutComments(exportVagen(config, generation));
    const back = importVagen(bare).config;
    const { train_batch_size, max_turns, response_length } = config.rollout;
    // Lite has the same parts, with the prediction behind the answer.
    const prompt_format = generation === "lite" ? "wm" : config.rollout.prompt_format;
    expect(back.rollout).toMatchObject({ train_batch_size, max_turns, response_length, prompt_format });
    const { lr, ppo_epochs, kl_loss_coef } = config.actor;
    expect(back.actor).toMatchObject({ lr, ppo_epochs, kl_loss_coef, kl_loss_type: "k3" });
    expect(back.env.config).toMatchObject({ size: 4, p: 0.8, max_actions_per_step: 5 });
  });
});

test("says above a rate whose it may be, which is true of the studio's rate and of one that was imported", () => {
  const NOTE =
    "# A model of billions of parameters needs a rate some hundred times lower than the studio's small policies.";
  for (const lr of [1e-3, 1e-6]) {
    const [trainer] = exportVagen(overridden([`actor.lr=${lr}`]), "lite");
    const lines = trainer!.text.split("\n").map((line) => line.trim());
    const at = lines.findIndex((line) => line.startsWith("lr:") && Number(line.slice(3)) === lr);
    expect(lines[at - 1]).toBe(NOTE);
  }
});

const overridden = (overrides: readonly string[]) =>
  applyChanges(
    preset("frozenlake-nano"),
    Object.fromEntries(overrides.map(parseOverride).map(({ path, value }) => [path, value])),
  );

test.each(["answer", "free_think_2026", "wm_2026", "wm_think", "wm", "free_wm"])(
  "%s comes back to the same format of Lite's, also where the comments are lost",
  (format) => {
    // Lite has no layout compact, so a run with it is written in the words of the generation that has.
    const isLite = ["wm", "free_wm"].includes(format);
    for (const harness of ["concat", "no_concat", ...(isLite ? [] : ["compact"])]) {
      const config = overridden([`rollout.prompt_format=${format}`, `trainer.harness=${harness}`]);
      const bare = withoutComments(exportVagen(config, "lite"));
      const { rollout, trainer } = importVagen(bare).config;
      expect([rollout.prompt_format, trainer.harness]).toEqual([format, harness]);
    }
  },
);

/** Files as VAGEN reads them. */
const withoutComments = (files: readonly VagenFile[]): VagenFile[] =>
  files.map(({ name, text }) => ({ name, text: text.replace(/^\s*#.*$/gm, "") }));

const TASKS = ["frozenlake-nano", "sokoban-nano", "primitive-skill-small", "navigation-small", "svg-small"];

/** Every key of a tree, one a line. */
const keysOf = (tree: unknown): string =>
  typeof tree === "object" && tree !== null
    ? Object.entries(tree)
        .map(([key, below]) => `${key}\n${keysOf(below)}`)
        .join("")
    : "";

describe("what has to be done before VAGEN plays the files", () => {
  test("is nothing for the environments of its registry", () => {
    for (const name of ["frozenlake-nano", "sokoban-nano", "primitive-skill-small"])
      expect([...tasksToPrepare(preset(name), "legacy"), ...tasksToPrepare(preset(name), "lite")]).toEqual(
        [],
      );
  });

  test("is an address for what Lite plays on a server, and a class for what it does not have", () => {
    const walk = checkedRunConfig({ env: { name: "navigation" } });
    expect(tasksToPrepare(walk, "lite")).toEqual([
      "VAGEN plays navigation on a server: fill in config.base_urls of its entries.",
    ]);
    expect(tasksToPrepare(walk, "legacy")).toEqual([]);
    expect(tasksToPrepare(preset("blackjack-nano"), "lite")).toEqual([
      "VAGEN-Lite has no environment for blackjack: register one under the name Blackjack, or leave the entry out.",
    ]);
    expect(tasksToPrepare(preset("spatial-gym-small"), "legacy")[0]).toContain(
      "has no environment for spatial-gym",
    );
  });

  test("is another set of tasks where VAGEN does not have it", () => {
    const tasks = (eval_set: string, generation: "legacy" | "lite") =>
      tasksToPrepare(
        checkedRunConfig({ env: { name: "navigation", config: { eval_set } } }),
        generation,
      ).filter((what) => what.includes("eval_set"));
    const choice = "base, common_sense, complex_instruction, visual_appearance";
    expect(tasks("all_styles_train", "lite")).toEqual([
      `VAGEN-Lite does not have config.eval_set "all_styles_train": replace it in its entries by ${choice}, long_horizon, base_train, common_sense_train or long_horizon_train.`,
    ]);
    expect(tasks("base_train", "lite")).toEqual([]);
    expect(tasks("base_train", "legacy")).toEqual([
      `VAGEN's legacy release does not have env_config.eval_set "base_train": replace it in its entries by ${choice} or long_horizon.`,
    ]);
    // A legacy file has no entries to validate on.
    const val_sets = { more: { seeds: "1-3", config: { eval_set: "base_train" } } };
    const config = checkedRunConfig({ env: { name: "navigation" }, trainer: { val_sets } });
    expect(tasksToPrepare(config, "legacy")).toEqual([]);
  });

  test("is said once for several entries of an environment", () => {
    const several = preset("three-tasks-small");
    expect(tasksToPrepare(several, "lite").filter((what) => what.includes("server"))).toHaveLength(1);
    expect(tasksToPrepare(several, "lite").filter((what) => what.includes("eval_set"))).toHaveLength(1);
  });
});

describe("the files", () => {
  test("are those that each generation reads", () => {
    const names = (generation: "legacy" | "lite") =>
      exportVagen(preset("frozenlake-nano"), generation).map(({ name }) => name);
    expect(names("legacy")).toEqual(["trainer.yaml", "dataset.yaml"]);
    expect(names("lite")).toEqual(["trainer.yaml", "train.yaml", "val.yaml"]);
  });

  test("turn on what rewards for reasoning need in the legacy trainer", () => {
    const [trainer, dataset] = exportVagen(preset("frozenlake-nano"), "legacy");
    expect(parse(trainer!.text)).toMatchObject({ rollout_manager: { use_service: true } });
    expect(parse(dataset!.text)).toMatchObject({ env1: { env_config: { use_state_reward: true } } });
  });

  test("quote what Hydra would read as a switch or a number", () => {
    const written = (name: string) => exportVagen(overridden([`name="${name}"`]), "lite")[0]!.text;
    expect(written("off")).toContain('experiment_name: "off"');
    expect(written("010")).toContain('experiment_name: "010"');
    expect(written("lake")).toContain("experiment_name: lake");
  });

  test("name formats as each generation does", () => {
    const names = (...overrides: string[]) => {
      const [, legacy] = exportVagen(overridden(overrides), "legacy");
      const [, lite] = exportVagen(overridden(overrides), "lite");
      return [
        parse(legacy!.text).env1.env_config.prompt_format,
        parse(lite!.text).envs[0].config.prompt_format,
      ];
    };
    expect(names("rollout.prompt_format=grounding", "rollout.state_format=structured")).toEqual([
      "grounding_structured",
      "free_think",
    ]);
    expect(names("rollout.prompt_format=free_wm")).toEqual(["grounding_worldmodeling", "free_wm"]);
    expect(names("rollout.prompt_format=wm")).toEqual(["grounding_worldmodeling", "wm"]);
    expect(names()).toEqual(["grounding_worldmodeling", "wm"]);
  });

  test.each([
    ["navigation", { free_think: "free_think", wm: "wm", free_wm: "wm", grounding_worldmodeling: "wm" }],
    ["navigation", { no_think: "no_think", answer: "no_think", wm_think: "wm", wm_2026: "wm" }],
    ["primitive-skill", { free_think: "free_think", wm: "wm", free_wm: "wm", no_think: "free_think" }],
    ["svg", { free_think: "free_think", wm: "wm", free_wm: "free_wm", grounding_worldmodeling: "wm" }],
    ["svg", { wm_2026: "wm", wm_think: "free_wm", no_think: "free_think", answer: "free_think" }],
    ["svg", { grounding: "free_think", worldmodeling: "free_think" }],
  ])("name the formats that Lite's %s knows: %j", (env, names) => {
    const judge = envs.get(env).claims.length > 0 ? {} : { judge: { name: "off" } };
    const written = Object.keys(names).map((prompt_format) => {
      const config = checkedRunConfig({ env: { name: env }, rollout: { prompt_format }, ...judge });
      const [, lite] = exportVagen(config, "lite");
      return [prompt_format, parse(lite!.text).envs[0].config.prompt_format];
    });
    expect(Object.fromEntries(written)).toEqual(names);
  });

  test.each(["free_think", "wm", "free_wm", "wm_2026", "wm_think"])(
    "keep SVG's %s without their comments",
    (prompt_format) => {
      const config = checkedRunConfig({ env: { name: "svg" }, rollout: { prompt_format } });
      const bare = withoutComments(exportVagen(config, "lite"));
      expect(importVagen(bare).config.rollout.prompt_format).toBe(prompt_format);
    },
  );

  test.each(["legacy", "lite"] as const)(
    "write SVG's format_penalty and weight of structure for %s, and read them back",
    (generation) => {
      const options = { format_penalty: -0.25, structural_weight: 7 };
      const config = checkedRunConfig({
        env: { name: "svg", config: options },
        rollout: { prompt_format: "free_think" },
      });
      const files = exportVagen(config, generation);
      expect(files[1]!.text).toContain("format_penalty: -0.25");
      expect(files[1]!.text).toContain("structural_weight: 7");
      expect(importVagen(files).config.env.config).toMatchObject(options);
    },
  );

  test.each(["legacy", "lite"] as const)(
    "keep what follows a refused drawing, and the weight of edges, in comments for %s",
    (generation) => {
      for (const refused_drawing of ["continue", "end"]) {
        const options = { refused_drawing, edge_weight: 10 };
        const config = checkedRunConfig({
          env: { name: "svg", config: options },
          rollout: { prompt_format: "free_think" },
        });
        const files = exportVagen(config, generation);
        expect(files[1]!.text).toContain("# studio: env.config.edge_weight = 10");
        expect(files[1]!.text).toContain("structural_weight: 0");
        expect(importVagen(files).config.env.config).toMatchObject(options);
      }
    },
  );

  test("say that Lite's SVG has no format with observations alone", () => {
    const config = preset("svg-small");
    const [trainer, train] = exportVagen(config, "lite");
    expect(train!.text).toContain("prompt_format: free_think");
    expect(trainer!.text).toContain('# studio: rollout.prompt_format = "grounding"');
    expect(trainedOtherwise(config, "lite")).toContainEqual({
      path: "rollout.prompt_format",
      value: "grounding",
    });
  });

  test.each(["no_think", "eval_mode"])("keep Navigation's %s without their comments", (prompt_format) => {
    const rollout = { prompt_format, reply_reading: "lite" };
    const config = checkedRunConfig({ env: { name: "navigation" }, rollout });
    const bare = withoutComments(exportVagen(config, "lite"));
    expect(parse(bare[1]!.text).envs[0].config.prompt_format).toBe(prompt_format);
    expect(importVagen(bare).config.rollout).toMatchObject(rollout);
  });

  test("pay Navigation's format at each turn, and what an episode's earns at the end", () => {
    const options = { format_reward: 0.2, episode_format_reward: 0.5 };
    const config = checkedRunConfig({ env: { name: "navigation", config: options } });
    const [, lite] = exportVagen(config, "lite");
    const written = { per_turn_format_reward: 0.2, format_reward: 0.5 };
    expect(parse(lite!.text).envs[0].config).toMatchObject(written);
    expect(importVagen(exportVagen(config, "lite")).config.env.config).toMatchObject(options);
    const [, legacy] = exportVagen(config, "legacy");
    expect(parse(legacy!.text).env1.env_config).toMatchObject({ format_reward: 0.2 });
    // The legacy release has no such bonus: the setting is kept as a comment.
    expect(legacy!.text).toMatch(/# .*episode_format_reward.* 0\.5/);
  });

  test.each(["svg", "blackjack"])("name a format of the legacy release's %s that states nothing", (env) => {
    const names = ["free_think", "no_think", "boxed", "answer"].map((prompt_format) => {
      const config = checkedRunConfig({
        env: { name: env },
        rollout: { prompt_format },
        judge: { name: "off" },
      });
      return parse(exportVagen(config, "legacy")[1]!.text).env1.env_config.prompt_format;
    });
    expect(names).toEqual(["free_think", "no_think", "free_think", "no_think"]);
  });

  test("count levels where VAGEN counts levels", () => {
    const config = overridden([
      "rollout.train_batch_size=64",
      "rollout.n_trajectory=8",
      "actor.ppo_mini_batch_size=32",
    ]);
    expect(parse(exportVagen(config, "lite")[0]!.text)).toMatchObject({
      data: { train_batch_size: 8 },
      actor_rollout_ref: { rollout: { n: 8 }, actor: { ppo_mini_batch_size: 4 } },
    });
    expect(parse(exportVagen(config, "legacy")[0]!.text)).toMatchObject({
      data: { train_batch_size: 8 },
      rollout_manager: { n_trajectory: 8 },
      actor_rollout_ref: { actor: { ppo_mini_batch_size: 32 } },
    });
  });

  test.each(envs.ids)("have no dot in a key: %s", (env) => {
    const judge = envs.get(env).claims.length > 0 ? {} : { judge: { name: "off" } };
    const format = { rollout: { prompt_format: env === "visual-math" ? "boxed" : "free_think" } };
    const config = checkedRunConfig({ env: { name: env }, ...format, ...judge });
    for (const generation of ["legacy", "lite"] as const)
      for (const { text } of exportVagen(config, generation)) expect(keysOf(parse(text))).not.toMatch(/\./);
  });

  test("have rewards for claims in a section, and only in Sokoban", () => {
    const options = (name: string) =>
      parse(exportVagen(preset(name), "lite")[1]!.text).envs[0].config as Record<string, unknown>;
    expect(options("sokoban-nano").state_reward).toEqual({
      state_estimation: { enable: true, reward: 0.25 },
      transition_prediction: { enable: true, reward: 0.25 },
      score_base: 0,
      scorer: "exact",
      credit_site: "turn_end",
      aggregation: "per_turn",
    });
    for (const other of [
      "frozenlake-nano",
      "navigation-small",
      "primitive-skill-small",
      "svg-small",
      "spatial-gym-small",
    ])
      expect(options(other)).not.toHaveProperty("state_reward");
    expect(options("spatial-gym-small")).toMatchObject({ prompt_config: { enable_think: true } });
  });

  test.each(["active", "passive"])("say how SpatialGym is explored: %s", (exp_type) => {
    const config = applyChanges(preset("spatial-gym-small"), { "env.config.exp_type": exp_type });
    const files = exportVagen(config, "lite");
    expect(parse(files[1]!.text).envs[0].config.exp_type).toBe(exp_type);
    expect(importVagen(withoutComments(files)).config.env.config.exp_type).toBe(exp_type);
  });

  test("name the folder of SpatialGym's rooms where there are two", () => {
    const back = (rooms: number) => {
      const config = applyChanges(preset("spatial-gym-small"), { "env.config.rooms": rooms });
      const files = exportVagen(config, "lite");
      return [
        parse(files[1]!.text).envs[0].config.data_dir,
        importVagen(withoutComments(files)).config.env.config.rooms,
      ];
    };
    expect(back(1)).toEqual([undefined, 1]);
    expect(back(2)).toEqual(["vagen/envs/spatial_gym/room_data/2-room", 2]);
  });

  test("pay in VAGEN what the claims of a Sokoban run earn, and only then", () => {
    const written = (...more: string[]) => {
      const config = applyChanges(preset("sokoban-nano"), {
        "reward.judge_scoring": "clauses",
        ...Object.fromEntries(more.map(parseOverride).map(({ path, value }) => [path, value])),
      });
      const files = exportVagen(config, "lite");
      return {
        options: parse(files[1]!.text).envs[0].config,
        reward: importVagen(withoutComments(files)).config.reward,
      };
    };
    const one = written("reward.score_base=0.625", "reward.worldmodeling_reward_weight=0");
    expect(one.options.state_reward).toMatchObject({
      state_estimation: { enable: true, reward: 0.25 },
      transition_prediction: { enable: false },
      scorer: "exact",
    });
    expect(one.reward).toMatchObject({
      use_state_reward: true,
      grounding_reward_weight: 0.25,
      worldmodeling_reward_weight: 0,
      score_base: 0.625,
      judge_scoring: "clauses",
    });
    expect(written("reward.use_state_reward=false").options).not.toHaveProperty("state_reward");
  });

  test.each(["svg", "blackjack"])("ask for no judge in the legacy release's %s, which has none", (env) => {
    const judge = { name: env === "svg" ? "rule" : "off" };
    const format = env === "svg" ? "grounding" : "free_think";
    const config = checkedRunConfig({ env: { name: env }, rollout: { prompt_format: format }, judge });
    expect(config.reward.use_state_reward).toBe(true);
    const [, dataset] = exportVagen(config, "legacy");
    expect(parse(dataset!.text).env1.env_config.use_state_reward).toBe(false);
    expect(importVagen(exportVagen(config, "legacy")).config.reward.use_state_reward).toBe(true);
  });

  test("name environments as VAGEN's registries do", () => {
    const names = (generation: "legacy" | "lite") =>
      TASKS.map((name) => {
        const [, dataset] = exportVagen(preset(name), generation);
        const tree = parse(dataset!.text);
        return generation === "legacy" ? tree.env1.env_name : tree.envs[0].name;
      });
    expect(names("legacy")).toEqual(["frozenlake", "sokoban", "primitive_skill", "navigation", "svg"]);
    expect(names("lite")).toEqual(["FrozenLake", "Sokoban", "PrimitiveSkill", "RemoteEnv", "RemoteEnv"]);
  });

  test.each(["navigation-small", "svg-small"])("leave the address of the server of %s to fill in", (name) => {
    const [, train, val] = exportVagen(preset(name), "lite");
    for (const { text } of [train!, val!])
      expect(parse(text).envs[0].config.base_urls).toBe("http://HOST:PORT");
    expect(train!.text).toContain(
      "# Fill in the address of your server of this environment.\n      base_urls",
    );
    expect(exportVagen(preset(name), "legacy")[1]!.text).not.toContain("base_urls");
  });

  test("use other levels for validation than for training", () => {
    const [, train, val] = exportVagen(preset("sokoban-nano"), "lite");
    expect(parse(train!.text).envs[0]).toMatchObject({ name: "Sokoban", seed: [1, 10000, 1], n_envs: 10000 });
    expect(parse(val!.text).envs[0].seed[0]).toBe(10001);
  });

  test("say above a key what it cannot carry, and at the end what has none", () => {
    const [trainer] = exportVagen(preset("frozenlake-nano"), "lite");
    expect(trainer!.text).toContain('# studio: actor.kl_loss_type = "full"\n    kl_loss_type: low_var_kl');
    expect(trainer!.text).toContain("# studio: reward.use_state_reward = true");
    expect(trainer!.text).toContain("# studio: model.hidden_size = 32");
  });
});

/** Runs that only the generation of August 2026 has a layout for. */
const AUGUST = ["rollout.prompt_format=wm_2026", "trainer.harness=compact"];

test.each([
  [["algorithm.adv_estimator=default_gae"], "default_gae"],
  [["algorithm.adv_estimator=token_level_gae"], "token_level_gae"],
  [["algorithm.adv_estimator=turn_level_gae"], "turn_level_gae"],
  [["algorithm.adv_estimator=bi_level_gae", "algorithm.high_level_gamma=0.9"], "bi_level_gae"],
  [["algorithm.adv_estimator=bi_level_gae_variable_clock"], "bi_level_gae"],
  [["algorithm.adv_estimator=masked_gae"], "gae"],
])("the estimator of a run of August 2026 comes back without its comments: %j", (overrides, name) => {
  const config = overridden([...AUGUST, ...overrides]);
  const bare = withoutComments(exportVagen(config, "lite"));
  expect(parse(bare[0]!.text).algorithm.adv_estimator).toBe(name);
  const { algorithm } = importVagen(bare).config;
  expect(algorithm.adv_estimator).toBe(config.algorithm.adv_estimator);
  if (name === "bi_level_gae" && overrides.length > 1) expect(algorithm.high_level_gamma).toBe(0.9);
});

test.each(["bi_level_gae", "bi_level_gae_variable_clock"])(
  "%s keeps its name in the layout of before",
  (id) => {
    const config = overridden([`algorithm.adv_estimator=${id}`]);
    const bare = withoutComments(exportVagen(config, "lite"));
    expect(parse(bare[0]!.text)).toMatchObject({
      algorithm: { adv_estimator: "bi_level_gae" },
      trainer: { concat_multi_turn: true },
    });
    expect(importVagen(bare).config.algorithm.adv_estimator).toBe(id);
  },
);

/** Groups of episodes, which estimators without a critic need. */
const GROUPS = "rollout.n_trajectory=8";

test.each([
  "grpo",
  "grpo_passk",
  "rloo",
  "opo",
  "remax",
  "reinforce_plus_plus",
  "reinforce_plus_plus_baseline",
])("veRL's estimator %s is written under its name for Lite, and comes back", (adv_estimator) => {
  const config = overridden([GROUPS, `algorithm.adv_estimator=${adv_estimator}`]);
  const bare = withoutComments(exportVagen(config, "lite"));
  expect(parse(bare[0]!.text).algorithm.adv_estimator).toBe(adv_estimator);
  expect(importVagen(bare).config.algorithm.adv_estimator).toBe(adv_estimator);
  expect(trainedOtherwise(config, "lite").map(({ path }) => path)).not.toContain("algorithm.adv_estimator");
});

test.each(["rloo", "remax", "reinforce_plus_plus"])(
  "%s, on which the legacy release raises, is kept as a comment and named as trained otherwise",
  (adv_estimator) => {
    const config = overridden([GROUPS, `algorithm.adv_estimator=${adv_estimator}`]);
    const files = exportVagen(config, "legacy");
    expect(parse(files[0]!.text).algorithm.adv_estimator).toBe("masked_gae");
    expect(importVagen(files).config).toEqual(config);
    expect(trainedOtherwise(config, "legacy")).toContainEqual({
      path: "algorithm.adv_estimator",
      value: adv_estimator,
    });
  },
);

test.each(["token-mean", "seq-mean-token-mean", "token-sum"])(
  "the mean of the losses comes back without its comments: %s",
  (mode) => {
    const means = [`actor.loss_agg_mode=${mode}`, `critic.loss_agg_mode=${mode}`];
    const config = overridden([...AUGUST, ...means]);
    const bare = withoutComments(exportVagen(config, "lite"));
    expect(parse(bare[0]!.text).actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu).toBe(1);
    const { actor, critic } = importVagen(bare).config;
    expect([actor.loss_agg_mode, critic.loss_agg_mode]).toEqual([mode, mode]);
  },
);

test("what legacy's plain gae reads comes back without its comments, and another choice with them", () => {
  const every = ["algorithm.kl_in_reward_tokens=all", "rollout.use_gae_mask=false"];
  const inReward = ["algorithm.use_kl_in_reward=true", "actor.use_kl_loss=false", "algorithm.kl_penalty=k1"];
  const gae = overridden(["algorithm.adv_estimator=gae", ...inReward, ...every]);
  const { algorithm, rollout } = importVagen(withoutComments(exportVagen(gae, "legacy"))).config;
  expect([algorithm.kl_in_reward_tokens, rollout.use_gae_mask]).toEqual(["all", false]);
  const own = overridden(["algorithm.adv_estimator=gae", ...inReward]);
  expect(importVagen(exportVagen(own, "legacy")).config).toEqual(own);
  expect(trainedOtherwise(own, "legacy").map(({ path }) => path)).toEqual(
    expect.arrayContaining(["algorithm.kl_in_reward_tokens", "rollout.use_gae_mask"]),
  );
});

test("bounds of the ratio come back without their comments", () => {
  for (const clips of [["actor.clip_ratio=0.3"], ["actor.clip_ratio=0.1", "actor.clip_ratio_high=0.28"]]) {
    const config = overridden(clips);
    const { actor } = importVagen(withoutComments(exportVagen(config, "lite"))).config;
    expect(actor).toMatchObject({
      clip_ratio: config.actor.clip_ratio,
      clip_ratio_high: config.actor.clip_ratio_high,
    });
  }
});

test("updates of the critic alone end one before veRL's step", () => {
  const written = (updates: number) =>
    exportVagen(overridden([`trainer.critic_warmup=${updates}`]), "lite")
      .map(({ text }) => text)
      .join("\n");
  expect(written(3)).toMatch(/critic_warmup: 4/);
  expect(written(0)).toMatch(/critic_warmup: 0/);
});
