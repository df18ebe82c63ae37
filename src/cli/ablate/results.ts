// From the folders of finished runs to the numbers of a table.
import { join } from "node:path";
import { stateCriticText } from "../../config/state-critic.ts";
import { meanOverRuns } from "../../core/mean-interval.ts";
import { loadHistory } from "../../supervision/event-log.ts";
import { hasDiverged } from "../../supervision/history.ts";
import type { TrainerEvent, ValidationReport } from "../../training/events.ts";
import { storedRun } from "../run-folder/stored-run.ts";
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
  /** Its critic read the simulator's state. */
  stateCritic: boolean;
}

/**
 * Reads the log of a run as it was after `updates` updates of PPO: a run may have been resumed since. Null when it had made
 * no validation.
 */
export async function readResult(
  folder: string,
  run: AblationRun,
  updates: number,
): Promise<RunResult | null> {
  const history = await historyIn(join(folder, nameOfRun(run)));
  const reports = validationsIn(history).filter(({ update }) => update <= updates);
  const sampled = reports.filter(({ temperature }) => temperature > 0);
  const last = sampled.at(-1);
  if (!last) return null;
  const greedy = reports.find(({ temperature, update }) => temperature === 0 && update === last.update);
  const complete = last.update >= updates;
  // Every event of metrics has the totals since the run's beginning.
  const totals = history
    .filter((event) => event.type === "metrics")
    .findLast(({ update }) => update <= updates);
  return {
    ...run,
    before: sampled[0]?.update === 0 ? rate(sampled[0]) : null,
    after: rate(last),
    best: Math.max(...sampled.map(rate)),
    greedy: greedy ? rate(greedy) : null,
    metrics: last.metrics,
    curve: sampled.map((report) => ({ update: report.update, success: rate(report) })),
    levels: last.episodes,
    tokens: totals?.tokens ?? 0,
    wallMs: totals?.wallMs ?? 0,
    complete,
    diverged: !complete && hasDiverged(history),
    stateCritic: history.some(
      (event) => event.type === "run_started" && stateCriticText(event.config) !== "",
    ),
  };
}

/** The updates after which the run in a folder was validated. */
export async function validatedUpdates(folder: string): Promise<number[]> {
  const sampled = validationsIn(await historyIn(folder)).filter(({ temperature }) => temperature > 0);
  return sampled.map(({ update }) => update);
}

function historyIn(folder: string): Promise<TrainerEvent[]> {
  const { runId, store } = storedRun(folder);
  return loadHistory(store, runId);
}

const validationsIn = (history: readonly TrainerEvent[]): ValidationReport[] =>
  history.flatMap((event) => (event.type === "validation" ? [event.report] : []));

const rate = ({ successes, episodes }: ValidationReport): number => successes / Math.max(1, episodes);

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
