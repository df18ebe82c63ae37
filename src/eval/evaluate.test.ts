import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { baselines } from "./baselines.ts";
import { evaluate } from "./evaluate.ts";

/** Fewer where pictures and physics take their time; more for SpatialGym, whose baselines are close. */
const LEVELS: Record<string, number> = { "primitive-skill": 4, svg: 24, navigation: 32, "spatial-gym": 64 };

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 400, seed: 0 };

test.each(envs.ids)("the baselines of %s come out in their order", async (envId) => {
  await loadEnv(envId);
  const task = testTask(envId);
  const rates: Record<string, number> = {};
  for (const baseline of baselines.all.filter(({ plays }) => plays?.(task) !== false)) {
    const options = {
      task,
      sampling,
      seeds: consecutive(VALIDATION_FIRST_SEED, LEVELS[envId] ?? 48),
      temperatures: [0],
      measure: () => ({}),
    };
    const [report] = await evaluate(baseline.create(task, { ...task, seeds: consecutive(1, 100) }), options);
    rates[baseline.id] = report.successes / report.episodes;
  }
  if (!envs.get(envId).hasChance?.(task.envConfig)) expect(rates.oracle).toBe(1);
  expect(rates.heuristic).toBeLessThanOrEqual(rates.oracle);
  // A hand that puts cubes down anywhere hardly ever does what it should.
  if (envId === "primitive-skill") expect(rates.heuristic).toBeLessThan(0.2);
  // Who always draws coarsely succeeds less often than who does so at times.
  else if (envId === "svg") expect(rates.heuristic).toBeLessThan(rates.demonstrator);
  // A player that does not look guesses, with a chance of 3/8.
  else if (envId === "spatial-gym")
    for (const rate of [rates.heuristic, rates.demonstrator])
      expect(Math.abs(rate - 3 / 8)).toBeLessThan(0.15);
  else expect(rates.demonstrator).toBeLessThan(rates.heuristic);
  expect(rates.random).toBeLessThanOrEqual(rates.demonstrator);
});

test("an evaluation plays the validation levels once per temperature", async () => {
  const task = testTask("frozenlake");
  const reports = await evaluate(baselines.get("random").create(task), {
    task,
    sampling,
    seeds: consecutive(VALIDATION_FIRST_SEED, 8),
    temperatures: [1, 0],
    measure: (trajectories) => ({ episodes: trajectories.length }),
  });
  expect(reports.map(({ temperature }) => temperature)).toEqual([1, 0]);
  expect(reports[0]).toMatchObject({ episodes: 8, metrics: { episodes: 8 } });
  expect(reports[0].trajectories.map(({ seed }) => seed)).toEqual([
    10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008,
  ]);
  expect(reports[0].interval[0]).toBeLessThanOrEqual(reports[0].successes / 8);
});
