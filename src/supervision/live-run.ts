// A run while it has a device: the run, its training loop, and the signal that the device is lost.
import type { RunConfig } from "../config/run-config.ts";
import { Breaker } from "../core/breaker.ts";
import { GpuError } from "../core/errors.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { DeviceInfo, MemoryPlan, TrainingFact } from "../training/events.ts";

/** What the supervisor uses of a run; `Run` in training/run.ts implements it. */
export interface SupervisedRun {
  readonly config: RunConfig;
  /** Updates done. While the caller handles the `metrics` of update u, this is u and `save` returns that state. */
  readonly update: number;
  readonly device: DeviceInfo;
  readonly memory: MemoryPlan;
  /** Resolves with a sentence when the device is lost. */
  readonly lost: Promise<string>;
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[];
  save(): Promise<Checkpoint>;
  loseDevice(): void;
  dispose(): void;
}

/** Starts a run's training loop. Nothing runs between two updates. It ends soon after `signal` aborts. */
export type Train<R> = (run: R, signal: AbortSignal) => AsyncGenerator<TrainingFact>;

export class LiveRun<R extends SupervisedRun = SupervisedRun> {
  private readonly abort = new AbortController();
  private readonly facts: AsyncGenerator<TrainingFact>;
  private readonly breaker = new Breaker();

  constructor(
    readonly run: R,
    train: Train<R>,
  ) {
    // A device may outlive its run, and what this refers to lives as long as the device.
    const { breaker } = this;
    void run.lost.then((message) => breaker.break(new GpuError("device_lost", message)));
    this.facts = train(run, this.abort.signal);
  }

  /** The next fact. @throws GpuError("device_lost"); whatever training throws */
  next(): Promise<IteratorResult<TrainingFact>> {
    return this.orLost(this.facts.next());
  }

  /** Waits for `work`, which may never settle once the device is lost. @throws GpuError("device_lost"); what `work` throws */
  orLost<T>(work: Promise<T>): Promise<T> {
    return this.breaker.guard(work);
  }

  /** Ends training after the update in progress; a validation in progress is dropped. */
  stop(): void {
    this.abort.abort();
  }

  /** Releases the run and its device. Must not wait for them, because a lost device never answers. */
  release(): void {
    this.abort.abort();
    this.facts.return(undefined).catch(() => {});
    try {
      this.run.dispose();
    } catch {
      // Destroying the buffers of a lost device may throw.
    }
  }
}
