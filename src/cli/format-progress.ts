// The training run in one line of text. Pure: events in, words out.
import type { RunConfig } from "../config/run-config.ts";
import { totalUpdates, warmupUpdates } from "../config/run-length.ts";
import { formatDuration, formatFixed, formatShare } from "../core/format.ts";
import { type StageTiming, stageCounts, timeLeft } from "../training/eta.ts";
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
  /** Milliseconds of the last updates of this stage, newest last. */
  durations: readonly number[];
  /** Episodes of the running validation. */
  validating: { done: number; of: number } | null;
  /** The last update that a validation followed, and the milliseconds of the last one that was timed. */
  validated: { update: number; ms: number };
}

const KEPT_DURATIONS = 10;
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
    validated: { update: 0, ms: 0 },
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
        // A resumed run does not announce its stages again.
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
  const ms = report.seconds === undefined ? validated.ms : 1000 * report.seconds;
  return { update: report.update, ms };
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
    durations: [
      ...(sameStage ? progress.durations : []),
      ...(seconds === undefined ? [] : [1000 * seconds]),
    ].slice(-KEPT_DURATIONS),
  };
}

function timingOf(progress: Progress): StageTiming {
  const { stage, stageEnds, totalUpdates, validated } = progress;
  return {
    ...progress,
    firstUpdate: stage === "ppo" ? (stageEnds.warmup ?? 0) + 1 : 1,
    lastUpdate: (stage && stageEnds[stage]) ?? totalUpdates,
    validatedUpdate: validated.update,
    validationMs: validated.ms,
  };
}

/**
 * `PPO 37/80  [####----] 46 %  success 62 %  1,234 tokens/s  about 4 min left`, counted within the stage and cut to
 * `columns`; while validating `PPO 37/80  [####----] 46 %  validating 120/512`.
 */
export function progressLine(progress: Progress, columns = Number.POSITIVE_INFINITY): string {
  const { stage, success, tokensPerSecond, validating } = progress;
  const { done, of } = stageCounts(timingOf(progress));
  const share = of > 0 ? done / of : 0;
  const parts = [
    `${stage === "ppo" ? "PPO" : "warm-up"} ${done}/${of}`,
    `[${bar(share)}] ${Math.floor(share * 100)} %`,
    ...(validating
      ? [`validating ${validating.done}/${validating.of}`]
      : [
          success === null ? "" : `success ${formatShare(success)}`,
          tokensPerSecond === null ? "" : `${Math.round(tokensPerSecond).toLocaleString("en")} tokens/s`,
          timeLeftText(progress),
        ]),
  ];
  return parts.filter(Boolean).join("  ").slice(0, columns);
}

/** Time left in the current stage; empty while there is too little to go by. */
function timeLeftText(progress: Progress): string {
  const left = timeLeft(timingOf(progress));
  if (left === null) return "";
  return `${progress.stage === "warmup" ? "warm-up: " : ""}about ${formatDuration(left.median)} left`;
}

function bar(share: number): string {
  const filled = Math.floor(share * BAR);
  return "#".repeat(filled) + "-".repeat(BAR - filled);
}

/** `190/256 = 74.2 % (95 % interval 68.5 … 79.2 %)` */
export function successLine(report: {
  successes: number;
  episodes: number;
  interval: readonly [number, number];
}): string {
  const { successes, episodes, interval } = report;
  const rate = episodes > 0 ? formatShare(successes / episodes) : "–";
  const [low, high] = interval;
  return `${successes}/${episodes} = ${rate} (95 % interval ${formatFixed(100 * low, 1)} … ${formatShare(high)})`;
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
