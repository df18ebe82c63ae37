// The loss of a GPU device: which errors are one, when it is no accident any more, and what helps then.
import { GpuError, serializeError } from "../core/errors.ts";
import type { Clock } from "./clock.ts";
import type { Notice } from "./run-reporter.ts";

/** Two losses within this time: something is wrong that trying again does not cure. */
const LOSS_WINDOW_MS = 120_000;
/** How long after an odd error the news of a lost device may take to arrive. */
const LOSS_NEWS_MS = 250;

/** A device that hangs is as good as gone. */
const LOSSES: ReadonlySet<string> = new Set(["device_lost", "out_of_memory", "timeout"]);

export function isLoss(error: unknown): error is GpuError {
  return error instanceof GpuError && LOSSES.has(error.code);
}

/**
 * What is said of the loss that an error comes from; null when it is a fault of its own. Buffers fail in many ways once a
 * device is gone: such an error is a consequence of the loss.
 * @param lost resolves with a sentence when the device is gone; absent when there is none.
 */
export async function lossBehind(
  error: unknown,
  lost: Promise<string> | undefined,
  clock: Clock,
): Promise<string | null> {
  if (isLoss(error)) return error.message;
  if (!lost) return null;
  return Promise.race([lost, clock.sleep(LOSS_NEWS_MS).then(() => null)]);
}

/** A run's losses, with times in milliseconds of one clock. */
export class DeviceLosses {
  private times: number[] = [];
  /** What was said of the last one. */
  message = "";

  note(message: string, now: number): void {
    this.message = message;
    this.times.push(now);
  }

  /** The device was lost at least twice within two minutes. */
  isUnstable(now: number): boolean {
    return this.times.filter((time) => now - time < LOSS_WINDOW_MS).length >= 2;
  }

  forget(): void {
    this.times = [];
  }
}

export const UNSTABLE: Notice = {
  code: "device_unstable",
  message: "The graphics device was lost twice within two minutes; the run is paused.",
  hint: "Choose a smaller preset or fewer tokens per micro-step, close other programs that use the GPU, then resume.",
};

/** @param problem what the last attempt to get a device threw. */
export function adviceOnAbsence(problem: unknown): Notice {
  return {
    code: "device_absent",
    message: `No graphics device came back; the run is paused. (${serializeError(problem).message})`,
    hint: "Press Resume to try again. If that does not help, reload the page or restart the browser: the run goes on from its last checkpoint.",
  };
}
