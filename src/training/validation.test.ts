import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { baselines } from "../eval/baselines.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { buildTask } from "../run/task.ts";
import type { TrainingFact, ValidationReport } from "./events.ts";
import type { Run } from "./run.ts";
import { isValidationMissing, validate } from "./validation.ts";

const config = checkedRunConfig({
  sft: { total_updates: 6, one_turn_updates: 0 },
  trainer: { total_updates: 10, test_freq: 5 },
});
const isMissing = (update: number, validatedUpdate = 0) =>
  isValidationMissing({ config, update, counters: { validatedUpdate } } as unknown as Run);

test("is due every test_freq updates of PPO and at the end, once", () => {
  expect([10, 11, 12, 16].map((update) => isMissing(update))).toEqual([false, true, false, true]);
  expect(isMissing(16, 16)).toBe(false);
});

test("is due in a run whose total was set below the updates done", () => {
  expect([107, 108].map((update) => isMissing(update))).toEqual([true, true]);
});

test("reports the judge's cost of its own episodes, at each temperature", async () => {
  const task = buildTask(config);
  const levels = { ...config, trainer: { ...config.trainer, val_size: 3 } };
  const bills = [{ "judge/cost": 0.5 }, { "judge/cost": 0.25 }];
  const run = {
    config: levels,
    update: 16,
    task,
    evalTask: task,
    evalSets: [],
    policy: Object.assign(
      scriptedPolicy(() => task.vocabulary.encode("<eos>")),
      { slots: 3 },
    ),
    counters: { validatedUpdate: 0 },
    judgeSpent: () => bills.shift()!,
  } as unknown as Run;
  const events: TrainingFact[] = [];
  for await (const event of validate(run, "ppo")) events.push(event);
  const costs = events.flatMap((event) =>
    event.type === "validation" ? event.report.metrics["val/judge/cost"]! : [],
  );
  expect(costs).toEqual([0.5, 0.25]);
  expect(isValidationMissing(run)).toBe(false);
});

test("reports its whole duration with both of its reports", async () => {
  const task = testTask("frozenlake");
  const short = { ...config, trainer: { ...config.trainer, val_size: 4 } };
  const counters = { validatedUpdate: 0 };
  const policy = baselines.get("oracle").create(task);
  const run = {
    evalTask: task,
    evalSets: [],
    task,
    config: short,
    update: 11,
    counters,
    policy,
    judgeSpent: () => ({}),
  } as unknown as Run;
  const reports: ValidationReport[] = [];
  const began = performance.now();
  for await (const event of validate(run, "ppo")) if (event.type === "validation") reports.push(event.report);
  const elapsed = (performance.now() - began) / 1000;
  expect(reports.map(({ temperature, successes }) => [temperature, successes])).toEqual([
    [1, 4],
    [0, 4],
  ]);
  const [sampled, greedy] = reports.map(({ seconds }) => seconds);
  expect(sampled).toBeGreaterThan(0);
  expect(sampled).toBeLessThanOrEqual(elapsed);
  expect(greedy).toBe(sampled);
  expect(counters.validatedUpdate).toBe(11);
});

test("plays every level once, and shows an episode, where validations are greedy", async () => {
  const task = testTask("frozenlake");
  const trainer = { ...config.trainer, val_size: 4, val_n: 3, val_temperature: 0 };
  const run = {
    evalTask: task,
    evalSets: [],
    task,
    config: { ...config, trainer },
    update: 11,
    counters: { validatedUpdate: 0 },
    policy: baselines.get("oracle").create(task),
    judgeSpent: () => ({}),
  } as unknown as Run;
  const facts: TrainingFact[] = [];
  for await (const fact of validate(run, "ppo")) facts.push(fact);
  const reports = facts.flatMap((fact) => (fact.type === "validation" ? [fact.report] : []));
  expect(reports.map(({ temperature, episodes }) => [temperature, episodes])).toEqual([[0, 4]]);
  expect(facts.filter(({ type }) => type === "trajectory")).toHaveLength(1);
  expect(facts.flatMap((fact) => (fact.type === "phase" ? [fact.of] : []))).not.toContain(16);
  expect(run.counters.validatedUpdate).toBe(11);
});
