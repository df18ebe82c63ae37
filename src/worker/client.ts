// The page's whole view of training: typed calls, a stream of events, and news when the worker has died.

import { type Deferred, deferred } from "../core/deferred.ts";
import {
  CheckpointError,
  ConfigError,
  EnvError,
  ExtensionError,
  GpuError,
  PolicyError,
  ProtocolError,
  type SerializedError,
  StorageError,
} from "../core/errors.ts";
import type { TrainerEvent } from "../training/events.ts";
import { type Command, type Commands, type FromWorker, type GpuProbe, PROTOCOL_VERSION } from "./protocol.ts";
import type { Port } from "./serve.ts";

export interface TrainingClient {
  /** @throws what the worker threw, as an error of the same class; ProtocolError("worker_died") when it is gone. */
  call<C extends Command>(
    command: C,
    arg: Commands[C][0],
    transfer?: Transferable[],
  ): Promise<Commands[C][1]>;
  /** First thing to say. @throws ProtocolError("version") when page and worker are of different versions. */
  hello(): Promise<GpuProbe>;
  /** Events of the run that was started or taken up last, in order. Returns the way to stop listening. */
  onEvent(listener: (event: TrainerEvent, runId: string) => void): () => void;
  /** Called once when the worker has died by itself; make a new client then. */
  onDeath(listener: (error: ProtocolError) => void): () => void;
  /** Ends the worker at once; what it was doing since the last checkpoint is lost. */
  terminate(): void;
}

/** Starts the training worker. */
export function startTrainingWorker(): TrainingClient {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    // Passes ?debug= to gpu/debug.ts.
    name: import.meta.env.DEV ? `training${location.search}` : "training",
  });
  return connect(worker, () => worker.terminate());
}

/** Talks to a worker, or to anything that answers like one. `end` stops the other side. */
export function connect(port: Port, end: () => void = () => {}): TrainingClient {
  const pending = new Map<number, Deferred<unknown>>();
  const eventListeners = new Set<(event: TrainerEvent, runId: string) => void>();
  const deathListeners = new Set<(error: ProtocolError) => void>();
  let death: ProtocolError | null = null;
  let followed: string | null = null;
  let nextId = 0;

  const tell = (event: TrainerEvent, runId: string) => {
    for (const listener of eventListeners) listener(event, runId);
  };

  function receive(message: FromWorker): void {
    if (message.kind === "event") {
      if (message.runId === followed) tell(message.event, message.runId);
      return;
    }
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === "return") call?.resolve(message.value);
    else call?.reject(revive(message.error));
  }

  function close(error: ProtocolError): void {
    if (death) return;
    death = error;
    end();
    for (const call of pending.values()) call.reject(error);
    pending.clear();
  }

  function die(what: string): void {
    if (death) return;
    const error = new ProtocolError(
      "worker_died",
      `The training worker has stopped: ${what}`,
      "Take the run up again from its last checkpoint.",
    );
    close(error);
    for (const listener of deathListeners) listener(error);
  }

  port.addEventListener("message", (event) => {
    if (!death) receive((event as MessageEvent<FromWorker>).data);
  });
  port.addEventListener("error", (event) => die((event as ErrorEvent).message || "it could not be started."));
  port.addEventListener("messageerror", () => die("a message could not be read."));
  port.addEventListener("close", () => die("the connection was closed."));

  const client: TrainingClient = {
    call(command, arg, transfer = []) {
      if (death) return Promise.reject(death);
      // From here on, so that the first events of a run are not taken for those of another.
      if (command === "start" || command === "resumeStored") followed = (arg as { runId: string }).runId;
      const id = nextId++;
      const answer = deferred<never>();
      pending.set(id, answer as Deferred<unknown>);
      port.postMessage({ kind: "call", id, command, arg }, transfer);
      return answer.promise;
    },
    async hello() {
      const { version, gpu } = await client.call("hello", { version: PROTOCOL_VERSION });
      if (version === PROTOCOL_VERSION) return gpu;
      throw new ProtocolError(
        "version",
        `This page speaks version ${PROTOCOL_VERSION} of the protocol and the training worker version ${version}.`,
        "Reload the page.",
      );
    },
    onEvent: (listener) => subscribe(eventListeners, listener),
    onDeath: (listener) => subscribe(deathListeners, listener),
    terminate: () => close(new ProtocolError("worker_died", "The training worker was stopped.")),
  };
  return client;
}

function subscribe<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const errorTypes = {
  CheckpointError,
  ConfigError,
  EnvError,
  ExtensionError,
  GpuError,
  PolicyError,
  ProtocolError,
  StorageError,
};

/** The error that was thrown in a worker, as an error of the same class. */
export function revive({ name, code, message, hint }: SerializedError): Error {
  const known = Object.hasOwn(errorTypes, name) ? errorTypes[name as keyof typeof errorTypes] : null;
  return known ? new known(code as never, message, hint) : Object.assign(new Error(message), { name });
}
