// How far a stage of training is and how long the rest of it takes, for the page and the terminal.
import type { RunConfig } from "../config/run-config.ts";
import { validationsLeft } from "../config/run-length.ts";
import { quantile } from "../core/statistics.ts";
import type { Stage } from "./events.ts";

/** The position of a run in its current stage. */
interface StagePosition {
  /** Updates done, counted over the whole run. */
  readonly update: number;
  /** The updates of the stage. */
  readonly firstUpdate: number;
  readonly lastUpdate: number;
}

/** What an estimate of the time left depends on. */
export interface StageTiming extends StagePosition {
  readonly config: RunConfig | null;
  readonly stage: Stage | null;
  /** Milliseconds of recent updates of the stage, in any order. */
  readonly durations: readonly number[];
  /** The last update that a validation followed. */
  readonly validatedUpdate: number;
  /** Milliseconds of the last validation that was timed; 0 before the first. */
  readonly validationMs: number;
}

/** Milliseconds left in a stage: the median of the estimates, and the quartiles around it. */
export interface TimeLeft {
  low: number;
  median: number;
  high: number;
}

/** The first updates of a stage compile pipelines and warm caches; an estimate from them would mislead. */
const FIRST_ESTIMATE = 3;

/** Updates done and to do in the stage; a total that was set below what is done counts as reached. */
export function stageCounts({ update, firstUpdate, lastUpdate }: StagePosition): {
  done: number;
  of: number;
} {
  const done = Math.max(0, update - firstUpdate + 1);
  return { done, of: Math.max(done, lastUpdate - firstUpdate + 1) };
}

/** Time left in the stage, whose updates are alike; null before its third update and at its end. */
export function timeLeft(run: StageTiming): TimeLeft | null {
  if (run.durations.length < FIRST_ESTIMATE) return null;
  const updates = Math.max(0, run.lastUpdate - run.update);
  const validating = validatingLeft(run);
  if (updates === 0 && validating === 0) return null;
  const at = (q: number) => quantile(run.durations, q) * updates + validating;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** Milliseconds of the validations to come, each as long as the last one. */
function validatingLeft({ config, stage, update, validatedUpdate, validationMs }: StageTiming): number {
  if (!config || stage !== "ppo" || validationMs === 0) return 0;
  return validationsLeft(config, update, validatedUpdate) * validationMs;
}
