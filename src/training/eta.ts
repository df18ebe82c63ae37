// How far a stage of training is and how long the rest of it takes, for the page and the terminal.
import type { RunConfig } from "../config/run-config.ts";
import { validationsLeft } from "../config/run-length.ts";
import { quantile } from "../core/quantile.ts";
import type { Phase, Stage, ValidationReport } from "./events.ts";

/** What the events of a run have reported. Updates are counted over the whole run. */
export interface RunProgress {
  readonly config: RunConfig | null;
  readonly stage: Stage | null;
  readonly stages: readonly { stage: Stage; firstUpdate: number; lastUpdate: number }[];
  readonly update: number;
  readonly totalUpdates: number;
  /** Oldest first. */
  readonly validations: readonly Pick<ValidationReport, "update" | "seconds">[];
  /** What is under way, and how far it is; absent where the time that is left is not shown meanwhile. */
  readonly phase?: { phase: Phase; done: number; of: number } | null;
}

/** Milliseconds left in a stage: the median of the estimates, and the quartiles around it. */
export interface TimeLeft {
  low: number;
  median: number;
  high: number;
}

/** The first updates of a stage compile pipelines and warm caches; an estimate from them would mislead. */
const FIRST_ESTIMATE = 3;

/** Updates done and to do in the current stage; a total that was set below what is done counts as reached. */
export function stageProgress(run: RunProgress): { done: number; of: number } {
  const first = spanOf(run)?.firstUpdate ?? 1;
  const done = Math.max(0, run.update - first + 1);
  return { done, of: Math.max(done, lastUpdate(run) - first + 1) };
}

/**
 * Time left in the current stage, whose updates are alike; null before its third update and at its end.
 * @param durations milliseconds of recent updates of the stage, in any order.
 */
export function timeLeft(run: RunProgress, durations: readonly number[]): TimeLeft | null {
  if (durations.length < FIRST_ESTIMATE) return null;
  const updates = Math.max(0, lastUpdate(run) - run.update);
  const validating = validatingLeft(run);
  if (updates === 0 && validating === 0) return null;
  const at = (q: number) => quantile(durations, q) * updates + validating;
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** Milliseconds of the validations to come, each as long as the last timed one; 0 before the first. */
function validatingLeft({ config, stage, update, validations, phase }: RunProgress): number {
  const last = validations.findLast(({ seconds }) => seconds !== undefined);
  if (!config || !last?.seconds || stage !== "ppo") return 0;
  const underWay = phase?.phase === "validate" ? phase : null;
  // One that is played again after the loss of a device is not done, either.
  const validated = underWay ? -1 : validations.at(-1)!.update;
  const played = underWay ? underWay.done / Math.max(1, underWay.of) : 0;
  return Math.max(0, validationsLeft(config, update, validated) - played) * last.seconds * 1000;
}

const spanOf = ({ stage, stages }: RunProgress) => stages.find((span) => span.stage === stage);

const lastUpdate = (run: RunProgress): number => spanOf(run)?.lastUpdate ?? run.totalUpdates;
