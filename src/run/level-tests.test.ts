// Tests of SFT play levels that training does not play, whatever their seeds.
import { describe, expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { entryConfig } from "../config/entries.ts";
import { SFT_TEST_FIRST_SEED, trainingSeeds, validationSeeds } from "../config/levels.ts";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { sftTestLevels } from "../training/draw.ts";
import { levelOf } from "./held-out.ts";
import { levelTests, trainedSeeds } from "./level-tests.ts";
import { buildTask } from "./task.ts";

/** A preset with fewer training levels and tests of 16 levels. */
const config = (id: string, changes: Readonly<Record<string, unknown>> = {}): RunConfig =>
  applyChanges(getPreset(id).config, {
    "trainer.train_seeds": "1-2000",
    "trainer.val_seeds": "10001-10032",
    "sft.test_levels": 16,
    ...changes,
  });

const testSeeds = async (of: RunConfig) => {
  const levels = await sftTestLevels({ config: of, ...levelTests(buildTask(of), () => of) });
  return levels.map(({ seeds }) => seeds);
};

const levelsOf = (of: RunConfig, seeds: readonly number[]) => {
  const { spec, envConfig } = buildTask(of);
  const env = spec.create(envConfig);
  return seeds.map((seed) => levelOf(env, seed));
};

const sharedWith = (levels: readonly string[], others: readonly string[]) => {
  const known = new Set(others);
  return levels.filter((level) => known.has(level)).length;
};

describe("the levels of a test of SFT", () => {
  // A map of 3 × 3 cells repeats as often as Sokoban's rooms do.
  it.each([
    ["sokoban-nano", {}],
    ["frozenlake-nano", { "env.config": { size: 3 } }],
  ])("of %s are none of training's or a validation's, whose seeds are others", async (id, changes) => {
    const of = config(id, changes);
    const [seeds] = await testSeeds(of);
    expect(seeds).toHaveLength(16);
    const trained = levelsOf(of, trainingSeeds(of));
    const validated = levelsOf(of, validationSeeds(of));
    expect(sharedWith(levelsOf(of, seeds!), [...trained, ...validated])).toBe(0);
    // Seeds alone do not tell.
    const first = consecutive(SFT_TEST_FIRST_SEED, 16);
    expect(sharedWith(levelsOf(of, first), trained)).toBeGreaterThan(0);
  });

  it("are so in every environment of a run", async () => {
    const of = config("frozenlake-nano", {
      envs: { rooms: { name: "sokoban", config: { min_solution_steps: [1, 5] } } },
    });
    const [, seeds] = await testSeeds(of);
    const rooms = entryConfig(of, "rooms");
    expect(seeds).toHaveLength(16);
    expect(sharedWith(levelsOf(rooms, seeds!), levelsOf(rooms, trainingSeeds(rooms)))).toBe(0);
  });

  it("are not those that a validation names, which training may play", async () => {
    const named = `${SFT_TEST_FIRST_SEED}-${SFT_TEST_FIRST_SEED + 49}`;
    const sets = { more: { seeds: `${SFT_TEST_FIRST_SEED + 50}-${SFT_TEST_FIRST_SEED + 99}`, config: {} } };
    const [seeds] = await testSeeds(
      config("sokoban-nano", { "trainer.val_seeds": named, "trainer.val_sets": sets }),
    );
    expect(Math.min(...seeds!)).toBeGreaterThanOrEqual(SFT_TEST_FIRST_SEED + 100);
  });

  it("are played although they are trained on where there are no others", async () => {
    const [seeds] = await testSeeds(
      config("frozenlake-nano", { "env.config": { desc: ["SF", "FG"] }, "trainer.train_seeds": "1-3" }),
    );
    expect(new Set(seeds).size).toBe(16);
  });

  it("differ by their seeds only, and are not computed, with the skipping of levels off", async () => {
    const of = config("sokoban-nano", { "trainer.skip_validation_levels": false });
    const isTrained = await trainedSeeds(
      () => of,
      () => {
        throw new Error("computes a level");
      },
    )();
    expect([1, 2000, 2001, SFT_TEST_FIRST_SEED].map(isTrained)).toEqual([true, true, false, false]);
    const [seeds] = await testSeeds(of);
    expect(seeds).toEqual(consecutive(SFT_TEST_FIRST_SEED, 16));
  });
});

it("a level is computed once for both questions", async () => {
  const of = config("sokoban-nano", { "trainer.train_seeds": "1-50" });
  const task = buildTask(of);
  const resets: number[] = [];
  const counted = {
    ...task,
    spec: {
      ...task.spec,
      create: (options: unknown) => {
        const env = task.spec.create(options);
        const reset = env.reset.bind(env);
        env.reset = (seed) => {
          resets.push(seed);
          return reset(seed);
        };
        return env;
      },
    },
  };
  const { isHeldOut, trained } = levelTests(counted, () => of);
  for (const seed of trainingSeeds(of)) isHeldOut(seed);
  (await trained())(7);
  expect(resets.filter((seed) => seed <= 50)).toEqual(trainingSeeds(of));
});
