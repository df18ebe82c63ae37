// Saves a run: when a checkpoint is due or requested, and never with weights that may be broken.

import { isCheckpointDue } from "../config/run-length.ts";
import type { Clock } from "../core/clock.ts";
import { type Deferred, deferred } from "../core/deferred.ts";
import { CheckpointError } from "../core/errors.ts";
import {
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  type Provenance,
} from "../persistence/checkpoint.ts";
import { type CheckpointStore, checkpointName } from "../persistence/store.ts";
import type { LiveRun, SupervisedRun } from "./live-run.ts";
import type { RunReporter } from "./run-reporter.ts";

/** A checkpoint is due after this time even if `save_freq` sets a later one. */
const SAVE_EVERY_MS = 60_000;
/** A checkpoint is also due after this many times the cost of the last one, so that saving takes less than 2 % of the time. */
const COSTS_BETWEEN = 50;

export interface SavedCheckpoint {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckpointSaverDeps {
  store: CheckpointStore;
  clock: Clock;
  /** How the run is made, for published checkpoints. */
  provenance?(): Provenance;
}

/** Methods that save are called between two updates of a live run. */
export class CheckpointSaver {
  private waiters: Deferred<SavedCheckpoint>[] = [];
  /** The update whose state is stored; −1 if none is, or if the state has changed since. */
  private savedUpdate = -1;
  /** When it was stored, in milliseconds of the clock; −∞ makes the next checkpoint due. */
  private savedAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the last save took; 0 makes the next checkpoint due, which measures it. */
  private cost = 0;
  /** Changes of values so far, and how many of them are stored: a reload would undo the others. */
  private changes = 0;
  private savedChanges = 0;
  /** Whether the last optimiser step was finite. If it was skipped, the weights may already be broken. */
  private isHealthy = true;

  constructor(
    private readonly runId: string,
    private readonly deps: CheckpointSaverDeps,
    private readonly reporter: RunReporter,
  ) {}

  /** The run is built. @param isStored whether it was built from its own checkpoint. */
  begin(update: number, isStored: boolean): void {
    this.savedUpdate = isStored ? update : -1;
    // A run that was never saved cannot be resumed, so its first update is saved at once.
    this.savedAt = isStored ? this.deps.clock.now() : Number.NEGATIVE_INFINITY;
    this.isHealthy = true;
  }

  /** Makes a checkpoint due at the end of the current update. */
  saveSoon(): void {
    this.savedAt = Number.NEGATIVE_INFINITY;
  }

  /** Values of the run have changed: saves them with the next healthy weights, between two updates at once. */
  noteChange(): void {
    this.changes++;
  }

  /** The state has changed since the update that was saved. */
  invalidate(): void {
    this.savedUpdate = -1;
  }

  /** Notes from an update's metrics whether its weights may be saved. */
  noteHealth(values: Readonly<Record<string, number>>): void {
    this.isHealthy = !values["training/skipped_in_a_row"];
  }

  /** Whether a state after `update` is stored. */
  hasSavedAfter(update: number): boolean {
    return this.savedUpdate > update;
  }

  /** Resolves to the file that the next `serve` saves. */
  request(): Promise<SavedCheckpoint> {
    const waiter = deferred<SavedCheckpoint>();
    this.waiters.push(waiter);
    return waiter.promise;
  }

  /** Whether `serve` has something to do: a request, or a change that can be saved. */
  get hasWork(): boolean {
    return this.waiters.length > 0 || (this.hasChanges && this.isHealthy);
  }

  /**
   * Answers requests and saves changes. Requests stay pending if the device is lost. Weights that may be broken are not
   * stored, but a request gets their file, because a person may want to inspect them.
   * @throws GpuError("device_lost")
   */
  async serve(live: LiveRun): Promise<void> {
    for (let waiter = this.waiters[0]; waiter; waiter = this.waiters[0]) {
      const saved = await (this.isHealthy ? this.save(live) : this.encodeUnstored(live));
      this.waiters.shift();
      waiter.resolve(saved);
    }
    if (this.hasChanges) await this.saveIfNew(live);
  }

  /** Rejects pending requests. */
  rejectRequests(error: Error): void {
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }

  /** @throws GpuError("device_lost") */
  async saveIfDue(live: LiveRun): Promise<void> {
    const sinceSaved = this.deps.clock.now() - this.savedAt;
    if (sinceSaved >= SAVE_EVERY_MS || this.hasChanges) return this.saveIfNew(live);
    if (sinceSaved >= COSTS_BETWEEN * this.cost) await this.saveIfNew(live, "temporary");
  }

  /** Saves the state if it is healthy and not stored yet. @throws GpuError("device_lost") */
  async saveIfNew(live: LiveRun, kind?: "temporary"): Promise<void> {
    const { clock } = this.deps;
    const begun = clock.now();
    const isNew = (live.run.update !== this.savedUpdate || this.hasChanges) && this.isHealthy;
    if (isNew) await this.save(live, kind);
    await this.reporter.flushTraces();
    // A clock with a resolution of milliseconds may measure 0.
    if (isNew) this.cost = Math.max(1, clock.now() - begun);
  }

  /**
   * Removes the checkpoints after the last one whose update `every` divides, if there is such a one. A run that diverged
   * may have been broken already when the newest were saved.
   */
  async removeSinceMilestone(every: number): Promise<void> {
    const { store } = this.deps;
    try {
      const entries = await store.list(this.runId);
      const milestone = entries.find(({ update }) => update % every === 0);
      if (!milestone || milestone === entries[0]) return;
      const { update, bytes, name } = milestone;
      // Otherwise only the newer checkpoints can still be loaded.
      if (!(await this.isIntact(name))) return;
      await store.removeAfter(this.runId, update);
      this.reporter.emit({ type: "checkpoint", update, bytes, name });
    } catch (error) {
      this.reporter.warnStorage(error);
    }
  }

  private async isIntact(name: string): Promise<boolean> {
    try {
      await decodeCheckpoint(await this.deps.store.load(this.runId, name), name);
      return true;
    } catch (error) {
      if (error instanceof CheckpointError) return false;
      throw error;
    }
  }

  private get hasChanges(): boolean {
    return this.changes > this.savedChanges;
  }

  private async save(live: LiveRun, kind?: "temporary"): Promise<SavedCheckpoint> {
    const { run } = live;
    // Values that change while the state is read may be missing from it.
    const { changes } = this;
    const bytes = await this.encode(live);
    this.savedUpdate = run.update;
    this.savedChanges = changes;
    this.savedAt = this.deps.clock.now();
    const isTemporary = kind === "temporary" && !isCheckpointDue(run.config, run.update);
    const name = await this.store(run, bytes, isTemporary);
    return this.named(name, bytes);
  }

  /** Encodes the state without storing it, because a diverged run would go back to it. */
  private async encodeUnstored(live: LiveRun): Promise<SavedCheckpoint> {
    const { update } = live.run;
    const bytes = await this.encode(live);
    this.reporter.warn({
      code: "checkpoint_unfit",
      message: `The weights of update ${update} may be broken, because the gradient of its last step was not finite. The file was not stored with the run.`,
      hint: "Download a checkpoint again after an update without skipped steps, or use this file only to inspect the problem.",
    });
    return this.named(checkpointName(update), bytes);
  }

  private async encode(live: LiveRun): Promise<Uint8Array<ArrayBuffer>> {
    const checkpoint = await live.orLost(live.run.save());
    return encodeCheckpoint(this.withProvenance(checkpoint));
  }

  private named(name: string, bytes: Uint8Array<ArrayBuffer>): SavedCheckpoint {
    return { name: `${this.runId}-${name}`, bytes };
  }

  /** Stores a file. A full disk does not end the run; it warns and training continues. @returns the file's name */
  private async store(
    { update, config }: SupervisedRun,
    bytes: Uint8Array<ArrayBuffer>,
    isTemporary: boolean,
  ): Promise<string> {
    // A run that is killed now must not resume with a checkpoint newer than its log.
    await this.reporter.flushLog();
    try {
      const { name } = await this.deps.store.save(this.runId, update, bytes, config.trainer.save_freq);
      const saved = { type: "checkpoint", update, bytes: bytes.byteLength, name } as const;
      this.reporter.emit(isTemporary ? { ...saved, temporary: true } : saved);
      void this.reporter.flushLog();
      return name;
    } catch (error) {
      this.savedUpdate = -1;
      this.reporter.warnStorage(error);
      return checkpointName(update);
    }
  }

  private withProvenance({ meta, tensors }: Checkpoint): Checkpoint {
    const provenance = this.deps.provenance?.();
    return { meta: provenance ? { ...meta, provenance } : meta, tensors };
  }
}
