// The page's end of the worker that checks the GPU.
import { ProtocolError, type SerializedError, serializeError } from "../core/errors.ts";
import type { FromCheckWorker, ShownReport } from "./check-protocol.ts";
import type { Port } from "./serve.ts";

interface CheckListener {
  /** Called before each variant of a kernel. */
  onProgress(done: number, of: number, label: string): void;
  /** The last call, unless the check fails or is cancelled. */
  onReport(report: ShownReport): void;
  onFailure(error: SerializedError): void;
}

interface WorkerPort extends Pick<Port, "addEventListener"> {
  terminate(): void;
}

/** Starts a check and returns a function that cancels it. `start` makes a worker, or anything with its protocol. */
export function startGpuCheck(listener: CheckListener, start: () => WorkerPort = startWorker): () => void {
  const worker = start();
  let isOver = false;
  const end = (last?: () => void) => {
    if (isOver) return;
    isOver = true;
    worker.terminate();
    last?.();
  };
  worker.addEventListener("message", (event) => {
    const message = (event as MessageEvent<FromCheckWorker>).data;
    if (isOver) return;
    if (message.kind === "progress") listener.onProgress(message.done, message.of, message.label);
    else if (message.kind === "report") end(() => listener.onReport(message.report));
    else end(() => listener.onFailure(message.error));
  });
  worker.addEventListener("error", (event) => {
    const reason = (event as ErrorEvent).message || "its worker could not be started.";
    const error = new ProtocolError("worker_died", `The check has stopped: ${reason}`, "Try again.");
    end(() => listener.onFailure(serializeError(error)));
  });
  return () => end();
}

const startWorker = (): WorkerPort =>
  new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module", name: "gpu-check" });
