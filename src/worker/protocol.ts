// The messages between the page and the training worker. Commands are calls with a result; events are a stream.
import type { RunConfig } from "../config/run-config.ts";
import type { SerializedError } from "../core/errors.ts";
import type { LevelPicture } from "../envs/preview.ts";
import type { EnvLoad } from "../envs/registry.ts";
import type { ExtensionSource } from "../extension/api.ts";
import type { DeviceInfo, MemoryPlan, StoredTrajectoryEvent, TrainerEvent } from "../training/events.ts";

/** Bump on any change of meaning; `hello` compares it, so that a stale tab does not talk to a new worker. */
export const PROTOCOL_VERSION = 14;

export interface GpuProbe {
  available: boolean;
  /** Why not, and what helps; empty if available. */
  reason: string;
  hint: string;
  device: DeviceInfo | null;
}

/** A run that can be resumed after a reload. */
export interface StoredRun {
  runId: string;
  name: string;
  update: number;
  totalUpdates: number;
  /** Epoch milliseconds of the last checkpoint. */
  savedAt: number;
  config: RunConfig;
  /** Another tab is training it. */
  elsewhere: boolean;
  /** Whether the recording for its judge is stored with it. */
  recordingKept: boolean;
  /** Events of the run so far without trajectories; the page rebuilds its view from them. */
  events: readonly TrainerEvent[];
  /** The texts of its extensions, which it needs to resume; absent if it has none. */
  extensions?: readonly ExtensionSource[];
}

/** What a judge needs and no configuration contains. The key stays in the worker's memory. */
export interface JudgeAccess {
  /** The endpoint that the person allowed (`endpointOf`), and the key entered for it. */
  endpoint?: string;
  key?: string;
  /** The file of verdicts for a recorded judge. */
  recording?: Blob;
}

/** Models that compare drawings, by their kinds. They are read where the run is built, and never stored. */
export type ModelFiles = Readonly<Record<string, File>>;

/** What a run needs and no configuration contains. */
export interface RunSupplies {
  judge?: JudgeAccess;
  models?: ModelFiles;
}

/** The number of trajectories stored with a run: a few megabytes at most. */
export const KEPT_TRACES = 48;

/** name → [argument, result]. Adding a line here and a case in the worker is the whole protocol change. */
export interface Commands {
  hello: [{ version: number }, { version: number; gpu: GpuProbe }];
  /** Replaces all registered extensions. Refused while a run is active, because it uses them. */
  setExtensions: [{ extensions: readonly ExtensionSource[] }, null];
  /** Memory and size of a configuration, before anything is allocated. */
  plan: [{ config: RunConfig }, MemoryPlan];
  /**
   * A level as a picture for people and, for a policy without pictures, as text. The worker draws it, because the search for one may take
   * seconds and would freeze the page.
   */
  preview: [{ env: { name: string; config: Readonly<Record<string, unknown>> }; seed: number }, LevelPicture];
  /** Rejects a file whose header is not that of a checkpoint. Whether it fits a draft is checked by `plan`, and at the start. */
  checkCheckpoint: [{ choice: string }, null];
  /** Starts a new run. Resolves once training runs; events follow. */
  start: [{ runId: string; config: RunConfig } & RunSupplies, null];
  /** Resumes a stored run from its last intact checkpoint, with changes that need no new run, e.g. a greater length. */
  resumeStored: [{ runId: string; changes?: Readonly<Record<string, unknown>> } & RunSupplies, null];
  /** Updates of a run's stored checkpoints, newest first. */
  storedUpdates: [{ runId: string }, readonly number[]];
  /** Ends a run if it is active, deletes what it did after its stored checkpoint of an update, and resumes it there, paused. */
  goBack: [{ runId: string; update: number } & RunSupplies, null];
  storedRuns: [null, readonly StoredRun[]];
  /** The id of the run that another tab is training, or null. Only one tab trains at a time. */
  trainedElsewhere: [null, string | null];
  /** The newest stored trajectories of a run, oldest first; the run need not be active. */
  storedTrajectories: [{ runId: string }, readonly StoredTrajectoryEvent[]];
  discardStored: [{ runId: string }, null];
  pause: [null, null];
  resume: [null, null];
  /** Runs one update, then pauses. */
  step: [null, null];
  stop: [null, null];
  /** Changes live and next-update values; returns the paths that were applied. */
  applyChanges: [{ changes: Readonly<Record<string, unknown>> }, readonly string[]];
  /** Another file for a model that the run pays. It is used from the next drawing on, and the one before is released. */
  takeModel: [{ kind: string; file: File }, null];
  /** Saves at the end of the current update. Returns at once; does nothing without a run. */
  saveSoon: [null, null];
  saveCheckpoint: [null, { name: string; bytes: ArrayBuffer }];
  /** The newest stored checkpoint of a run that need not be active. */
  storedCheckpoint: [{ runId: string }, { name: string; bytes: ArrayBuffer }];
  /** The verdicts that a model gave in a run so far, as a recording; null if there are none. */
  verdicts: [{ runId: string }, { name: string; bytes: ArrayBuffer } | null];
  /** Test aid: destroys the GPU device as a driver reset would. */
  loseDevice: [null, null];
  /** Resolves at once, unless code in the worker does not return. */
  ping: [null, null];
}
export type Command = keyof Commands;

export type ToWorker = {
  [C in Command]: { kind: "call"; id: number; command: C; arg: Commands[C][0] };
}[Command];
export type FromWorker =
  | { kind: "return"; id: number; value: unknown }
  | { kind: "throw"; id: number; error: SerializedError }
  | { kind: "event"; runId: string; event: TrainerEvent }
  /** How far the worker has loaded an environment. */
  | { kind: "load"; envId: string; load: EnvLoad };
