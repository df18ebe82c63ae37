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

test("a run that resumes writes the rows of its log, and none that only the file has", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const run = new RunFolder(path);
  for (const update of [1, 2, 4]) run.record(metrics(update, { loss: update }));
  cutOff(join(path, "metrics.jsonl"), 3);
  new RunFolder(path).resume(
    2,
    [1, 2, 3].map((update) => metrics(update, { loss: Number.NaN })),
  );
  const rows = readFileSync(join(path, "metrics.jsonl"), "utf8").trim().split("\n");
  expect(rows.map((row) => JSON.parse(row))).toEqual(
    [1, 2, 3].map((update) => ({
      ...{ stage: "ppo", update, loss: null },
      tokens: 1,
      episodes: 1,
      wallMs: 1,
    })),
  );
});

test("a file that is rewritten is whole or unchanged, also when the disk is full", () => {
  const path = mkdtempSync(join(tmpdir(), "folder-"));
  const file = join(path, "metrics.jsonl");
  const said: string[] = [];
  const run = new RunFolder(path, "sample", (line) => said.push(line));
  for (const update of [20, 40, 60]) run.record(metrics(update));
  const before = readFileSync(file, "utf8");
  // Nothing can be written where a folder is.
  mkdirSync(`${file}.part`);
  run.record({ type: "rewound", update: 40, from: 60 });
  expect(said).toEqual([expect.stringContaining("EISDIR")]);
  expect(readFileSync(file, "utf8")).toBe(before);
  rmdirSync(`${file}.part`);
  run.record({ type: "rewound", update: 40, from: 60 });
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
});
