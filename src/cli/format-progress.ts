// The training run in one line of text. Pure: events in, words out.
import { applyChanges } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates, totalUpdates } from "../config/run-length.ts";
import { formatEstimate, formatFixed, formatInteger, formatShare } from "../core/format.ts";
import { type LevelCounts, levelsText } from "../core/level-source.ts";
import { type RunProgress, stageProgress, timeLeft } from "../training/eta.ts";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";

/** What is known of a run at a moment. */
export interface Progress extends RunProgress {
  /** Share of the last update's episodes that succeeded; only PPO's are the policy's own. */
  success: number | null;
  tokensPerSecond: number | null;
  /** Milliseconds of the last updates of this stage, newest last. */
  durations: readonly number[];
  /** Episodes of the running validation or test of SFT. */
  playing: { phase: keyof typeof PLAYING; done: number; of: number } | null;
}

/** Phases that play levels to measure the policy, in a word. */
const PLAYING = { validate: "validating", test: "testing" } as const;
const KEPT_DURATIONS = 10;
const BAR = 20;

export function emptyProgress(): Progress {
  return {
    config: null,
    stage: null,
    update: 0,
    totalUpdates: 0,
    stages: [],
    success: null,
    tokensPerSecond: null,
    durations: [],
    playing: null,
    validations: [],
  };
}

/** The progress after an event. */
export function foldProgress(progress: Progress, event: TrainerEvent): Progress {
  switch (event.type) {
    case "run_started": {
      const { config, update, totalUpdates } = event;
      // A resumed run does not announce its stages again.
      return { ...progress, config, update, totalUpdates, stages: stagesOf(config) };
    }
    case "stage": {
      const others = progress.stages.filter(({ stage }) => stage !== event.stage);
      return { ...progress, stages: [...others, event] };
    }
    case "phase":
      return afterPhase(progress, event);
    case "metrics":
      return afterMetrics(progress, event);
    case "validation":
      return { ...progress, playing: null, validations: [...progress.validations, event.report] };
    case "config_changed":
      return progress.config ? changedProgress(progress, event) : progress;
    case "device_lost":
      return { ...progress, update: event.resumeFrom, playing: null };
    default:
      return progress;
  }
}

/** The run's length follows its configuration. */
function changedProgress(
  progress: Progress,
  { path, to }: Extract<TrainerEvent, { type: "config_changed" }>,
): Progress {
  const config = applyChanges(progress.config!, { [path]: to });
  return { ...progress, config, stages: stagesOf(config), totalUpdates: totalUpdates(config) };
}

function stagesOf(config: RunConfig): RunProgress["stages"] {
  const [warmup, last] = [sftUpdates(config), totalUpdates(config)];
  return [
    { stage: "warmup", firstUpdate: 1, lastUpdate: warmup },
    { stage: "ppo", firstUpdate: warmup + 1, lastUpdate: last },
  ];
}

function afterPhase(progress: Progress, event: Extract<TrainerEvent, { type: "phase" }>): Progress {
  const { stage, phase, done, of } = event;
  if (phase !== "validate" && phase !== "test")
    return progress.playing ? { ...progress, playing: null } : progress;
  // A run that starts from a checkpoint validates before its first update.
  return { ...progress, stage: progress.stage ?? stage, playing: { phase, done, of } };
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

/**
 * `PPO 37/80  [####----] 46 %  success 62 %  1,234 tokens/s  about 4 min left`, counted within the stage and cut to
 * `columns`; while validating `PPO 37/80  [####----] 46 %  validating 120/512`. In a stage without updates it
 * shows only the validation, and is empty where none is played.
 */
export function progressLine(progress: Progress, columns = Number.POSITIVE_INFINITY): string {
  const { stage, success, tokensPerSecond, playing } = progress;
  const { done, of } = stageProgress(progress);
  if (of === 0) return (playing ? `${barText(playing)}  ${playingText(playing)}` : "").slice(0, columns);
  const parts = [
    `${stage === "ppo" ? "PPO" : "SFT"} ${done}/${of}`,
    barText({ done, of }),
    ...(playing
      ? [playingText(playing)]
      : [
          success === null ? "" : `success ${formatShare(success)}`,
          tokensPerSecond === null ? "" : `${formatInteger(Math.round(tokensPerSecond))} tokens/s`,
          timeLeftText(progress),
        ]),
  ];
  return parts.filter(Boolean).join("  ").slice(0, columns);
}

/** Time left in the current stage; empty while there is too little to go by. */
function timeLeftText(progress: Progress): string {
  const left = timeLeft(progress, progress.durations);
  if (left === null) return "";
  return `${progress.stage === "warmup" ? "SFT: " : ""}about ${formatEstimate(left.median)} left`;
}

const playingText = ({ phase, done, of }: NonNullable<Progress["playing"]>): string =>
  `${PLAYING[phase]} ${done}/${of}`;

/** `[####----] 46 %` */
function barText({ done, of }: { done: number; of: number }): string {
  const share = done / Math.max(1, of);
  const filled = Math.floor(share * BAR);
  return `[${"#".repeat(filled)}${"-".repeat(BAR - filled)}] ${Math.floor(share * 100)} %`;
}

/** `190/256 = 74.2 % (95 % interval 68.5 … 79.2 %)` */
export function successLine(report: SuccessCount): string {
  const { successes, episodes, interval } = report;
  const rate = episodes > 0 ? formatShare(successes / episodes) : "–";
  const [low, high] = interval;
  return `${successes}/${episodes} = ${rate} (95 % interval ${formatFixed(100 * low, 1)} … ${formatShare(high)})`;
}

interface SuccessCount {
  successes: number;
  episodes: number;
  interval: readonly [number, number];
  levels?: LevelCounts;
}

const VALIDATED = "val/success/";

/**
 * What follows `head`: a success, or a line for the success of each of several environments or sets, below one another. In runs of earlier
 * versions all but the first have a rate only.
 */
export function validationLines(head: string, report: ValidationReport): string {
  const rates = Object.entries(report.metrics).filter(([key]) => key.startsWith(VALIDATED));
  const names = rates.map(([key]) => key.slice(VALIDATED.length));
  if (names.length < 2) return [`${head}: ${successLine(report)}`, ...levelsBelow(report, 0)].join("\n");
  const width = Math.max(...names.map(({ length }) => length));
  const lines = rates.flatMap(([, rate], i) => {
    const count = i === 0 ? report : report.further?.[names[i]!];
    const success = count ? successLine(count) : formatShare(rate);
    return [`  ${names[i]!.padEnd(width)}  ${success}`, ...(count ? levelsBelow(count, width + 2) : [])];
  });
  return [`${head}:`, ...lines].join("\n");
}

/** Where the levels come from, in a line of its own below the success that is indented as far. */
const levelsBelow = ({ levels }: SuccessCount, indent: number): string[] =>
  levels ? [`  ${" ".repeat(indent)}${levelsText(levels)}`] : [];

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
