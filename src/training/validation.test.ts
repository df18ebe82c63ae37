import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { wilsonInterval } from "../core/wilson.ts";
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
const isMissing = (update: number, validatedUpdate = -1) =>
  isValidationMissing({ config, update, counters: { validatedUpdate } } as unknown as Run);

test("is due every test_freq updates of PPO and at the end, once", () => {
  expect([10, 11, 12, 16].map((update) => isMissing(update))).toEqual([false, true, false, true]);
  expect(isMissing(16, 16)).toBe(false);
});

test("is due in a run whose total was set below the updates done", () => {
  expect([107, 108].map((update) => isMissing(update))).toEqual([true, true]);
});

/** A run after update 11 whose policy plays FrozenLake perfectly. */
function oracleRun(trainer: Partial<RunConfig["trainer"]>, others: Partial<Run> = {}) {
  const task = testTask("frozenlake");
  return {
    config: { ...config, trainer: { ...config.trainer, ...trainer } },
    ...{ update: 11, task, evalTask: task, evalSets: [] },
    policy: baselines.get("oracle").create(task),
    counters: { validatedUpdate: 0 },
    judgeSpent: () => ({}),
    ...others,
  } as unknown as Run;
}

async function factsOf(run: Run, signal = new AbortController().signal): Promise<TrainingFact[]> {
  const facts: TrainingFact[] = [];
  for await (const fact of validate(run, "ppo", signal)) facts.push(fact);
  return facts;
}

const reportsOf = (facts: readonly TrainingFact[]): ValidationReport[] =>
  facts.flatMap((fact) => (fact.type === "validation" ? fact.reports : []));

const progressOf = (facts: readonly TrainingFact[]) =>
  facts.flatMap((fact) => (fact.type === "phase" ? [[fact.phase, fact.done, fact.of]] : []));

test("reports the judge's cost of its own episodes, at each temperature", async () => {
  const task = buildTask(config);
  const bills = [{ "judge/cost": 0.5 }, { "judge/cost": 0.25 }];
  const run = oracleRun(
    { val_size: 3 },
    {
      ...{ update: 16, task, evalTask: task },
      policy: Object.assign(
        scriptedPolicy(() => task.vocabulary.encode("<eos>")),
        { slots: 3 },
      ) as unknown as Run["policy"],
      judgeSpent: () => bills.shift()!,
    },
  );
  const reports = reportsOf(await factsOf(run));
  expect(reports.map(({ metrics }) => metrics["val/judge/cost"])).toEqual([0.5, 0.25]);
  expect(isValidationMissing(run)).toBe(false);
});

test("adds up the judge's cost over all of its sets", async () => {
  const bills = [0.5, 0.25, 4, 2].map((cost) => ({ "judge/cost": cost }));
  const run = oracleRun({ val_size: 3 }, { evalSets: furtherSet(), judgeSpent: () => bills.shift()! });
  const reports = reportsOf(await factsOf(run));
  expect(reports.map(({ metrics }) => metrics["val/judge/cost"])).toEqual([4.5, 2.25]);
});

test("reports its whole duration with both of its reports", async () => {
  const run = oracleRun({ val_size: 4 });
  const began = performance.now();
  const reports = reportsOf(await factsOf(run));
  const elapsed = (performance.now() - began) / 1000;
  expect(reports.map(({ temperature, successes }) => [temperature, successes])).toEqual([
    [1, 4],
    [0, 4],
  ]);
  const [sampled, greedy] = reports.map(({ seconds }) => seconds);
  expect(sampled).toBeGreaterThan(0);
  expect(sampled).toBeLessThanOrEqual(elapsed);
  expect(greedy).toBe(sampled);
  expect(run.counters.validatedUpdate).toBe(11);
});

test("says how often a level was played, where it was several times", async () => {
  const samplesOf = async (val_n: number) =>
    reportsOf(await factsOf(oracleRun({ val_size: 4, val_n }))).map(({ samples }) => samples);
  expect(await samplesOf(3)).toEqual([3, undefined]);
  expect(await samplesOf(1)).toEqual([undefined, undefined]);
});

test("plays every level once, and shows an episode, where validations are greedy", async () => {
  const run = oracleRun({ val_size: 4, val_n: 3, val_temperature: 0 });
  const facts = await factsOf(run);
  expect(reportsOf(facts).map(({ temperature, episodes }) => [temperature, episodes])).toEqual([[0, 4]]);
  expect(facts.filter(({ type }) => type === "trajectory")).toHaveLength(1);
  expect(progressOf(facts).at(-1)).toEqual(["validate", 4, 4]);
  expect(run.counters.validatedUpdate).toBe(11);
});

test("says what is expected of the policy before the first update, sampled", async () => {
  const expected = { "expected/format_correct": 0.99 };
  const expectedOf = async (update: number) => {
    const others = { update, expected: (now: RunConfig) => ({ ...expected, levels: now.trainer.val_size }) };
    const reports = reportsOf(await factsOf(oracleRun({ val_size: 4 }, others)));
    return reports.map((report) => report.expected);
  };
  expect(await expectedOf(0)).toEqual([{ ...expected, levels: 4 }, undefined]);
  expect(await expectedOf(11)).toEqual([undefined, undefined]);
});

/** Two more levels, played one episode at a time. */
const furtherSet = () => [{ name: "wide", task: testTask("frozenlake"), seeds: [1, 2] }];

test("counts the episodes of all its sets, sampled and greedy, from beginning to end once", async () => {
  const facts = await factsOf(oracleRun({ val_size: 4 }, { evalSets: furtherSet() }));
  const done = progressOf(facts).map(([, count]) => count as number);
  expect(new Set(progressOf(facts).map(([, , of]) => of))).toEqual(new Set([12]));
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect([done[0], done.at(-1)]).toEqual([0, 12]);
  expect(reportsOf(facts).map(({ metrics }) => metrics["val/success/wide"])).toEqual([1, 1]);
  const wide = { episodes: 2, successes: 2, interval: wilsonInterval(2, 2) };
  expect(reportsOf(facts).map(({ further }) => further)).toEqual([{ wide }, { wide }]);
});

test("keeps the settings that it began with, whatever changes while it plays", async () => {
  const before = oracleRun({ val_size: 4 }).config;
  let present = before;
  // A getter, as in RunTasks.
  const run = Object.defineProperty(oracleRun({ val_size: 4 }, { evalSets: furtherSet() }), "config", {
    get: () => present,
  });
  const facts: TrainingFact[] = [];
  for await (const fact of validate(run, "ppo", new AbortController().signal)) {
    facts.push(fact);
    present = { ...before, trainer: { ...before.trainer, val_temperature: 0, val_n: 3 } };
  }
  expect(progressOf(facts).at(-1)).toEqual(["validate", 12, 12]);
  expect(reportsOf(facts).map(({ metrics }) => metrics["val/success/wide"])).toEqual([1, 1]);
});

test("yields its episode before it is complete, because the run may be stopped or paused right after it", async () => {
  const facts = await factsOf(oracleRun({ val_size: 4 }));
  expect(facts.slice(-2).map(({ type }) => type)).toEqual(["trajectory", "validation"]);
});

test.each([
  ["the first set", 2],
  ["a further set", 9],
])("yields nothing and counts for nothing when it is cut in %s", async (_, last) => {
  const stop = new AbortController();
  const stopped = new Error("stopped");
  const run = oracleRun({ val_size: 4 }, { evalSets: furtherSet() });
  const policy = Object.assign(Object.create(run.policy), { slots: 1 });
  const facts: TrainingFact[] = [];
  const cut = async () => {
    for await (const fact of validate({ ...run, policy }, "ppo", stop.signal)) {
      facts.push(fact);
      if (fact.type === "phase" && fact.done === last) stop.abort(stopped);
    }
  };
  await expect(cut()).rejects.toBe(stopped);
  expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(["phase"]));
  // The turn that was being played, of one episode.
  expect(progressOf(facts).at(-1)![1]).toBeLessThanOrEqual(last + 1);
  expect(run.counters.validatedUpdate).toBe(0);
});
