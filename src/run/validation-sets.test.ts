import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { exportVagen } from "../config/vagen/export.ts";
import { importVagen } from "../config/vagen/import.ts";
import { planMemory } from "./memory-plan.ts";
import { buildTask } from "./task.ts";
import { setsOf } from "./validation-sets.ts";

const sets = (config: object) =>
  checkedRunConfig({ trainer: { val_sets: { other: { seeds: "20000-20003", config } } } });

test("a validation set may change options that leave pictures and words as they are", async () => {
  expect((await planMemory(sets({ p: 0.6 }))).parameters).toBeGreaterThan(0);
});

test("a set with other pictures is refused before anything is allocated", async () => {
  await expect(planMemory(sets({ size: 7 }))).rejects.toThrow(
    /validation set other .* has pictures of 7 × 7 patches, and those of this run have 4 × 4\./,
  );
  await expect(planMemory(sets({ render_mode: "text" }))).rejects.toThrow(
    /validation set other .* has words/,
  );
});

test("a set may have a smaller board, in the corner of a picture of the run's size", async () => {
  const config = checkedRunConfig({
    env: { name: "frozenlake", config: { size: 8 } },
    trainer: { val_sets: { near: { seeds: "20000-20003", config: { size: 4 } } } },
  });
  expect((await planMemory(config)).parameters).toBeGreaterThan(0);
  const run = buildTask(config);
  const [near] = setsOf(config, run);
  expect(near!.task).toMatchObject({
    envConfig: { size: 4 },
    paddedTo: { rows: 8, cols: 8 },
    vocabulary: { hash: run.vocabulary.hash },
    imageTokens: run.imageTokens,
  });
});

test("a smaller board need not be divisible by the model's tokens of several patches", () => {
  const config = checkedRunConfig({
    env: { name: "frozenlake", config: { size: 8 } },
    model: { pixel_shuffle: 2 },
    trainer: { val_sets: { near: { seeds: "20000-20003", config: { size: 5 } } } },
  });
  const [near] = setsOf(config, buildTask(config));
  expect(near!.task).toMatchObject({ paddedTo: { rows: 8, cols: 8 }, imageTokens: 16 });
  expect(near!.config.model.pixel_shuffle).toBe(2);
});

test("an option that the task does not have is refused by name", () => {
  expect(() => sets({ boxes: 3 })).toThrow(/^trainer.val_sets.other.config.boxes is 3/);
  expect(() => sets({ p: 7 })).toThrow(/^trainer.val_sets.other.config.p is 7; /);
});

const imported = () =>
  importVagen([
    { name: "train.yaml", text: "envs:\n  - {name: Sokoban, n_envs: 100, seed: [1, 100, 1], max_turns: 3}" },
    {
      name: "val.yaml",
      text: [
        "envs:",
        "  - {name: Sokoban, data_source: own, n_envs: 8, seed: [501, 508, 1], max_turns: 3}",
        "  - {name: Sokoban, data_source: short, n_envs: 4, seed: [900, 903, 1], max_turns: 3, config: {min_solution_steps: [1, 3]}}",
      ].join("\n"),
    },
  ]).config;

test("several entries of an imported data set are played, each with its own levels and options", async () => {
  const config = imported();
  expect((await planMemory(config)).parameters).toBeGreaterThan(0);
  const [short, ...none] = setsOf(config, buildTask(config));
  expect([short!.name, short!.seeds, none]).toEqual(["short", [900, 901, 902, 903], []]);
  expect(short!.task.envConfig).toMatchObject({ min_solution_steps: [1, 3], levels: "lite" });
  const solved = short!.seeds.map((seed) => {
    const env = short!.task.spec.create(short!.task.envConfig);
    env.reset(seed);
    return env.oracle()!.length;
  });
  expect(Math.max(...solved)).toBeLessThanOrEqual(3);
  // Exported and imported again, the sets are the same.
  expect(importVagen(exportVagen(config, "lite")).config.trainer).toEqual(config.trainer);
});

test("seeds that cannot be read are refused with the set's name", async () => {
  expect(() => checkedRunConfig({ trainer: { val_sets: { other: { seeds: "9-1" } } } })).toThrow(
    /val_sets.other.seeds is "9-1"; 9-1 ends before it begins/,
  );
});

test("a set of a further environment has its task, with the words of the run", async () => {
  const config = checkedRunConfig({
    envs: { boxes: { name: "sokoban", config: { min_solution_steps: [1, 5] }, max_turns: 7 } },
    trainer: {
      val_sets: {
        lake: { seeds: "1-3", max_turns: 2 },
        short: { env: "boxes", seeds: "900-903", config: { min_solution_steps: [1, 3] }, max_turns: 4 },
      },
    },
  });
  expect((await planMemory(config)).parameters).toBeGreaterThan(0);
  const run = buildTask(config);
  const [lake, short] = setsOf(config, run);
  expect([lake!.task.spec.id, lake!.task.maxTurns]).toEqual(["frozenlake", 2]);
  expect(short!.task).toMatchObject({
    maxTurns: 4,
    envConfig: { min_solution_steps: [1, 3] },
    vocabulary: { hash: run.vocabulary.hash },
    imageTokens: run.imageTokens,
  });
  expect(short!.config).toMatchObject({ env: { name: "sokoban" }, rollout: { max_turns: 4 } });
});
