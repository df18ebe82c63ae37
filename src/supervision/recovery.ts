// How a run comes back after the loss of its device: from its last checkpoint, on a new device, as soon as there is one.

import type { Clock } from "../core/clock.ts";
import type { GpuError } from "../core/errors.ts";
import { isLoss, isWorthRetrying } from "../gpu/device-loss.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import { adviceOnAbsence, adviceOnInstability, DeviceLosses } from "./device-loss.ts";
import type { RunControl } from "./run-control.ts";
import type { Notice, RunReporter } from "./run-reporter.ts";

/** Waits before asking for a new device; drivers need a moment after a reset. */
const RETRY_MS = [1000, 3000, 9000];

interface RecoveryDeps {
  clock: Clock;
  control: RunControl;
  reporter: RunReporter;
  /** The newest whole checkpoint of the run; null when it has none. */
  lastGood: () => Promise<GoodCheckpoint | null>;
  /** What to build from: that checkpoint, or what the run began with. */
  startFrom: (good: GoodCheckpoint | null) => Promise<Checkpoint | undefined>;
  /** Builds the run on a new device. */
  raise: (checkpoint: Checkpoint | undefined) => Promise<void>;
  /** Whether the run was ever built: then it fits, and an error of building comes from the loss. */
  wasBuilt: () => boolean;
}

export class Recovery {
  private readonly losses = new DeviceLosses();

  constructor(private readonly deps: RecoveryDeps) {}

  /** The device is gone; `recover` is to be called next. */
  noteLoss(loss: GpuError): void {
    this.losses.note(loss);
  }

  /** A new update was gained: the losses before it did not keep the run from going on. */
  noteUpdate(): void {
    this.losses.forget();
  }

  /**
   * Resolves with true when the run is built again, and with false when it is to stop instead. Waits for a person when
   * trying again by itself would not help.
   * @throws GpuError when the new device is lost as well; what reading checkpoints throws.
   */
  async recover(): Promise<boolean> {
    const { control, lastGood, startFrom } = this.deps;
    const good = await lastGood();
    const { isUnstable, last } = this.losses;
    this.report(good, !isUnstable);
    if (isUnstable) await this.holdWithoutDevice(adviceOnInstability(last));
    if (control.wish === "stop") return false;
    return this.rebuild(await startFrom(good));
  }

  private report(good: GoodCheckpoint | null, recovering: boolean): void {
    const { reporter } = this.deps;
    const { message } = this.losses.last;
    const resumeFrom = good?.entry.update ?? 0;
    reporter.tell({ type: "device_lost", update: reporter.update, message, recovering, resumeFrom });
    reporter.update = resumeFrom;
    reporter.warnSkipped(good);
  }

  private async holdWithoutDevice(advice: Notice): Promise<void> {
    this.deps.reporter.warn(advice);
    await this.deps.control.holdUnasked();
    this.losses.forget();
  }

  private async rebuild(checkpoint: Checkpoint | undefined): Promise<boolean> {
    while (this.deps.control.wish !== "stop") {
      const outcome = await this.attempt(checkpoint);
      if (typeof outcome === "boolean") return outcome;
      await this.holdWithoutDevice(outcome);
    }
    return false;
  }

  /** Tries a few times: true when the run is built, false when it is to stop, otherwise what a person can do. */
  private async attempt(checkpoint: Checkpoint | undefined): Promise<boolean | Notice> {
    const { clock, control, raise, wasBuilt } = this.deps;
    let problem: unknown;
    for (const wait of RETRY_MS) {
      await Promise.race([clock.sleep(wait), control.stopping]);
      if (control.wish === "stop") return false;
      try {
        await raise(checkpoint);
        return true;
      } catch (error) {
        if (isLoss(error) || !(wasBuilt() || isWorthRetrying(error))) throw error;
        problem = error;
      }
    }
    return adviceOnAbsence(problem);
  }
}
