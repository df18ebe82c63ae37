// The worker's end of the protocol: receives calls, sends results and events. Independent of the commands.
import { ProtocolError, serializeError } from "../core/errors.ts";
import { watchLoads } from "../envs/registry.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Command, Commands, FromWorker, ToWorker } from "./protocol.ts";

/** What a worker, a worker's own scope and a MessagePort have in common. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

/** One function for each command. */
export type Handlers = {
  [C in Command]: (arg: Commands[C][0]) => Commands[C][1] | Promise<Commands[C][1]>;
};

/** Answers the calls that arrive at a port. They wait until the handlers are ready. */
export function serve(port: Port, handlers: Handlers | Promise<Handlers>): void {
  const post = (message: FromWorker, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  port.addEventListener("message", async (event) => {
    const call = (event as MessageEvent<ToWorker>).data;
    try {
      const value = await answer(await handlers, call);
      post({ kind: "return", id: call.id, value }, transferable(value));
    } catch (error) {
      post({ kind: "throw", id: call.id, error: serializeError(error) });
    }
  });
}

/**
 * Sends events to the page; messages of a worker arrive in order, and each once. Images are copied rather than transferred,
 * because the trainer still needs them for the update, and one has only a few kilobytes.
 */
export function eventSender(port: Port): (runId: string, event: TrainerEvent) => void {
  return (runId, event) => port.postMessage({ kind: "event", runId, event } satisfies FromWorker, []);
}

/** Tells the page how far environments are loaded. Returns a function that ends this. */
export const reportLoads = (port: Port): (() => void) =>
  watchLoads((envId, load) => port.postMessage({ kind: "load", envId, load } satisfies FromWorker, []));

function answer(handlers: Handlers, { command, arg }: ToWorker): unknown {
  const handler = handlers[command] as ((arg: unknown) => unknown) | undefined;
  if (handler) return handler(arg);
  throw new ProtocolError(
    "version",
    `The training worker does not know the command "${command}".`,
    "Reload the page: its version differs from that of the worker.",
  );
}

/** Checkpoints are large and the worker does not need them after sending. */
function transferable(value: unknown): Transferable[] {
  const bytes = (value as { bytes?: unknown } | null)?.bytes;
  return bytes instanceof ArrayBuffer ? [bytes] : [];
}
