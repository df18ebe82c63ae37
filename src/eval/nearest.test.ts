import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { consecutive } from "../config/seeds.ts";
import { mean } from "../core/statistics.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { measuredValues } from "../rl/measured.ts";
import { baselines } from "./baselines.ts";
import { evaluate } from "./evaluate.ts";
import type { TrainingLevels } from "./nearest.ts";

await loadEnv("svg");
const task = testTask("svg", {}, { max_shapes: 1, lattice: 8 });
const levels = consecutive(10_001, 24);

/** Mean similarity of the last drawings when the icons of `training` are known. */
async function similarity(training: readonly number[]): Promise<number> {
  return mean(measuredValues(await played(levels, { ...task, seeds: training }), "similarity"));
}

/** The episodes of the player that knows the icons of `training`. */
async function played(seeds: readonly number[], training: TrainingLevels) {
  const sampling = { temperature: 0, topP: 1, topK: 0, maxTokens: 200, seed: 0 };
  const options = { task, sampling, seeds, temperatures: [0], measure: () => ({}) };
  const [report] = await evaluate(baselines.get("nearest").create(task, training), options);
  return report.trajectories;
}

test("the nearest training icon is nearer, the more there are, and never the icon itself", async () => {
  const [few, many] = [await similarity(consecutive(1, 4)), await similarity(consecutive(1, 400))];
  expect(many).toBeGreaterThan(few + 0.2);
  expect(await similarity(levels)).toBeLessThan(0.95);
});

test("pictures of another size are compared by their means", async () => {
  const small = testTask("svg", {}, { max_shapes: 1, lattice: 8, resolution: 32 });
  const seeds = consecutive(1, 400);
  const values = measuredValues(await played(levels, { ...small, seeds }), "similarity");
  // Rounding may choose another icon now and then; sums cost 0.07.
  expect(Math.abs(mean(values) - (await similarity(seeds)))).toBeLessThan(0.03);
});

test("icons are those of training, also where the task that is played has others", async () => {
  const training = testTask("svg", {}, { max_shapes: 3, lattice: 8 });
  const [{ turns }] = await played([levels[0]!], { ...training, seeds: [5] });
  const env = training.spec.create(training.envConfig);
  env.reset(5);
  expect(turns[0]!.executed[0]).toMatchObject({ name: env.oracle()![0] });
});

test("where training has only the icon that is played, nothing is drawn", async () => {
  expect(await similarity([levels[0]!])).toBeGreaterThan(0);
  const trajectories = await played([levels[0]!], { ...task, seeds: [levels[0]!] });
  expect(trajectories.flatMap(({ turns }) => turns.flatMap(({ executed }) => executed))).toEqual([]);
});

test("only an agent that draws what it sees can be the nearest training icon", () => {
  const { plays } = baselines.get("nearest");
  expect(envs.ids.filter((id) => plays!(testTask(id)))).toEqual(["svg"]);
});
