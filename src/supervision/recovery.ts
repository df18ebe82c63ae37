// Recovers a run from the loss of its device: rebuilds it from its last checkpoint on a new device.

import type { Clock } from "../core/clock.ts";
import { GpuError, serializeError } from "../core/errors.ts";
import { isLoss, isWorthRetrying } from "../gpu/device-loss.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import type { RunControl } from "./run-control.ts";
import type { Notice, RunReporter } from "./run-reporter.ts";

/** Waits before each request for a new device; drivers need a moment after a reset. */
const RETRY_MS = [1000, 3000, 9000];

/** After this many losses without a new update, the run pauses instead of retrying. */
const MAX_LOSSES = 3;

interface RecoveryDeps {
  clock: Clock;
  control: RunControl;
  reporter: RunReporter;
  /** The newest intact checkpoint of the run, or null. */
  lastGood: () => Promise<GoodCheckpoint | null>;
  /** What to build from: that checkpoint, or what the run started from. */
  startFrom: (good: GoodCheckpoint | null) => Promise<Checkpoint | undefined>;
  /** Builds the run on a new device. */
  attach: (checkpoint: Checkpoint | undefined) => Promise<void>;
  /** Whether the run was built before: then it fits, and an error of building it comes from the loss. */
  wasBuilt: () => boolean;
}

export class Recovery {
  /** Losses since the last new update, or since a user last resumed the run. */
  private losses = 0;
  private lastLoss = new GpuError("device_lost", "");

  constructor(private readonly deps: RecoveryDeps) {}

  /** The device is lost; the caller calls `recover` next. */
  noteLoss(loss: GpuError): void {
    this.lastLoss = loss;
    this.losses++;
  }

  /** A new update is done, so earlier losses did not stop the run. */
  noteUpdate(): void {
    this.losses = 0;
  }

  /**
   * Resolves to true when the run is rebuilt and to false if it is stopped first. Pauses the run when retrying alone would
   * not help.
   * @throws GpuError if the new device is lost, too; what reading checkpoints throws.
   */
  async recover(): Promise<boolean> {
    const { control, lastGood, startFrom } = this.deps;
    const good = await lastGood();
    const isUnstable = this.losses >= MAX_LOSSES;
    this.report(good, !isUnstable);
    if (isUnstable) await this.pauseWithoutDevice(unstableDevice(this.lastLoss));
    if (control.target === "stopped") return false;
    return this.rebuild(await startFrom(good));
  }

  private report(good: GoodCheckpoint | null, recovering: boolean): void {
    const { reporter } = this.deps;
    const { message } = this.lastLoss;
    const resumeFrom = good?.entry.update ?? 0;
    reporter.emit({ type: "device_lost", update: reporter.update, message, recovering, resumeFrom });
    reporter.update = resumeFrom;
    reporter.warnSkipped(good);
  }

  private async pauseWithoutDevice(advice: Notice): Promise<void> {
    this.deps.reporter.warn(advice);
    await this.deps.control.pauseUntilResumed();
    this.losses = 0;
  }

  private async rebuild(checkpoint: Checkpoint | undefined): Promise<boolean> {
    while (this.deps.control.target !== "stopped") {
      const outcome = await this.attempt(checkpoint);
      if (typeof outcome === "boolean") return outcome;
      await this.pauseWithoutDevice(outcome);
    }
    return false;
  }

  /** Tries a few times. Resolves to true when the run is built, to false if it is stopped, otherwise to advice. */
  private async attempt(checkpoint: Checkpoint | undefined): Promise<boolean | Notice> {
    const { clock, control, attach, wasBuilt } = this.deps;
    const isStopped = () => control.target === "stopped";
    let problem: unknown;
    for (const wait of RETRY_MS) {
      await Promise.race([clock.sleep(wait), control.stopping]);
      if (isStopped()) return false;
      try {
        await attach(checkpoint);
        return true;
      } catch (error) {
        // A stop ends the build with an error, which says nothing about the device.
        if (isStopped()) return false;
        if (isLoss(error) || !(wasBuilt() || isWorthRetrying(error))) throw error;
        problem = error;
      }
    }
    return absentDevice(problem);
  }
}

function unstableDevice(last: GpuError): Notice {
  return {
    code: "device_unstable",
    message: `The graphics device was lost ${MAX_LOSSES} times without a new update in between, so the run is paused.`,
    hint:
      last.code === "timeout"
        ? "A step takes longer than the time limit of the GPU. Start a new run with a smaller preset or fewer tokens per micro-batch, or use a faster GPU."
        : "Close other programs that use the GPU, then press Resume. If that does not help, start a new run with a smaller preset or fewer tokens per micro-batch.",
  };
}

/** @param problem what the last attempt to get a device threw. */
function absentDevice(problem: unknown): Notice {
  return {
    code: "device_absent",
    message: `No graphics device became available again: ${serializeError(problem).message}`,
    hint: "Press Resume to try again. If that does not help, reload the page or restart the browser, then resume the run from its last checkpoint.",
  };
}
