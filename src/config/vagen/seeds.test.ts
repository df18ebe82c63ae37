// Seeds of Lite's data sets, several entries to validate on, and how a validation samples.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkedRunConfig } from "../check.ts";
import { trainingSeeds, validationSeeds } from "../levels.ts";
import type { RunConfig } from "../run-config.ts";
import { exportVagen, tasksToPrepare } from "./export.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";

const entry = (keys: string) => `  - { name: FrozenLake, max_turns: 5, ${keys} }`;
const file = (split: "train" | "val", ...entries: string[]) => ({
  name: `${split}.yaml`,
  text: ["envs:", ...entries.map(entry)].join("\n"),
});
const TRAIN = file("train", "n_envs: 10000, seed: [1, 10000, 1]");

describe("seeds of training", () => {
  test.each([
    ["n_envs: 10000, seed: [1, 10000, 1]", "1-10000"],
    ["n_envs: 5000, seed: [0, 4999]", "5000 of 0-4999 repeated"],
    ["n_envs: 50, seed: [0, 15, 4]", "50 of 0-15 up to 4x"],
    ["n_envs: 10, seed: [1, 100, 1]", "10 of 1-100"],
    ["n_envs: 64, seed: [7]", "64 random from 7"],
    ["n_envs: 64, seed: 42", "64 random from 42"],
    ["n_envs: 3, seed_list: [5, 6, 9, 12]", "5-6, 9"],
    ["n_envs: 2, seed: [1, 9, 1], seed_list: [3, 8, 8]", "3, 8"],
  ])("{ %s } are %s", (keys, text) => {
    const { config, findings } = importVagen([file("train", keys)]);
    expect(config.trainer.train_seeds).toBe(text);
    expect(ofKind(findings, "refused")).toEqual([]);
  });

  test.each([
    ["n_envs: 9, seed: [1, 2, 3, 4]", "it must be [base], [min, max] or [min, max, limit]"],
    ["n_envs: 9, seed: [1, 2, 1]", "more than the 2"],
    ["n_envs: 9, seed: -1", "seed is -1; it must be [base]"],
    ["n_envs: 9, seed: 1.5", "or a base alone"],
    ["n_envs: 9, seed_list: [1, two]", "a list of whole numbers"],
  ])("{ %s } are refused", (keys, words) => {
    const { config, findings } = importVagen([file("train", keys)]);
    expect(ofKind(findings, "refused")).toMatchObject([{ remark: expect.stringContaining(words) }]);
    expect(config.trainer.train_seeds).toBe("1-10000");
  });
});

describe("levels of a validation", () => {
  test("are the studio's own where the seeds are", () => {
    const { config } = importVagen([TRAIN, file("val", "n_envs: 96, seed: [10001, 10096, 1]")]);
    expect(config.trainer).toMatchObject({ val_seeds: "", val_size: 96 });
  });

  test("of an evaluation file are read by what it has, not by its name", () => {
    const text = `envs:\n${entry("n_envs: 128, tag_id: t, seed: [20000, 20127, 1], chat_config: { temperature: 0 }")}\nrun: { backend: openai }\nbackends: { openai: { model: x } }\nfileroot: "$\{oc.env:ROOT,./runs}"`;
    const { config, findings } = importVagen([TRAIN, { name: "config.yaml", text }]);
    expect(config.trainer.val_seeds).toBe("20000-20127");
    expect(ofKind(findings, "unknown")).toEqual([]);
  });

  const several = importVagen([
    TRAIN,
    file(
      "val",
      "n_envs: 32, seed: [10001, 10032, 1], data_source: lake, config: { p: 0.8 }",
      "n_envs: 16, seed: [20000, 20015, 1], data_source: hard lake, config: { p: 0.6 }",
      "n_envs: 16, seed: [30000, 30015, 1], data_source: hard lake, config: { p: 0.8 }",
    ),
  ]);

  test("beyond the first entry are sets with what differs in them", () => {
    expect(several.config.trainer).toMatchObject({
      val_size: 32,
      val_sets: {
        hard_lake: { seeds: "20000-20015", config: { p: 0.6 } },
        hard_lake_2: { seeds: "30000-30015", config: {} },
      },
    });
    expect(ofKind(several.findings, "refused")).toEqual([]);
  });

  test("of an entry with another task than training are a set of their own", () => {
    const trained = file("train", "n_envs: 10000, seed: [1, 10000, 1], config: { p: 0.6, size: 4 }");
    const other = file("val", "n_envs: 60, seed: [1, 60, 1], data_source: easy, config: { p: 0.9, size: 4 }");
    const { config, findings } = importVagen([trained, other]);
    expect(config.trainer).toMatchObject({
      val_seeds: "",
      val_sets: { easy: { seeds: "1-60", config: { p: 0.9 } } },
    });
    const [set] = ofKind(findings, "applied").filter(({ path }) => path === "trainer.val_sets.easy");
    expect(set!.remark).toContain("also validates on levels of frozenlake as it trains them");
    const same = file("val", "n_envs: 60, seed: [1, 60, 1], config: { p: 0.6 }");
    expect(importVagen([trained, same]).config.trainer).toMatchObject({ val_seeds: "1-60", val_sets: {} });
  });

  test.each([
    ["frozenlake_vision_val.yaml", "20000-20127"],
    ["data/Test-2.yaml", "20000-20127"],
    ["train_latest.yaml", "1-10000"],
    ["evaluate_train.yaml", "1-10000"],
  ])("are read from a file that a word of its name says is for that: %s", (name, seeds) => {
    const text = `envs:\n${entry("n_envs: 128, seed: [20000, 20127, 1]")}`;
    const { trainer } = importVagen([TRAIN, { name, text }]).config;
    expect(trainer.val_seeds || "1-10000").toBe(seeds);
  });

  test("are written and read back", () => {
    const trainer = {
      train_seeds: "1-50, 60",
      val_seeds: "7, 9-12",
      val_sets: several.config.trainer.val_sets,
    };
    const config = checkedRunConfig({ trainer });
    const back = importVagen(exportVagen(config, "lite")).config;
    expect(back.trainer).toMatchObject(trainer);
    expect(validationSeeds(back)).toEqual([7, 9, 10, 11, 12]);
  });

  const entriesOf = (config: RunConfig, name: string) =>
    parse(exportVagen(config, "lite").find((written) => written.name === name)!.text).envs;

  test("are listed as they are, up to what can be read back", () => {
    const config = checkedRunConfig({
      trainer: { train_seeds: "1-700, 702-1400", val_seeds: "300 of 20000-20999" },
    });
    expect(entriesOf(config, "train.yaml")[0].seed_list).toHaveLength(1400);
    expect(entriesOf(config, "val.yaml")[0].seed_list.slice(0, 300)).toEqual(validationSeeds(config));
    expect(tasksToPrepare(config, "lite")).toEqual([]);
    expect(trainingSeeds(importVagen(exportVagen(config, "lite")).config)).toEqual(trainingSeeds(config));
  });

  test.each([
    ["5000 of 0-4999 repeated", { n_envs: 5000, seed: [0, 4999] }],
    ["9000 of 0-3999 up to 3x", { n_envs: 9000, seed: [0, 3999, 3] }],
    ["10000 of 0-99999", { n_envs: 10000, seed: [0, 99999, 1] }],
    ["2000 of 1-2000", { n_envs: 2000, seed: [1, 2000, 1] }],
    ["4096 random from 7", { n_envs: 4096, seed: [7] }],
  ])("that would be too long a list are drawn by the same rule: %s", (train_seeds, keys) => {
    const config = checkedRunConfig({ trainer: { train_seeds } });
    const [entry] = entriesOf(config, "train.yaml");
    expect(entry).toMatchObject(keys);
    expect(entry.seed_list).toBe(undefined);
    expect(importVagen(exportVagen(config, "lite")).config.trainer.train_seeds).toBe(train_seeds);
    expect(tasksToPrepare(config, "lite")).toEqual([
      `VAGEN draws the seeds of trainer.train_seeds, "${train_seeds}", with its own random numbers, because the lists of this file would be too long: use fewer seeds for the same levels.`,
    ]);
    expect(tasksToPrepare(config, "legacy")).toEqual([]);
  });

  test("are drawn only as far as it takes, the longest first", () => {
    const config = checkedRunConfig({
      trainer: {
        val_seeds: "64 of 20000-20999",
        val_sets: { more: { seeds: "2000 of 60000-69999" } },
      },
    });
    const [own, more] = entriesOf(config, "val.yaml");
    expect(own.seed_list.slice(0, 64)).toEqual(validationSeeds(config));
    expect(more).toMatchObject({ n_envs: 2000, seed: [60000, 69999, 1] });
    expect(tasksToPrepare(config, "lite")).toEqual([
      expect.stringContaining('trainer.val_sets.more.seeds, "2000 of 60000-69999"'),
    ]);
  });

  test("are named by the setting that has them", () => {
    const game = { name: "sokoban", config: {} };
    const config = checkedRunConfig({
      trainer: { train_seeds: "1-5000, 5002-10001" },
      envs: { boxes: { ...game, train_seeds: "1-10" }, others: game },
    });
    expect(() => exportVagen(config, "lite")).toThrow(/^trainer\.train_seeds is/);
  });

  test.each([
    [{ train_seeds: "1-5000, 5002-10001" }, 'trainer.train_seeds is "1-5000, 5002-10001": 10 000 seeds'],
    [{ val_seeds: "20001-20800, 30001-30900" }, "trainer.val_seeds"],
    // Each list would do alone.
    [
      {
        val_seeds: "20001-20300, 30001-30300",
        val_sets: { more: { seeds: "40001-40400, 50001-50600" }, few: { seeds: "2000 of 60000-69999" } },
      },
      'trainer.val_sets.more.seeds is "40001-40400, 50001-50600": 1000 seeds',
    ],
  ])("that can only be listed, and are too many, are refused: %j", (trainer, message) => {
    const config = checkedRunConfig({ trainer });
    expect(() => exportVagen(config, "lite")).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringContaining(message),
        hint: "Use one range such as 1-10000, one draw such as 5000 of 1-10000, or fewer seeds.",
      }),
    );
    expect(importVagen(exportVagen(config, "legacy")).config).toEqual(config);
  });
});

describe("sampling of validations", () => {
  const VAL = "actor_rollout_ref.rollout.val_kwargs";
  const read = (...kwargs: string[]) =>
    importVagen([], { generation: "lite", overrides: kwargs.map((one) => `${VAL}.${one}`) });

  test("has its own temperature, top-p, top-k and number of episodes", () => {
    const { config } = read("do_sample=True", "temperature=0.6", "top_p=0.9", "top_k=-1", "n=4");
    expect(config.trainer).toMatchObject({ val_temperature: 0.6, val_top_p: 0.9, val_top_k: 0, val_n: 4 });
  });

  test("is greedy without do_sample, which the studio does as well", () => {
    const { config, findings } = read("temperature=0.6", "n=1");
    expect(config.trainer.val_temperature).toBe(1);
    expect(findings[0]).toMatchObject({ kind: "ignored", remark: expect.stringContaining("Greedy") });
  });

  const ROLLOUT = "actor_rollout_ref.rollout";
  const readLegacy = (...overrides: string[]) => importVagen([], { generation: "legacy", overrides });

  test("is that of training in the legacy release", () => {
    const { config, findings } = readLegacy(
      `${ROLLOUT}.temperature=0.7`,
      `${ROLLOUT}.top_p=0.95`,
      `${ROLLOUT}.top_k=-1`,
      `${VAL}.temperature=0`,
    );
    expect(config.trainer).toMatchObject({ val_temperature: 0.7, val_top_p: 0.95, val_top_k: 0 });
    expect(config.rollout).toMatchObject({ temperature: 0.7, top_p: 0.95, top_k: 0 });
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: "applied",
        key: `${ROLLOUT}.temperature`,
        path: "trainer.val_temperature",
        remark: expect.stringContaining("validates as it trains"),
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ kind: "ignored", key: `${VAL}.temperature` }));
  });

  test("is the default of training where legacy files have none", () => {
    const base = checkedRunConfig({ trainer: { val_temperature: 0.5, val_top_p: 0.9, val_top_k: 7 } });
    const { config, findings } = importVagen([], {
      generation: "legacy",
      overrides: ["rollout_manager.max_turns=3"],
      base,
    });
    expect(config.trainer).toMatchObject({ val_temperature: 1, val_top_p: 1, val_top_k: 0 });
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: "assumed",
        key: `${ROLLOUT}.temperature`,
        path: "trainer.val_temperature",
      }),
    );
  });

  test("of a written legacy file comes back, whether it is that of training or not", () => {
    for (const val_temperature of [0.7, 1]) {
      const config = checkedRunConfig({ rollout: { temperature: 0.7 }, trainer: { val_temperature } });
      expect(importVagen(exportVagen(config, "legacy")).config).toEqual(config);
    }
  });
});
