// The only channel from training to the page, the command line and the tests. The page is a fold over these events.
import type { RunConfig } from "../config/run-config.ts";
import type { SerializedError } from "../core/errors.ts";
import type { LevelCounts } from "../core/level-source.ts";
import type { Said } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import type { AlarmChange } from "../rl/alarms/watch.ts";

export type Stage = "warmup" | "ppo";
/** `test` is the test of SFT, which is part of an update; `validate` is between two updates. */
export type Phase = "rollout" | "advantage" | "update" | "rehearse" | "test" | "validate";

/** One row of the preparation list, which shows a step that hangs. */
export interface PrepareStep {
  step: "model" | "allocate" | "compile" | "restore";
  done: number;
  of: number;
  /** E.g. "38 of 112 MB". */
  detail: string;
}

/** GPU memory by purpose, in bytes. */
export interface MemoryPlan {
  total: number;
  parts: Readonly<Record<string, number>>;
  parameters: number;
  /** The largest single buffer and the adapter's limit for it. */
  largestBuffer: number;
  limit: number;
  /** Set if the largest buffer exceeds the limit: the settings that cause it, and values that fit. */
  problem?: Said;
}

export interface DeviceInfo {
  vendor: string;
  architecture: string;
  description: string;
  /** A software adapter: kernels choose their barrier-free variants. */
  software: boolean;
  features: readonly string[];
}

/** How many of the episodes on some levels succeeded. */
export interface SuccessCount {
  episodes: number;
  successes: number;
  /** 95 % Wilson interval of the success rate. */
  interval: readonly [number, number];
}

/** The result of a validation at one temperature. Its count is that of the first environment's own levels. */
export interface ValidationReport extends SuccessCount {
  update: number;
  stage: Stage;
  temperature: number;
  /** Episodes of each level; absent if there is one, and in runs of earlier versions. */
  samples?: number;
  /** Wall time of the whole validation, at every temperature; absent in runs of earlier versions. */
  seconds?: number;
  metrics: Readonly<Record<string, number>>;
  /** Where the levels come from; absent if they are all the studio's own. */
  levels?: LevelCounts;
  /** Further environments and sets of levels, by name; absent without any, and in runs of earlier versions. */
  further?: Readonly<Record<string, SuccessCount>>;
  /** What the policy should reach in this validation: see `Run.expected`. Absent where nothing is known of it. */
  expected?: Readonly<Record<string, number>>;
}

/** The suffix of a code that ends a warning, e.g. `storage_works` after `storage`. */
export const WORKS_AGAIN = "_works";

/**
 * `update` counts the updates of the whole run, SFT first, from 1.
 * Every event is plain data that survives `structuredClone`.
 */
export type TrainerEvent =
  | {
      type: "run_started";
      runId: string;
      config: RunConfig;
      device: DeviceInfo;
      memory: MemoryPlan;
      update: number;
      totalUpdates: number;
      time: number;
    }
  | { type: "prepare"; steps: readonly PrepareStep[] }
  | { type: "stage"; stage: Stage; firstUpdate: number; lastUpdate: number }
  /** `done` of `of` episodes (rollout, test, validate) or optimiser steps (update); 0 of 1 where nothing is counted. */
  | { type: "phase"; stage: Stage; update: number; phase: Phase; done: number; of: number }
  | {
      type: "metrics";
      stage: Stage;
      update: number;
      values: Readonly<Record<string, number>>;
      tokens: number;
      episodes: number;
      wallMs: number;
    }
  | { type: "trajectory"; update: number; source: "train" | "validation"; trajectory: Trajectory }
  | { type: "validation"; report: ValidationReport }
  /** `temporary` if it was saved only because saving is cheap: one of the next checkpoints replaces it. */
  | { type: "checkpoint"; update: number; bytes: number; name: string; temporary?: true }
  /** `automatic` if the run itself changed the value; the event before it says why. */
  | { type: "config_changed"; update: number; path: string; from: unknown; to: unknown; automatic?: true }
  /** SFT ended with `update` because the policy's facts are right. */
  | ({ type: "sft_ended"; update: number } & Said)
  /** Earlier events of the updates after `update`, up to `from`, no longer hold; these updates are reported again. */
  | { type: "rewound"; update: number; from: number }
  | ({ type: "warning"; update: number; code: string } & Said)
  /** An alarm began or is over; reported once, however often its update is computed. */
  | ({ type: "alarm" } & AlarmChange)
  | { type: "device_lost"; update: number; message: string; recovering: boolean; resumeFrom: number }
  /** After a loss, or after it went back to a checkpoint, the run is saved and paused between two updates. */
  | { type: "paused"; update: number }
  | {
      type: "run_finished";
      update: number;
      reason: "completed" | "stopped" | "failed" | "diverged";
      error?: SerializedError;
    };

/**
 * What the training loop itself reports. The supervisor adds the rest: the start and the end, checkpoints, losses, changes
 * and alarms.
 */
export type TrainingFact =
  | Extract<TrainerEvent, { type: "stage" | "phase" | "metrics" | "trajectory" | "warning" }>
  /** A complete validation, with a report for each temperature. */
  | { type: "validation"; reports: readonly ValidationReport[] }
  /** Precedes the metrics of its update; the configuration of the run has changed accordingly. */
  | Extract<TrainerEvent, { type: "sft_ended" }>
  /** The state after `update`, its validation included, is complete and due to be saved. */
  | { type: "checkpoint_due"; update: number };

export type StoredTrajectoryEvent = Extract<TrainerEvent, { type: "trajectory" }>;

/** The number of trajectories reported per update, with their token values. */
export const SHOWN_TRAJECTORIES = 3;
