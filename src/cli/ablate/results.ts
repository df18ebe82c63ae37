// From the folders of finished runs to the numbers of a table.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { meanOverRuns } from "../../eval/student.ts";
import type { ValidationReport } from "../../training/events.ts";
import { readValidations } from "../run-folder/validation-file.ts";
import { type AblationRun, type Cell, nameOfCell, nameOfRun } from "./matrix.ts";

/** The result of one run. Success is sampled at temperature 1. */
export interface RunResult extends AblationRun {
  /** Before the first and after the last update of PPO that counts; null without a validation. */
  before: number | null;
  after: number | null;
  /** The best of all validations: a policy that collapses had better days. */
  best: number | null;
  greedy: number | null;
  /** Of the last validation. */
  metrics: Readonly<Record<string, number>>;
  /** Sampled validations by update, from 0. */
  curve: readonly { update: number; success: number }[];
  levels: number;
  tokens: number;
  wallMs: number;
  /** Every update was done. */
  complete: boolean;
  /** It ended before because its numbers were no longer finite. */
  diverged: boolean;
}

/**
 * Reads `validation.json` and `metrics.jsonl` of a run as they were after `updates` updates of PPO: a run may have been resumed since.
 * Null when it had made no validation.
 * @throws ConfigError when its validations cannot be read.
 */
export function readResult(folder: string, run: AblationRun, updates: number): RunResult | null {
  const path = join(folder, nameOfRun(run));
  const reports = readValidations(path).filter(({ update }) => update <= updates);
  const sampled = reports.filter(({ temperature }) => temperature > 0);
  const last = sampled.at(-1);
  if (!last) return null;
  const greedy = reports.find(({ temperature, update }) => temperature === 0 && update === last.update);
  const complete = last.update >= updates;
  const totals = totalsAt(join(path, "metrics.jsonl"), updates);
  return {
    ...run,
    before: sampled[0]?.update === 0 ? rate(sampled[0]) : null,
    after: rate(last),
    best: Math.max(...sampled.map(rate)),
    greedy: greedy ? rate(greedy) : null,
    metrics: last.metrics,
    curve: sampled.map((report) => ({ update: report.update, success: rate(report) })),
    levels: last.episodes,
    tokens: totals.tokens ?? 0,
    wallMs: totals.wallMs ?? 0,
    complete,
    diverged: !complete && endedDiverged(path),
  };
}

/** The updates after which the run in a folder was validated. @throws ConfigError when its validations cannot be read. */
export const validatedUpdates = (path: string): number[] =>
  readValidations(path)
    .filter(({ temperature }) => temperature > 0)
    .map(({ update }) => update);

const rate = ({ successes, episodes }: ValidationReport): number => successes / Math.max(1, episodes);

/** Whether the run's last session ended because its numbers were no longer finite. */
function endedDiverged(path: string): boolean {
  const file = join(path, "events.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const last = lines.findLast((line) => /"type":"run_(started|finished)"/.test(line)) ?? "";
  return last.includes('"reason":"diverged"');
}

/** Tokens and time of the run up to an update: every line of the file has those since its beginning. */
function totalsAt(path: string, updates: number): Readonly<Record<string, number>> {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  for (const line of lines.reverse()) {
    const totals = parsed(line);
    if (totals && totals.update! <= updates) return totals;
  }
  return {};
}

/** Null for a line that was cut off, or is still being written. */
function parsed(line: string): Record<string, number> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** A row of the table. */
export interface CellResult extends Cell {
  /** By seed. */
  runs: readonly RunResult[];
}

/** The results by row, in the order of the rows; rows without any result are left out. */
export function groupByCell(cells: readonly Cell[], results: readonly RunResult[]): CellResult[] {
  return cells
    .map((cell) => ({ ...cell, runs: results.filter((run) => nameOfCell(run) === nameOfCell(cell)) }))
    .filter(({ runs }) => runs.length > 0);
}

/** Mean over the seeds of a number that every run of a row may have; null when none has. */
export function overSeeds({ runs }: CellResult, pick: (run: RunResult) => number | null | undefined) {
  const values = runs.map(pick).filter((value): value is number => typeof value === "number");
  return values.length > 0 ? meanOverRuns(values) : null;
}
