// Training never plays the levels of a validation, whatever their seeds.
import { describe, expect, it } from "vitest";
import { type TrainingDraw, trainingEpisodes, trainingGroup } from "../agent/episodes.ts";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { trainingSeeds, validationSeeds } from "../config/levels.ts";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { loadEnv } from "../envs/index.ts";
import { heldOutSeeds, levelOf, unseenLevels } from "./held-out.ts";
import { buildTask } from "./task.ts";

await loadEnv("visual-math");

const sokoban = getPreset("sokoban-nano").config;

const testOf = (config: RunConfig) => heldOutSeeds(buildTask(config), () => config);

const levelsOf = (config: RunConfig, seeds: readonly number[]) => {
  const { spec, envConfig } = buildTask(config);
  const env = spec.create(envConfig);
  return seeds.map((seed) => levelOf(env, seed));
};

const drawOf = (config: RunConfig, update: number, isHeldOut?: (seed: number) => boolean): TrainingDraw => ({
  seeds: trainingSeeds(config),
  ...(isHeldOut && { isHeldOut }),
  runSeed: 0,
  update,
  count: 60,
  perLevel: 2,
});

describe("held-out levels", () => {
  it.each(["frozenlake-nano", "sokoban-nano", "visual-math-nano"])("of %s are those of validation", (id) => {
    const { config } = getPreset(id);
    const isHeldOut = testOf(config);
    const validated = new Set(levelsOf(config, validationSeeds(config)));
    const seeds = trainingSeeds(config).slice(0, 1000);
    const equal = levelsOf(config, seeds).map((level) => validated.has(level));
    expect(equal).toContain(true);
    expect(seeds.map(isHeldOut)).toEqual(equal);
  });

  it("are never drawn, while the others are drawn as before until the first that is skipped", () => {
    const isHeldOut = testOf(sokoban);
    const drawn = trainingEpisodes(drawOf(sokoban, 1, isHeldOut)).map(({ seed }) => seed);
    const before = trainingEpisodes(drawOf(sokoban, 1)).map(({ seed }) => seed);
    const first = before.findIndex(isHeldOut);
    expect(first).toBeGreaterThan(0);
    expect(drawn.slice(0, first)).toEqual(before.slice(0, first));
    expect(drawn.filter(isHeldOut)).toEqual([]);
    for (let group = 0; group < 30; group++)
      for (const { seed } of trainingGroup(drawOf(sokoban, 1, isHeldOut), group, 1))
        expect(isHeldOut(seed)).toBe(false);
  });

  it("include those of further sets, with the options of the set", () => {
    const sets = { more: { seeds: "20000-20255", config: {} } };
    const config = applyChanges(sokoban, { "trainer.val_seeds": "9000000", "trainer.val_sets": sets });
    expect(trainingSeeds(config).slice(0, 200).filter(testOf(config)).length).toBeGreaterThan(10);
  });

  it("follow a change of the validation's seeds", () => {
    let config = applyChanges(sokoban, { "trainer.val_seeds": "9000000" });
    const isHeldOut = heldOutSeeds(buildTask(config), () => config);
    const count = () => trainingSeeds(config).slice(0, 200).filter(isHeldOut).length;
    const before = count();
    config = sokoban;
    expect(count()).toBeGreaterThan(before);
  });

  it("do not include a seed that both lists name, nor any with the setting off", () => {
    const both = applyChanges(sokoban, { "trainer.val_seeds": "1-256" });
    expect(trainingSeeds(both).slice(0, 256).filter(testOf(both))).toEqual([]);
    const off = applyChanges(sokoban, { "trainer.skip_validation_levels": false });
    expect(trainingSeeds(off).slice(0, 500).filter(testOf(off))).toEqual([]);
  });

  it("are drawn all the same where there are no others", () => {
    const draw = { ...drawOf(sokoban, 1), seeds: [7], isHeldOut: () => true };
    expect(new Set(trainingEpisodes(draw).map(({ seed }) => seed))).toEqual(new Set([7]));
  });
});

describe("unseen levels", () => {
  const config = checkedRunConfig({ ...sokoban, trainer: { ...sokoban.trainer, train_seeds: "1-400" } });

  it("are those that training plays under no seed", () => {
    const seeds = consecutive(500001, 200);
    const unseen = new Set(unseenLevels(buildTask(config), config, seeds));
    const isHeldOut = testOf(config);
    const trained = new Set(
      levelsOf(
        config,
        consecutive(1, 400).filter((seed) => !isHeldOut(seed)),
      ),
    );
    expect(unseen.size).toBeGreaterThan(0);
    expect(unseen.size).toBeLessThan(seeds.length);
    expect(seeds.map((seed) => !unseen.has(seed))).toEqual(
      levelsOf(config, seeds).map((level) => trained.has(level)),
    );
  });

  it("include every level that is validated, although some training seeds have it", () => {
    const seeds = validationSeeds(config);
    const trained = new Set(levelsOf(config, consecutive(1, 400)));
    expect(levelsOf(config, seeds).some((level) => trained.has(level))).toBe(true);
    expect(unseenLevels(buildTask(config), config, seeds)).toEqual([...seeds]);
  });
});
