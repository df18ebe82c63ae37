// A run while it has a device: what is kept going, its training, and the news of the device's loss.
import type { RunConfig } from "../config/run-config.ts";
import { Breaker } from "../core/breaker.ts";
import { GpuError } from "../core/errors.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { DeviceInfo, MemoryPlan, TrainerEvent } from "../training/events.ts";

/** What the supervisor needs of a run; `Run` of build-run.ts is one. */
export interface SupervisedRun {
  readonly config: RunConfig;
  /** Updates done. While a `metrics` event of update u is being looked at, this is u and `save` gives that state. */
  readonly update: number;
  readonly device: DeviceInfo;
  readonly memory: MemoryPlan;
  /** Resolves with a sentence when the device is gone. */
  readonly lost: Promise<string>;
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[];
  save(): Promise<Checkpoint>;
  loseDevice(): void;
  dispose(): void;
}

/** Starts a run's training. Nothing happens between two pulls, so not pulling is pausing. */
export type Train<R> = (run: R, signal: AbortSignal) => AsyncGenerator<TrainerEvent>;

export class LiveRun<R extends SupervisedRun = SupervisedRun> {
  private readonly abort = new AbortController();
  private readonly events: AsyncGenerator<TrainerEvent>;
  private readonly breaker = new Breaker();

  constructor(
    readonly run: R,
    train: Train<R>,
  ) {
    void run.lost.then((message) => this.breaker.break(new GpuError("device_lost", message)));
    this.events = train(run, this.abort.signal);
  }

  /** The training's next event. @throws GpuError("device_lost"); whatever training throws */
  next(): Promise<IteratorResult<TrainerEvent>> {
    return this.orLost(this.events.next());
  }

  /** `work`, which may never be done once the device is gone. @throws GpuError("device_lost"); what `work` throws */
  orLost<T>(work: Promise<T>): Promise<T> {
    return this.breaker.guard(work);
  }

  /** Lets go of run and device. Nothing here may wait for them: a lost device answers nothing. */
  release(): void {
    this.abort.abort();
    this.events.return(undefined).catch(() => {});
    try {
      this.run.dispose();
    } catch {
      // Buffers of a lost device may refuse to be destroyed; they are gone either way.
    }
  }
}
