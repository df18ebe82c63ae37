import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { planMemory } from "./memory-plan.ts";

const sokoban = (options: object, trainer: object = {}) =>
  checkedRunConfig({ env: { name: "sokoban", config: options }, trainer });
const sets = (config: object, seeds = "20000-20003") => ({ val_sets: { hard: { seeds, config } } });
const found = async (config: ReturnType<typeof sokoban>) => (await planMemory(config)).parameters > 0;

test("a task without levels has no plan, however often it is asked for", async () => {
  const { actor, ...hopeless } = sokoban({ min_solution_steps: [30, 40], reset_seed_max_tries: 2 });
  for (const lr of [1e-4, 2e-4])
    await expect(planMemory({ ...hopeless, actor: { ...actor, lr } })).rejects.toThrow(
      /reset_seed_max_tries is 2/,
    );
  expect(await found(sokoban({}))).toBe(true);
});

test("a validation set without levels is refused by its name before anything is allocated", async () => {
  const hopeless = { min_solution_steps: [30, 40], reset_seed_max_tries: 2 };
  await expect(planMemory(sokoban({}, sets(hopeless)))).rejects.toThrow(
    /^The validation set hard of trainer.val_sets cannot be played. .*reset_seed_max_tries is 2/,
  );
  expect(await found(sokoban({}, sets({ min_solution_steps: [1, 8] })))).toBe(true);
});

test("the first level of the run's own validation is drawn too", async () => {
  // Hardly any seed has such a level after one try, and few have one after the twenty of a run.
  const rare = { min_solution_steps: [12, 14], reset_seed_max_tries: 1 };
  const play = (training: number, validation: number) => () =>
    found(sokoban(rare, { train_seeds: `${training}`, val_seeds: `${validation}` }));
  const firstSeed = async (wanted: boolean, run: (seed: number) => () => Promise<boolean>) => {
    for (let seed = 1; seed <= 400; seed++)
      if ((await run(seed)().catch(() => false)) === wanted) return seed;
    throw new Error("no such seed");
  };
  const good = await firstSeed(true, (seed) => play(seed, seed));
  const bad = await firstSeed(false, (seed) => play(good, seed));
  expect(await play(good, good)()).toBe(true);
  await expect(play(good, bad)()).rejects.toThrow(/min_solution_steps|reset_seed_max_tries/);
});
