import { expect, test } from "vitest";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { unseenLevels } from "../run/held-out.ts";
import { buildTask } from "../run/task.ts";
import { setsOf } from "../run/validation-sets.ts";
import { gameNamed, taskNamed } from "./eval-run.ts";

const stack = { spec: { id: "stack" } } as Task;
const task = { spec: { id: "place" }, others: new Map([["stack", stack]]) } as unknown as Task;

test("--env names an environment of the run, by default the first", () => {
  expect(taskNamed(task, undefined)).toBe(task);
  expect(taskNamed(task, "place")).toBe(task);
  expect(taskNamed(task, "stack")).toBe(stack);
});

test.each([
  ["stak", 'Did you mean "stack"?'],
  ["drawer", "It has: place, stack."],
])("--env %s, which the run does not have", (name, hint) => {
  const message = `--env is "${name}"; the run has no environment of that name.`;
  expect(() => taskNamed(task, name)).toThrow(expect.objectContaining({ message, hint }));
});

const config = checkedRunConfig({
  env: { name: "frozenlake", config: { size: 4 } },
  trainer: {
    train_seeds: "1-40",
    val_seeds: "500-503",
    val_sets: {
      dense: { seeds: "1-6", config: { p: 0.6 } },
      far: { env: "wide", seeds: "7-9", config: { p: 0.7 } },
    },
  },
  envs: { wide: { name: "frozenlake", config: { size: 4, p: 0.9 }, train_seeds: "50-59" } },
});
const own = buildTask(config);
const run = { config, evalTask: own, evalSets: setsOf(config, own) };

test("a validation set of a further environment is compared with that one's training", () => {
  const { task, trained, config: played, levels } = gameNamed(run, "far");
  expect(task.envConfig).toMatchObject({ p: 0.7 });
  expect(trained.envConfig).toMatchObject({ p: 0.9 });
  expect(played.trainer.train_seeds).toBe("50-59");
  expect(levels).toEqual([7, 8, 9]);
  expect(gameNamed(run, "wide")).toMatchObject({ task: trained, trained });
});

test.each(["constructor", "toString"])("--env %s names nothing", (name) => {
  expect(() => gameNamed(run, name)).toThrow(/no environment or validation set of that name/);
});

test("--env names a validation set, which has levels and options of its own", () => {
  expect(gameNamed(run)).toMatchObject({ task: own, trained: own, levels: [500, 501, 502, 503] });
  const { task, trained, levels } = gameNamed(run, "dense");
  expect(task.envConfig).toMatchObject({ p: 0.6 });
  expect(trained).toBe(own);
  expect(levels).toEqual([1, 2, 3, 4, 5, 6]);
  const message = '--env is "dens"; the run has no environment or validation set of that name.';
  expect(() => gameNamed(run, "dens")).toThrow(
    expect.objectContaining({ message, hint: 'Did you mean "dense"?' }),
  );
});

test("the same seeds are other levels where a validation set changes options", () => {
  const { task, trained, levels } = gameNamed(run, "dense");
  expect(unseenLevels(trained, config, levels)).toEqual([]);
  expect(unseenLevels(trained, config, levels, task)).toEqual(levels);
});
