// Which errors come from the loss of a GPU device.
import type { Clock } from "../core/clock.ts";
import { GpuError } from "../core/errors.ts";

/** How long after an unexpected error the loss of the device may be reported. */
const LOSS_DELAY_MS = 1000;

/** A device that hangs counts as lost. */
const LOSSES: ReadonlySet<string> = new Set(["device_lost", "out_of_memory", "timeout"]);

export function isLoss(error: unknown): error is GpuError {
  return error instanceof GpuError && LOSSES.has(error.code);
}

/** Whether a first build that failed with this error is worth another attempt: there was a device, or an adapter. */
export function isWorthRetrying(error: unknown): error is GpuError {
  return isLoss(error) || (error instanceof GpuError && error.code === "adapter_lost");
}

/**
 * The loss that an error comes from; null when it has another cause. Buffers fail in many ways once a device is gone:
 * such an error is a consequence of the loss.
 * @param lost resolves with a message when the device is lost; absent when there is none.
 */
export async function lossBehind(
  error: unknown,
  lost: Promise<string> | undefined,
  clock: Clock,
): Promise<GpuError | null> {
  if (isLoss(error)) return error;
  if (!lost) return null;
  const message = await Promise.race([lost, clock.sleep(LOSS_DELAY_MS).then(() => null)]);
  return message === null ? null : new GpuError("device_lost", message, undefined, { cause: error });
}
