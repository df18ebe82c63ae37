// The training run in one line of text. Pure: events in, words out.
import type { RunConfig } from "../config/run-config.ts";
import { totalUpdates, validationsLeft, warmupUpdates } from "../config/run-length.ts";
import type { Stage, TrainerEvent, ValidationReport } from "../training/events.ts";

/** What is known of a run at a moment. */
export interface Progress {
  config: RunConfig | null;
  stage: Stage | null;
  update: number;
  totalUpdates: number;
  /** Last update of each stage. */
  stageEnds: Readonly<Partial<Record<Stage, number>>>;
  /** Share of the last update's episodes that succeeded; only PPO's are the policy's own. */
  success: number | null;
  tokensPerSecond: number | null;
  /** Seconds of the last updates of this stage, newest last. */
  durations: readonly number[];
  /** Episodes of the validation that is under way. */
  validating: { done: number; of: number } | null;
  /** The last update that a validation followed, and how long that took. */
  validated: { update: number; seconds: number };
}

const KEPT_DURATIONS = 10;
/** The first updates of a stage compile and warm up; estimates from them would mislead. */
const FIRST_ESTIMATE = 3;
const BAR = 20;

export function emptyProgress(): Progress {
  return {
    config: null,
    stage: null,
    update: 0,
    totalUpdates: 0,
    stageEnds: {},
    success: null,
    tokensPerSecond: null,
    durations: [],
    validating: null,
    validated: { update: 0, seconds: 0 },
  };
}

/** The progress after an event. */
export function foldProgress(progress: Progress, event: TrainerEvent): Progress {
  switch (event.type) {
    case "run_started":
      return {
        ...progress,
        config: event.config,
        update: event.update,
        totalUpdates: event.totalUpdates,
        // A run that is taken up again does not announce its stages again.
        stageEnds: { warmup: warmupUpdates(event.config), ppo: totalUpdates(event.config) },
      };
    case "stage":
      return { ...progress, stageEnds: { ...progress.stageEnds, [event.stage]: event.lastUpdate } };
    case "phase":
      return afterPhase(progress, event);
    case "metrics":
      return afterMetrics(progress, event);
    case "validation":
      return { ...progress, validating: null, validated: afterValidation(progress, event.report) };
    case "device_lost":
      return { ...progress, update: event.resumeFrom, validating: null };
    default:
      return progress;
  }
}

function afterPhase(progress: Progress, event: Extract<TrainerEvent, { type: "phase" }>): Progress {
  const { stage, phase, done, of } = event;
  if (phase !== "validate") return progress.validating ? { ...progress, validating: null } : progress;
  // A run that starts from a checkpoint validates before its first update.
  return { ...progress, stage: progress.stage ?? stage, validating: { done, of } };
}

function afterValidation({ validated }: Progress, report: ValidationReport): Progress["validated"] {
  return { update: report.update, seconds: report.seconds ?? validated.seconds };
}

function afterMetrics(progress: Progress, event: Extract<TrainerEvent, { type: "metrics" }>): Progress {
  const { stage, update, values } = event;
  const sameStage = progress.stage === stage;
  const seconds = values["timing_s/step"];
  const success = Object.entries(values).find(([name]) => name.startsWith("train/success/"))?.[1];
  return {
    ...progress,
    stage,
    update,
    success: stage === "ppo" ? (success ?? null) : null,
    tokensPerSecond: values["perf/throughput"] ?? null,
    durations: [...(sameStage ? progress.durations : []), ...(seconds === undefined ? [] : [seconds])].slice(
      -KEPT_DURATIONS,
    ),
  };
}

/** Updates done and to do in the present stage. */
function ofStage({ stage, update, stageEnds, totalUpdates }: Progress): { done: number; of: number } {
  const before = stage === "ppo" ? (stageEnds.warmup ?? 0) : 0;
  const last = (stage && stageEnds[stage]) ?? totalUpdates;
  const done = Math.max(0, update - before);
  return { done, of: Math.max(done, last - before) };
}

/**
 * `PPO 37/80  [####----] 46 %  success 62 %  1,234 tokens/s  about 4 min left`, counted within the stage and cut to
 * `columns`; while validating `PPO 37/80  [####----] 46 %  validating 120/512`.
 */
export function progressLine(progress: Progress, columns = Number.POSITIVE_INFINITY): string {
  const { stage, success, tokensPerSecond, validating } = progress;
  const { done, of } = ofStage(progress);
  const share = of > 0 ? done / of : 0;
  const parts = [
    `${stage === "ppo" ? "PPO" : "warm-up"} ${done}/${of}`,
    `[${bar(share)}] ${Math.floor(share * 100)} %`,
    ...(validating
      ? [`validating ${validating.done}/${validating.of}`]
      : [
          success === null ? "" : `success ${percent(success)}`,
          tokensPerSecond === null ? "" : `${Math.round(tokensPerSecond).toLocaleString("en")} tokens/s`,
          timeLeft(progress),
        ]),
  ];
  return parts.filter(Boolean).join("  ").slice(0, columns);
}

/** Time left in the current stage, whose updates are alike; empty while there is too little to go by. */
function timeLeft(progress: Progress): string {
  const { stage, update, stageEnds, durations } = progress;
  const last = stage === null ? undefined : stageEnds[stage];
  if (last === undefined || durations.length < FIRST_ESTIMATE || update >= last) return "";
  const sorted = [...durations].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const name = stage === "warmup" ? "warm-up: " : "";
  return `${name}about ${formatSeconds(median * (last - update) + validatingLeft(progress))} left`;
}

/** Seconds that the validations to come will take, each as long as the last one; 0 before the first. */
function validatingLeft({ config, stage, update, validated }: Progress): number {
  if (!config || stage !== "ppo") return 0;
  return validationsLeft(config, update, validated.update) * validated.seconds;
}

function bar(share: number): string {
  const filled = Math.floor(share * BAR);
  return "#".repeat(filled) + "-".repeat(BAR - filled);
}

/** A duration as a person would say it: `45 s`, `4 min`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** `190/256 = 74.2 % (95 % interval 68.5 … 79.2 %)` */
export function successLine(report: {
  successes: number;
  episodes: number;
  interval: readonly [number, number];
}): string {
  const { successes, episodes, interval } = report;
  const [low, high] = interval.map((share) => (share * 100).toFixed(1));
  const rate = episodes > 0 ? percent(successes / episodes) : "–";
  return `${successes}/${episodes} = ${rate} (95 % interval ${low} … ${high} %)`;
}

/** A temperature in words. */
export const samplingName = (temperature: number): string =>
  temperature === 0 ? "greedy" : `temperature ${temperature}`;

/** Columns padded to equal width; the first is text, the others are numbers. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
