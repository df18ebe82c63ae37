// The page's end of the worker with ONNX Runtime. The worker starts with the first call; if it dies, the next call starts another.
// It holds the runtime and a session, tens of megabytes, so it is ended when it has had nothing to do for a while.
import { type Deferred, deferred } from "../core/deferred.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Turn } from "../core/types.ts";
import { revive } from "./client.ts";
import type { FromOnnxWorker, OnnxCommand, OnnxCommands, ToOnnxWorker } from "./onnx-protocol.ts";
import type { Port } from "./serve.ts";

interface CallOptions {
  signal?: AbortSignal | undefined;
  onTurn?: ((turn: Turn) => void) | undefined;
}

interface Pending {
  answer: Deferred<unknown>;
  onTurn?: ((turn: Turn) => void) | undefined;
}

interface OnnxClient {
  /** @throws what the worker threw, as an error of the same class; the signal's reason when aborted. */
  call<C extends OnnxCommand>(
    command: C,
    arg: OnnxCommands[C][0],
    options?: CallOptions,
  ): Promise<OnnxCommands[C][1]>;
  /** Whether there is a worker, which may have something open. */
  isRunning(): boolean;
}

interface WorkerPort extends Port {
  terminate(): void;
}

/** Loading the runtime again takes a second or more. */
const IDLE_MS = 180_000;

interface ClientOptions {
  /** Makes a worker, or anything with its protocol. */
  start?: () => WorkerPort;
  /** What the worker does and what to do if it dies, for messages. */
  does?: string;
  remedy?: string;
}

/** A client with a worker of its own. */
export function createOnnxClient({
  start = startWorker,
  does = "plays the policy",
  remedy = "Try again.",
}: ClientOptions = {}): OnnxClient {
  const pending = new Map<number, Pending>();
  let port: WorkerPort | null = null;
  let nextId = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(idle);
    port?.terminate();
    port = null;
  }

  function connect(): WorkerPort {
    const fresh = start();
    fresh.addEventListener("message", (event) => receive((event as MessageEvent<FromOnnxWorker>).data));
    fresh.addEventListener("error", () => {
      if (port !== fresh) return;
      end();
      const error = new ProtocolError("worker_died", `The worker that ${does} has stopped.`, remedy);
      for (const { answer } of pending.values()) answer.reject(error);
      pending.clear();
    });
    return fresh;
  }

  function receive(message: FromOnnxWorker): void {
    const call = pending.get(message.id);
    if (message.kind === "turn") {
      call?.onTurn?.(message.turn);
      return;
    }
    pending.delete(message.id);
    if (message.kind === "return") call?.answer.resolve(message.value);
    else call?.answer.reject(revive(message.error));
  }

  return {
    async call(command, arg, { signal, onTurn } = {}) {
      signal?.throwIfAborted();
      clearTimeout(idle);
      port ??= connect();
      const to = port;
      const id = nextId++;
      const answer = deferred<never>();
      pending.set(id, { answer: answer as Deferred<unknown>, onTurn });
      const abort = () => {
        pending.delete(id);
        to.postMessage({ kind: "abort", id } satisfies ToOnnxWorker, []);
        answer.reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      to.postMessage({ kind: "call", id, command, arg } satisfies ToOnnxWorker, []);
      try {
        return await answer.promise;
      } finally {
        signal?.removeEventListener("abort", abort);
        if (pending.size === 0) idle = setTimeout(end, IDLE_MS);
      }
    },
    isRunning: () => port !== null,
  };
}

const startWorker = (): WorkerPort =>
  new Worker(new URL("./onnx-worker.ts", import.meta.url), { type: "module", name: "onnx" });
