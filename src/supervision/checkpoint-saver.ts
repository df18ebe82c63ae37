// When a run is saved, and how: as often as is due, whenever somebody asks, and never in a state that may be broken.

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

/** A checkpoint is due after this long even when `save_freq` says later. */
const SAVE_EVERY_MS = 60_000;
/** It is also due once this many times the cost of the last one have passed: saving then takes less than 2 % of the time. */
const COSTS_BETWEEN = 50;

export interface SavedCheckpoint {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckpointSaverDeps {
  store: CheckpointStore;
  clock: Clock;
  /** How the run is made, for checkpoints that are to be published. */
  provenance?(): Provenance;
}

/** Whatever saves here is called between two updates of a live run. */
export class CheckpointSaver {
  private waiters: Deferred<SavedCheckpoint>[] = [];
  /** The update whose state is stored; −1 when there is none, or when it has gone stale. */
  private savedUpdate = -1;
  /** When it was stored, in milliseconds of the clock; −∞ has the next update saved. */
  private savedAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the last save took; 0 has the next update saved, and measured. */
  private cost = 0;
  /** How often values were changed, and how many of these changes are stored: a reload would undo the others. */
  private changes = 0;
  private savedChanges = 0;
  /** The last update's last step was taken. What kept it from being finite may be in the weights already. */
  private healthy = true;

  constructor(
    private readonly runId: string,
    private readonly deps: CheckpointSaverDeps,
    private readonly reporter: RunReporter,
  ) {}

  /** A run was built; `isStored` when from a checkpoint that is its own. */
  begin(update: number, isStored: boolean): void {
    this.savedUpdate = isStored ? update : -1;
    // What was never saved cannot be taken up after a reload, so the first update is saved at once.
    this.savedAt = isStored ? this.deps.clock.now() : Number.NEGATIVE_INFINITY;
    this.healthy = true;
  }

  /** Has the run saved at the end of the current update. */
  saveSoon(): void {
    this.savedAt = Number.NEGATIVE_INFINITY;
  }

  /** Has values that were changed saved with the next state that is fit to be: at once between two updates. */
  noteChange(): void {
    this.changes++;
  }

  /** The state has changed since the update that was saved. */
  invalidate(): void {
    this.savedUpdate = -1;
  }

  /** Looks whether the weights after an update are fit to be kept. */
  judge(values: Readonly<Record<string, number>>): void {
    this.healthy = !values["training/skipped_in_a_row"];
  }

  /** Whether a state after `update` is stored. */
  hasSavedAfter(update: number): boolean {
    return this.savedUpdate > update;
  }

  /** Somebody asks for the file; `serve` hands it over. */
  request(): Promise<SavedCheckpoint> {
    const waiter = deferred<SavedCheckpoint>();
    this.waiters.push(waiter);
    return waiter.promise;
  }

  /** `serve` has something to do: somebody asked, or a change can be stored. One that may not be yet waits for an update. */
  get hasWork(): boolean {
    return this.waiters.length > 0 || (this.hasChanges && this.healthy);
  }

  /**
   * Saves for everyone who asked, and what was changed. They go on waiting when the device is lost. Weights that may not be
   * kept are handed over all the same, since a person may want to look at them.
   * @throws GpuError("device_lost")
   */
  async serve(live: LiveRun): Promise<void> {
    for (let waiter = this.waiters[0]; waiter; waiter = this.waiters[0]) {
      const saved = await (this.healthy ? this.save(live) : this.handOver(live));
      this.waiters.shift();
      waiter.resolve(saved);
    }
    if (this.hasChanges) await this.saveIfNew(live);
  }

  /** Nobody who asked will get a file any more. */
  refuse(error: Error): void {
    for (const waiter of this.waiters.splice(0)) waiter.reject(error);
  }

  /** @throws GpuError("device_lost") */
  async saveIfDue(live: LiveRun): Promise<void> {
    const sinceSaved = this.deps.clock.now() - this.savedAt;
    if (sinceSaved >= SAVE_EVERY_MS || this.hasChanges) return this.saveIfNew(live);
    if (sinceSaved >= COSTS_BETWEEN * this.cost) await this.saveIfNew(live, "temporary");
  }

  /** Saves what is not stored yet and is fit to be. @throws GpuError("device_lost") */
  async saveIfNew(live: LiveRun, kind?: "temporary"): Promise<void> {
    const { clock } = this.deps;
    const begun = clock.now();
    const isNew = (live.run.update !== this.savedUpdate || this.hasChanges) && this.healthy;
    if (isNew) await this.save(live, kind);
    await this.reporter.flushTraces();
    // A clock of milliseconds may see none pass.
    if (isNew) this.cost = Math.max(1, clock.now() - begun);
  }

  /**
   * Removes what was saved since the last update that `every` divides, if there is a checkpoint of one: a run that has
   * diverged may have been broken already when the newest were saved.
   */
  async removeSinceMilestone(every: number): Promise<void> {
    const { store } = this.deps;
    try {
      const entries = await store.list(this.runId);
      const milestone = entries.find(({ update }) => update % every === 0);
      if (!milestone || milestone === entries[0]) return;
      const { update, bytes, name } = milestone;
      // What is newer may be all that can still be loaded.
      if (!(await this.isWhole(name))) return;
      await store.removeAfter(this.runId, update);
      this.reporter.tell({ type: "checkpoint", update, bytes, name });
    } catch (error) {
      this.reporter.warnStorage(error);
    }
  }

  private async isWhole(name: string): Promise<boolean> {
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
    // What is changed while the state is read may not be part of it.
    const { changes } = this;
    const bytes = await this.encode(live);
    this.savedUpdate = run.update;
    this.savedChanges = changes;
    this.savedAt = this.deps.clock.now();
    const isTemporary = kind === "temporary" && !isCheckpointDue(run.config, run.update);
    const name = await this.store(run, bytes, isTemporary);
    return this.named(name, bytes);
  }

  /** The state as a file only: stored, it would be what the run goes back to once it has diverged. */
  private async handOver(live: LiveRun): Promise<SavedCheckpoint> {
    const { update } = live.run;
    const bytes = await this.encode(live);
    this.reporter.warn({
      code: "checkpoint_unfit",
      message: `The file of update ${update} may hold broken weights: the gradient of its last step was not finite. The run does not keep it.`,
      hint: "Ask again after an update without skipped steps, or use the file only to look into what went wrong.",
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

  /** A full disk must not end a run; it goes on, and says that it is not safe. */
  private async store(
    { update, config }: SupervisedRun,
    bytes: Uint8Array<ArrayBuffer>,
    isTemporary: boolean,
  ): Promise<string> {
    // A run that is killed now must not come back with a checkpoint ahead of its log.
    await this.reporter.flushLog();
    try {
      const { name } = await this.deps.store.save(this.runId, update, bytes, config.trainer.save_freq);
      const saved = { type: "checkpoint", update, bytes: bytes.byteLength, name } as const;
      this.reporter.tell(isTemporary ? { ...saved, temporary: true } : saved);
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
