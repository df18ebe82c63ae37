// From the folders of finished runs to the numbers of a table.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { meanOverRuns } from "../../eval/student.ts";
import type { ValidationReport } from "../events.ts";
import { type AblationRun, type Cell, nameOfCell, nameOfRun } from "./matrix.ts";

/** What came of one run. Success is sampled at temperature 1. */
export interface RunResult extends AblationRun {
  /** Before the first and after the last update of PPO; null where no validation was made. */
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
}

/** Reads `validation.json` and the last line of `metrics.jsonl` of a run; null when it has made no validation. */
export function readResult(folder: string, run: AblationRun, updates: number): RunResult | null {
  const path = join(folder, nameOfRun(run));
  const reports = readJson<ValidationReport[]>(join(path, "validation.json")) ?? [];
  const sampled = reports.filter(({ temperature }) => temperature > 0);
  const last = sampled.at(-1);
  if (!last) return null;
  const greedy = reports.find(({ temperature, update }) => temperature === 0 && update === last.update);
  const totals = lastLine(join(path, "metrics.jsonl"));
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
    complete: last.update >= updates,
  };
}

const rate = ({ successes, episodes }: ValidationReport): number => successes / Math.max(1, episodes);

function readJson<T>(path: string): T | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : null;
}

function lastLine(path: string): Readonly<Record<string, number>> {
  const line = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").at(-1) : "";
  return line ? JSON.parse(line) : {};
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
