// The one run that may be active in this worker, locked against other tabs.
import { type Deferred, deferred } from "../core/deferred.ts";
import { ProtocolError } from "../core/errors.ts";
import type { SupervisedRun } from "../supervision/live-run.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import type { RunLocks } from "./run-lock.ts";

/** What the worker uses of a supervisor, and of the models that compare drawings in its run. */
export type Supervision = SupervisorCalls & {
  /** Uses a file as the model of a kind from now on. @throws what is wrong with it; the model before then stays */
  takeModel(kind: string, file: File): Promise<void>;
};

type SupervisorCalls = Pick<
  Supervisor<SupervisedRun>,
  | "start"
  | "pause"
  | "resume"
  | "step"
  | "stop"
  | "applyChanges"
  | "saveSoon"
  | "saveCheckpoint"
  | "warn"
  | "loseDevice"
  | "done"
  | "hasBegun"
  | "runId"
>;

export class ActiveRun {
  private run: Supervision | null = null;
  /** A run that is being locked or read, which may take seconds. Commands wait until it is present. */
  private coming: { runId: string; present: Deferred<void>; release: () => void } | null = null;

  constructor(private readonly locks: RunLocks) {}

  /** The id of the active run or of the one being prepared; undefined if there is none. */
  get runId(): string | undefined {
    return (this.run ?? this.coming)?.runId;
  }

  /** The active run, without waiting for one that is being prepared. */
  get current(): Supervision | null {
    return this.run;
  }

  /** @throws ProtocolError("busy") if a run is active or being prepared. */
  assertNone(): void {
    if (this.runId === undefined) return;
    throw new ProtocolError("busy", `The run ${this.runId} is active.`, "Stop it before starting another.");
  }

  /**
   * Prepares a run and locks it against other tabs until it has ended, even if that is before `prepare` has.
   * @param prepare calls `set` with the run. @throws what it throws, and ProtocolError("busy")
   */
  async prepare(runId: string, prepare: () => Promise<unknown>): Promise<void> {
    this.assertNone();
    const mine = { runId, present: deferred(), release: () => {} };
    this.coming = mine;
    try {
      mine.release = await this.locks.hold(runId);
      await prepare();
    } finally {
      if (this.coming === mine) this.giveUp(mine);
    }
  }

  /** Makes a run the active one until it ends or fails to start, which releases its lock. */
  set(run: Supervision): void {
    const release = this.coming?.release;
    this.run = run;
    this.arrive();
    void run.done.then(() => {
      if (this.run === run) this.run = null;
      release?.();
    });
  }

  /** The active run, after waiting for one that is being prepared; null if there is none. */
  async present(): Promise<Supervision | null> {
    await this.coming?.present.promise;
    return this.run;
  }

  /** The id of the run that another tab trains, or null. */
  async elsewhere(): Promise<string | null> {
    if (this.run) return null;
    const held = await this.locks.held();
    return held === this.runId ? null : held;
  }

  /** No run was set, so no run's end releases the lock. */
  private giveUp({ release }: { release: () => void }): void {
    release();
    this.arrive();
  }

  /** Releases the commands that wait: the run is present, or could not be prepared. */
  private arrive(): void {
    this.coming?.present.resolve();
    this.coming = null;
  }
}

/** @throws ProtocolError("busy") if there is no run. */
export function required(run: Supervision | null): Supervision {
  if (run) return run;
  throw new ProtocolError("busy", "No run is active.", "Start a run first.");
}
