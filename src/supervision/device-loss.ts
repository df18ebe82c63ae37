// Repeated losses of a GPU device: when they are no accident any more, and what helps then.
import { GpuError, serializeError } from "../core/errors.ts";
import type { Notice } from "./run-reporter.ts";

/** After this many losses without a new update, another attempt would not help. */
const LOSSES_IN_VAIN = 3;
/** The losses of a run since its last new update. */
export class DeviceLosses {
  private inVain = 0;
  /** The last one, for as long as the run has not come back. */
  last = new GpuError("device_lost", "");

  note(loss: GpuError): void {
    this.last = loss;
    this.inVain++;
  }

  /** The device was lost several times, and no update was gained in between. */
  get isUnstable(): boolean {
    return this.inVain >= LOSSES_IN_VAIN;
  }

  /** An update was gained, or a person decided to go on. */
  forget(): void {
    this.inVain = 0;
  }
}

/** The advice on a device that is lost repeatedly. @param last the last loss */
export function adviceOnInstability(last: GpuError): Notice {
  return {
    code: "device_unstable",
    message: `The graphics device was lost ${LOSSES_IN_VAIN} times without a new update in between; the run is paused.`,
    hint:
      last.code === "timeout"
        ? "A step takes longer than the time limit of the GPU. Start a new run with a smaller preset or fewer tokens per micro-step, or use a faster GPU."
        : "Close other programs that use the GPU, then press Resume. If that does not help, start a new run with a smaller preset or fewer tokens per micro-step.",
  };
}

/** @param problem what the last attempt to get a device threw. */
export function adviceOnAbsence(problem: unknown): Notice {
  return {
    code: "device_absent",
    message: `No graphics device came back: ${serializeError(problem).message}`,
    hint: "Press Resume to try again. If that does not help, reload the page or restart the browser: the run goes on from its last checkpoint.",
  };
}
