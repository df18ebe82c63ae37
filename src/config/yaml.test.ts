import { describe, expect, test } from "vitest";
import { ConfigError } from "../core/errors.ts";
import { applyChanges } from "./changes.ts";
import { checkedRunConfig, inspectRunConfig } from "./check.ts";
import { presets } from "./presets.ts";
import { formatRunConfig, parseRunConfig } from "./yaml.ts";

/** Code, message and hint of the error that reading the text throws. */
function refusal(text: string): { code: string; message: string; hint: string } {
  try {
    parseRunConfig(text, "run.yaml");
  } catch (error) {
    if (error instanceof ConfigError)
      return { code: error.code, message: error.message, hint: error.hint ?? "" };
    throw error;
  }
  throw new Error("it was accepted");
}

describe("reading", () => {
  test("an empty file is the default configuration, with the environment's options", () => {
    const config = parseRunConfig("");
    expect(config).toEqual(checkedRunConfig({}));
    expect(config.env.config).toMatchObject({ size: 4, p: 0.8, max_actions_per_step: 5 });
  });

  test.each([
    ["actor: { lrr: 1e-4 }", "actor.lrr is 0.0001", 'Did you mean "actor.lr"?'],
    ["learning_rate: 1e-4", "learning_rate is ", "Did you mean one of sft.lr, actor.lr, critic.lr?"],
    ["env: { size: 6 }", "env.size is 6", 'Did you mean "env.config.size"?'],
    ["acter: { lr: 1e-4 }", "acter is ", 'Did you mean "actor"?'],
    ["actor: { lr: -1 }", "actor.lr is -1; it must be at least 1e-8", "The default is 0.0004"],
    ["algorithm: { gamma: 2 }", "algorithm.gamma is 2; it must be at most 1", "The default is 1"],
    ["actor: { lr: fast }", 'actor.lr is "fast"; it must be a number', "0.0004"],
    ["rollout: { max_turns: 2.5 }", "rollout.max_turns is 2.5; it must be a whole number", "5"],
    [
      "algorithm: { adv_estimator: bilevel_gae }",
      '"bilevel_gae"; it must be one of "bi_level_gae"',
      '"bi_level_gae"?',
    ],
    ["env: { name: frozen_lake }", 'env.name is "frozen_lake"', 'Did you mean "frozenlake"?'],
    ["env: { config: { slippery: true } }", 'no option of "frozenlake" named "slippery"', '"is_slippery"?'],
    [
      "env: { config: { p: 1.5 } }",
      "env.config.p is 1.5; it must be at most 1",
      "Use a number from 0 to 1. The default is 0.8.",
    ],
    [
      "env: { config: { is_slippery: 7 } }",
      "env.config.is_slippery is 7; it must be a boolean",
      "Use true or false.",
    ],
    ["version: 2", "version is 2; it must be one of 1", "The default is 1"],
    [
      "- a list",
      'The configuration is ["a list"]; it must be a mapping of sections, such as env: and actor:',
      "Write sections",
    ],
  ])("refuses %s", (text, message, hint) => {
    const found = refusal(text);
    expect(found.code).toBe("invalid_config");
    expect(found.message).toContain(message);
    expect(found.hint).toContain(hint);
  });

  test.each([
    [
      "model: { num_attention_heads: 3, num_key_value_heads: 1 }",
      "model.num_attention_heads is 3; model.hidden_size is 64",
      "Use 1, 2, 4, 8 heads",
    ],
    ["model: { num_attention_heads: 16 }", "multiple of 8 channels", "Use 1, 2, 4, 8 heads"],
    ["model: { hidden_size: 20 }", "model.hidden_size is 20, which must split", "multiple of 32"],
    [
      "model: { num_attention_heads: 4, num_key_value_heads: 3 }",
      "it must divide model.num_attention_heads, which is 4",
      "Use one of 1, 2, 4.",
    ],
    ["model: { intermediate_size: 170 }", "multiple of 16", "Use 176."],
    ["model: { vision_layers: 1, vision_heads: 3 }", "model.vision_heads is 3", "heads"],
    ["model: { pixel_shuffle: 3 }", "4 × 4 tiles", "Use 1"],
    ["actor: { ppo_mini_batch_size: 65 }", "it must not exceed the 64 episodes", "rollout.train_batch_size"],
    ["rollout: { n_trajectory: 5 }", "it must divide the 64 episodes", "Use one of 1, 2, 4, 8"],
    ["sft: { one_turn_updates: 2000 }", "sft.total_updates, which is 1000", "Use at most 1000"],
    ["rollout: { temperature: 0 }", "it must be above 0", "Use 1; greedy"],
    ["trainer: { micro_batch_tokens: 256 }", "the longest episode has about 380 tokens", "Use at least 380"],
  ])("refuses values that do not go together: %s", (text, message, hint) => {
    expect(refusal(text)).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  test("lists every problem at once, and names the file", () => {
    const { message, hint } = refusal("actor: { lr: -1, clip_ratio: x }\nsed: 3");
    expect(message).toMatch(/^run\.yaml has 3 problems:/);
    for (const path of ["actor.lr", "actor.clip_ratio", "sed"]) expect(message).toContain(path);
    expect(hint).toBe("");
  });

  test("each problem has its own remedy on its line", () => {
    const lines = refusal("actor: { lr: -2 }\nrollout: { max_turn: 5 }").message.split("\n");
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^- rollout\.max_turn is 5.* Did you mean "rollout.max_turns"\?$/),
      expect.stringMatching(/^- actor\.lr is -2.* Use a number from 1e-8 to 0\.1\./),
    ]);
  });

  test("one round tells what is wrong with sections, environment, its options and pairs of values", () => {
    const { message } = refusal(
      "env: { name: frozenlak, config: { size: 400, pp: 1 } }\nactor: { lr: -2, ppo_mini_batch_size: 65 }",
    );
    expect(message).toMatch(/^run\.yaml has 5 problems:/);
    for (const path of [
      "env.name",
      "env.config.size",
      "env.config.pp",
      "actor.lr",
      "actor.ppo_mini_batch_size",
    ])
      expect(message).toContain(`\n- ${path} `);
  });

  test("values that cannot be judged beside a refused one are left for later", () => {
    // 65 would exceed the default of 64 episodes, but another number of episodes was meant.
    const { message } = refusal("rollout: { train_batch_size: many }\nactor: { ppo_mini_batch_size: 65 }");
    expect(message).toMatch(/^run\.yaml: rollout\.train_batch_size is "many"/);
  });

  test("says where the YAML itself is wrong", () => {
    expect(refusal("actor:\n  lr: 1\n lr: 2")).toMatchObject({
      code: "invalid_yaml",
      message: expect.stringMatching(/run\.yaml is not valid YAML: line 3, column \d+/),
    });
    expect(refusal("seed: 1\nseed: 2")).toMatchObject({
      message: expect.stringMatching(/line 2, column 1: seed appears a second time\.$/),
      hint: "Keep one of the two.",
    });
    expect(refusal("seed: 1\n---\nseed: 2").hint).toContain("---");
    expect(refusal("actor:\n\tlr: 1").hint).toBe("Indent with spaces.");
    expect(refusal("seed: [1").message).toMatch(/[^.]\.$/);
    expect(refusal("envs:\n  __proto__: { name: sokoban }")).toMatchObject({
      message: expect.stringMatching(/line 2, column 3: __proto__ cannot be a key\.$/),
      hint: "Use another name.",
    });
    expect(refusal("RIFF\uFFFD\0\0WEBP")).toMatchObject({
      message: expect.stringMatching(/is not valid YAML: it is not a text file\.$/),
      hint: "Choose a text file.",
    });
    expect(refusal("seed: *nowhere")).toMatchObject({
      code: "invalid_yaml",
      message: expect.stringMatching(/nowhere\.$/),
    });
  });

  test("problems are data for the form", () => {
    expect(inspectRunConfig({ actor: { lr: -1 } }).problems).toMatchObject([{ path: "actor.lr", value: -1 }]);
  });
});

describe("writing", () => {
  test("defaults are left out", () => {
    expect(formatRunConfig(parseRunConfig(""))).toBe("version: 1\n\nenv:\n  name: frozenlake\n");
  });

  test("lists stay on one line, options differ from their environment's defaults only", () => {
    const text = formatRunConfig(
      parseRunConfig("env: { name: sokoban, config: { min_solution_steps: [1, 5] } }"),
    );
    expect(text).toContain("  config:\n    min_solution_steps: [ 1, 5 ]\n");
  });

  test("comments say what a value is", () => {
    const text = formatRunConfig(parseRunConfig("actor: { lr: 1e-4 }"), { comments: true });
    expect(text).toContain("# Policy update\nactor:");
    expect(text).toContain(
      "  # If it is too high, success rises fast and then falls. Default: 0.0004.\n  lr: 0.0001",
    );
  });

  const odd = applyChanges(checkedRunConfig({}), {
    name: "yes: # no",
    description: "two\nlines",
    seed: Number.MAX_SAFE_INTEGER,
    "actor.lr": 1.23456789e-7,
    "env.config.desc": ["SFG"],
    "trainer.init_checkpoint": "null",
  });
  const configs = [odd, ...presets.all.map(({ config }) => config)];

  test.each([{}, { all: true }, { comments: true }, { all: true, comments: true }])(
    "%j comes back the same",
    (options) => {
      for (const config of configs) expect(parseRunConfig(formatRunConfig(config, options))).toEqual(config);
    },
  );
});

// The time limit of these tests is part of the check: the first text once took 65 s, the third 25 s.
describe("a text that is no configuration is refused quickly, with a message of bounded length", () => {
  const unknown = (n: number) => Array.from({ length: n }, (_, i) => `some_key_${i}: 1`).join("\n");
  test.each([
    ["keys that are collections", "? ".repeat(472), "line 1, column 1: a key is not a plain word."],
    ["a hundred brackets", "[".repeat(100), "more than 32 brackets are open."],
    ["11,657 unknown keys", unknown(11_657), "more than 2000 keys"],
    ["1,900 unknown keys", unknown(1900), "The configuration has more than 20 problems:"],
    [
      "900 unknown options",
      `env:\n  config: {${unknown(900).replaceAll("\n", ",")}}`,
      "more than 20 problems",
    ],
    ["a key of 1,000 letters", `${"k".repeat(1000)}: 1`, "(1000 characters)"],
    ["a value of 200 KB", `seed: ${"k".repeat(200_000)}`, "characters); it must be a number"],
    ["300 KB", "#".repeat(300_000), "it has 300000 characters, more than the 262144 that are read."],
  ])(
    "%s",
    (_, text, words) => {
      expect(() => parseRunConfig(text)).toThrow(
        expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(words) }),
      );
      expect(() => parseRunConfig(text)).toThrow(/^.{0,12000}$/s);
    },
    15_000,
  );
});

test("credentials in the address of a judge are not written", () => {
  const config = checkedRunConfig({});
  const judge = { ...config.judge, base_url: "https://me:secret@host/v1?key=secret" };
  for (const options of [{}, { all: true, comments: true }])
    expect(formatRunConfig({ ...config, judge }, options)).toMatch(/base_url: https:\/\/host\/v1\n/);
});
