// What the page and the training worker say to each other. Commands are calls with a result; events are a stream.
import type { RunConfig } from "../config/run-config.ts";
import type { SerializedError } from "../core/errors.ts";
import type { LevelPicture } from "../envs/preview.ts";
import type { ExtensionSource } from "../rl/extension/api.ts";
import type { DeviceInfo, MemoryPlan, StoredTrajectoryEvent, TrainerEvent } from "../training/events.ts";

/** Bump on any change of meaning; `hello` compares (a stale tab and a new worker must not talk). */
export const PROTOCOL_VERSION = 6;

export interface GpuProbe {
  available: boolean;
  /** Why not, and what to do; empty when available. */
  reason: string;
  hint: string;
  device: DeviceInfo | null;
}

/** A run that can be taken up again after a reload. */
export interface StoredRun {
  runId: string;
  name: string;
  update: number;
  totalUpdates: number;
  /** Epoch milliseconds of the last checkpoint. */
  savedAt: number;
  config: RunConfig;
  /** Another tab trains it now. */
  elsewhere: boolean;
  /** The recording that its judge repeats is kept with it. */
  recordingKept: boolean;
  /** Events of the run so far, without trajectories, so that the page can fold them again. */
  events: readonly TrainerEvent[];
  /** The texts of its extensions, which it needs to go on; absent means none. */
  extensions?: readonly ExtensionSource[];
}

/** What a judge needs that is in no configuration. The worker keeps it in memory, and tells nobody of the key. */
export interface JudgeAccess {
  /** The endpoint that a person allowed (`endpointOf`), with the key that was typed for it. */
  endpoint?: string;
  key?: string;
  /** The file of verdicts that a recorded judge repeats. */
  recording?: Blob;
}

/** Trajectories that are stored with a run: as many as a person reads; some megabytes at most. */
export const KEPT_TRACES = 48;

/** name → [argument, result]. Adding a line here and a case in the worker is the whole protocol change. */
export interface Commands {
  hello: [{ version: number }, { version: number; gpu: GpuProbe }];
  /** Reads and registers these extensions in place of all others. Refused while a run is active: it has its own. */
  setExtensions: [{ extensions: readonly ExtensionSource[] }, null];
  /** Memory and size of a configuration, before anything is allocated. */
  plan: [{ config: RunConfig }, MemoryPlan];
  /** A level of a task, drawn for people. Here because a search for one may take seconds, which would freeze the page. */
  preview: [{ env: { name: string; config: Readonly<Record<string, unknown>> }; seed: number }, LevelPicture];
  /** Refuses a file that is no checkpoint of this studio, by its header; whether it fits a draft, only a start tells. */
  checkCheckpoint: [{ choice: string }, null];
  /** Starts a new run. Resolves once training runs; events follow. */
  start: [{ runId: string; config: RunConfig; judge?: JudgeAccess }, null];
  /** Takes a stored run up again from its last good checkpoint, with changes that need no new run: a greater length, say. */
  resumeStored: [{ runId: string; changes?: Readonly<Record<string, unknown>>; judge?: JudgeAccess }, null];
  storedRuns: [null, readonly StoredRun[]];
  /** Id of the run that another tab trains now; null when none does. Only one tab trains at a time. */
  trainedElsewhere: [null, string | null];
  /** The newest trajectories that are stored with a run, oldest first; the run need not be active. */
  storedTrajectories: [{ runId: string }, readonly StoredTrajectoryEvent[]];
  discardStored: [{ runId: string }, null];
  pause: [null, null];
  resume: [null, null];
  /** One update, then paused. */
  step: [null, null];
  stop: [null, null];
  /** Changes live and next-update values; returns the paths that were applied. */
  applyChanges: [{ changes: Readonly<Record<string, unknown>> }, readonly string[]];
  /** Saves at the end of the current update; returns at once, and nothing happens without a run. */
  saveSoon: [null, null];
  saveCheckpoint: [null, { name: string; bytes: ArrayBuffer }];
  /** The newest stored checkpoint of a run that need not be active. */
  storedCheckpoint: [{ runId: string }, { name: string; bytes: ArrayBuffer }];
  /** The verdicts that a model gave in a run so far, as a recording; null when there are none. */
  verdicts: [{ runId: string }, { name: string; bytes: ArrayBuffer } | null];
  /** Test aid: destroys the GPU device as a lost device would be. */
  loseDevice: [null, null];
}
export type Command = keyof Commands;

export type ToWorker = {
  [C in Command]: { kind: "call"; id: number; command: C; arg: Commands[C][0] };
}[Command];
export type FromWorker =
  | { kind: "return"; id: number; value: unknown }
  | { kind: "throw"; id: number; error: SerializedError }
  | { kind: "event"; runId: string; event: TrainerEvent };
