import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { planMemory } from "./build-run.ts";

const sokoban = (options: object, trainer: object = {}) =>
  checkedRunConfig({ env: { name: "sokoban", config: options }, trainer });
const sets = (config: object, seeds = "20000-20003") => ({ val_sets: { hard: { seeds, config } } });
const found = (config: ReturnType<typeof sokoban>) => planMemory(config).parameters > 0;

test("a task without levels has no plan, however often it is asked for", () => {
  const { actor, ...hopeless } = sokoban({ min_solution_steps: [30, 40], reset_seed_max_tries: 2 });
  for (const lr of [1e-4, 2e-4])
    expect(() => planMemory({ ...hopeless, actor: { ...actor, lr } })).toThrow(/reset_seed_max_tries is 2/);
  expect(found(sokoban({}))).toBe(true);
});

test("a validation set without levels is refused by its name before anything is allocated", () => {
  const hopeless = { min_solution_steps: [30, 40], reset_seed_max_tries: 2 };
  expect(() => planMemory(sokoban({}, sets(hopeless)))).toThrow(
    /^The validation set hard of trainer.val_sets cannot be played. .*reset_seed_max_tries is 2/,
  );
  expect(found(sokoban({}, sets({ min_solution_steps: [1, 8] })))).toBe(true);
});

test("the first level of the run's own validation is drawn too", () => {
  // Hardly any seed has such a level after one try, and few have one after the twenty of a run.
  const rare = { min_solution_steps: [12, 14], reset_seed_max_tries: 1 };
  const play = (training: number, validation: number) => () =>
    found(sokoban(rare, { train_seeds: `${training}`, val_seeds: `${validation}` }));
  const works = (run: () => boolean) => {
    try {
      return run();
    } catch {
      return false;
    }
  };
  const seeds = Array.from({ length: 400 }, (_, i) => i + 1);
  const good = seeds.find((seed) => works(play(seed, seed)))!;
  const bad = seeds.find((seed) => !works(play(good, seed)))!;
  expect(play(good, good)()).toBe(true);
  expect(play(good, bad)).toThrow(/min_solution_steps|reset_seed_max_tries/);
});
