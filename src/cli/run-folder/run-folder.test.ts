import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Trajectory } from "../../core/types.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { RunFolder } from "./run-folder.ts";

/** A line of metrics. */
const metrics = (update: number, values: Readonly<Record<string, number>> = {}): TrainerEvent => ({
  ...{ type: "metrics", stage: "ppo", update, values },
  ...{ tokens: 1, episodes: 1, wallMs: 1 },
});

/** Ends a file in the middle of its last line, as a crash does. */
function cutOff(path: string, bytes: number): void {
  truncateSync(path, statSync(path).size - bytes);
}

test("a line that was cut off does not take the next one with it", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const episode = (update: number): TrainerEvent => ({
    ...{ type: "trajectory", update, source: "validation", trajectory: { id: "t" } as Trajectory },
  });
  const before = new RunFolder(path);
  for (const update of [1, 2]) for (const event of [metrics(update), episode(update)]) before.record(event);
  for (const name of ["metrics.jsonl", "trajectories.jsonl"]) cutOff(join(path, name), 12);
  const after = new RunFolder(path);
  for (const update of [3, 4]) for (const event of [metrics(update), episode(update)]) after.record(event);
  for (const name of ["metrics.jsonl", "trajectories.jsonl"]) {
    const lines = readFileSync(join(path, name), "utf8").trim().split("\n");
    expect(lines, name).toHaveLength(4);
    const whole = lines.toSpliced(1, 1).map((line) => JSON.parse(line).update);
    expect(whole, name).toEqual([1, 3, 4]);
  }
});

test("rows that could not be written follow with the next row, or at the end of the run", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const file = join(path, "metrics.jsonl");
  const updates = () =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).update);
  const said: string[] = [];
  const folder = new RunFolder(path, "sample", (line) => said.push(line));
  // A folder in place of the file: nothing can be appended to it.
  mkdirSync(file);
  for (const update of [1, 2]) folder.record(metrics(update));
  expect(said).toEqual([expect.stringMatching(/^warning: a report could not be written: .*EISDIR/)]);
  rmdirSync(file);
  folder.record(metrics(3));
  expect(updates()).toEqual([1, 2, 3]);
  rmSync(file);
  mkdirSync(file);
  folder.record(metrics(4));
  expect(said).toHaveLength(2);
  rmdirSync(file);
  folder.record({ type: "run_finished", update: 4, reason: "completed" });
  expect(updates()).toEqual([4]);
});

test("a line that is JSON and no episode is dropped by a run that resumes", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const file = join(path, "trajectories.jsonl");
  const whole = '{"source":"validation","update":4,"trajectory":{"id":"t"}}';
  const others = [
    '{"update":4,"trajectory":{"id":{"toString":1}}}',
    '{"source":[],"update":4,"trajectory":7}',
  ];
  writeFileSync(file, [whole, ...others, ""].join("\n"));
  new RunFolder(path).resume(4, []);
  expect(readFileSync(file, "utf8")).toBe(`${whole}\n`);
});

/** A validation of 4 episodes. */
const validation = (update: number): TrainerEvent => ({
  type: "validation",
  report: {
    ...{ update, stage: "ppo", temperature: 1 },
    ...{ episodes: 4, successes: 2, interval: [0, 1], metrics: {} },
  },
});

const updatesIn = (file: string): number[] =>
  JSON.parse(readFileSync(file, "utf8")).map(({ update }: { update: number }) => update);

test.each([{ stage: { toString: 1 } }, { metrics: undefined }, { metrics: 7 }])(
  "a report of validations with %j is damage",
  (other) => {
    const path = mkdtempSync(join(tmpdir(), "folder-"));
    const { report } = validation(0) as Extract<TrainerEvent, { type: "validation" }>;
    writeFileSync(join(path, "validation.json"), JSON.stringify([{ ...report, ...other }]));
    const said: string[] = [];
    new RunFolder(path, "sample", (line) => said.push(line)).record(validation(20));
    expect(said).toEqual([expect.stringMatching(/cannot be read as the validations of a run/)]);
    expect(updatesIn(join(path, "validation.json"))).toEqual([20]);
  },
);

test("a file of validations that cannot be read is kept aside, which is said", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const file = join(path, "validation.json");
  const before = new RunFolder(path);
  for (const update of [0, 20, 40]) before.record(validation(update));
  expect(updatesIn(file)).toEqual([0, 20, 40]);
  const said: string[] = [];
  for (const [i, damage] of [() => cutOff(file, 20), () => writeFileSync(file, "[{}]")].entries()) {
    damage();
    const damaged = readFileSync(file, "utf8");
    new RunFolder(path, "sample", (line) => said.push(line)).record(validation(60 + i));
    expect(updatesIn(file)).toEqual([60 + i]);
    const aside = join(path, `validation-damaged-${i + 1}.json`);
    expect(readFileSync(aside, "utf8")).toBe(damaged);
    expect(said[i]).toMatch(/^warning: .*validation\.json cannot be read as the validations of a run/);
    expect(said[i]).toContain(`It is kept as ${aside}`);
  }
  expect(said).toHaveLength(2);
});

test("a validation that is made again, because a crash came before its checkpoint, is kept once", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  for (const updates of [[0], [0, 20], [20, 40]])
    for (const update of updates) new RunFolder(path).record(validation(update));
  expect(updatesIn(join(path, "validation.json"))).toEqual([0, 20, 40]);
});

test("a file that is rewritten is whole or unchanged, also when the disk is full", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const file = join(path, "validation.json");
  const said: string[] = [];
  const run = new RunFolder(path, "sample", (line) => said.push(line));
  run.record(validation(20));
  // Nothing can be written where a folder is.
  mkdirSync(`${file}.part`);
  run.record(validation(40));
  expect(said).toEqual([expect.stringContaining("EISDIR")]);
  expect(updatesIn(file)).toEqual([20]);
  rmdirSync(`${file}.part`);
  run.record(validation(60));
  expect(updatesIn(file)).toEqual([20, 40, 60]);
});
