// The page's end of the protocol: typed calls, a stream of events, and a notification if the worker dies.

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
import type { EnvLoad } from "../envs/registry.ts";
import type { TrainerEvent } from "../training/events.ts";
import { type Command, type Commands, type FromWorker, type GpuProbe, PROTOCOL_VERSION } from "./protocol.ts";
import type { Port } from "./serve.ts";

type EventListener = (event: TrainerEvent, runId: string) => void;
type LoadListener = (envId: string, load: EnvLoad) => void;
type DeathListener = (error: ProtocolError) => void;
type Calls = Map<number, Deferred<unknown>>;

export interface TrainingClient {
  /** @throws what the worker threw, as an error of the same class; ProtocolError("worker_died") if the worker is dead. */
  call<C extends Command>(
    command: C,
    arg: Commands[C][0],
    transfer?: Transferable[],
  ): Promise<Commands[C][1]>;
  /** The first call. @throws ProtocolError("version") if page and worker have different versions. */
  hello(): Promise<GpuProbe>;
  /** Calls `listener` with the events of every run, in order. Returns a function that unsubscribes. */
  onEvent(listener: EventListener): () => void;
  /** Calls `listener` as the worker loads environments. Returns a function that unsubscribes. */
  onLoad(listener: LoadListener): () => void;
  /** Calls `listener` once if the worker dies; a new client is needed then. Returns a function that unsubscribes. */
  onDeath(listener: DeathListener): () => void;
  /** Ends a worker that does not answer, as if it had died; work since the last checkpoint is lost. */
  abandon(): void;
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

/** Talks to a worker, or to anything with its protocol. @param end stops the other side. */
export function connect(port: Port, end: () => void = () => {}): TrainingClient {
  const pending: Calls = new Map();
  const eventListeners = new Set<EventListener>();
  const loadListeners = new Set<LoadListener>();
  const deathListeners = new Set<DeathListener>();
  let death: ProtocolError | null = null;
  let nextId = 0;

  function die(what: string): void {
    if (death) return;
    death = new ProtocolError(
      "worker_died",
      `The training worker has stopped: ${what}`,
      "Resume the run from its last checkpoint.",
    );
    end();
    for (const call of pending.values()) call.reject(death);
    pending.clear();
    for (const listener of deathListeners) listener(death);
  }

  port.addEventListener("message", (event) => {
    const message = (event as MessageEvent<FromWorker>).data;
    if (death) return;
    if (message.kind === "event")
      for (const listener of eventListeners) listener(message.event, message.runId);
    else if (message.kind === "load")
      for (const listener of loadListeners) listener(message.envId, message.load);
    else settle(pending, message);
  });
  port.addEventListener("error", (event) => die((event as ErrorEvent).message || "it could not be started."));
  port.addEventListener("messageerror", () => die("a message could not be read."));
  port.addEventListener("close", () => die("the connection was closed."));

  const call: TrainingClient["call"] = (command, arg, transfer = []) => {
    if (death) return Promise.reject(death);
    const id = nextId++;
    const answer = deferred<never>();
    pending.set(id, answer as Deferred<unknown>);
    port.postMessage({ kind: "call", id, command, arg }, transfer);
    return answer.promise;
  };
  return {
    call,
    hello: () => greet(call),
    onEvent: (listener) => subscribe(eventListeners, listener),
    onLoad: (listener) => subscribe(loadListeners, listener),
    onDeath: (listener) => subscribe(deathListeners, listener),
    abandon: () => die("it did not answer, so it was ended."),
  };
}

/** Settles the call that a message answers. */
function settle(pending: Calls, message: Exclude<FromWorker, { kind: "event" | "load" }>): void {
  const call = pending.get(message.id);
  pending.delete(message.id);
  if (message.kind === "return") call?.resolve(message.value);
  else call?.reject(revive(message.error));
}

async function greet(call: TrainingClient["call"]): Promise<GpuProbe> {
  const { version, gpu } = await call("hello", { version: PROTOCOL_VERSION });
  if (version === PROTOCOL_VERSION) return gpu;
  throw new ProtocolError(
    "version",
    `This page uses version ${PROTOCOL_VERSION} of the protocol, the training worker version ${version}.`,
    "Reload the page.",
  );
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

/** Turns a serialized error into one of the class that was thrown. */
export function revive({ name, code, message, hint, parts }: SerializedError): Error {
  const known = Object.hasOwn(errorTypes, name) ? errorTypes[name as keyof typeof errorTypes] : null;
  return known
    ? new known(code as never, parts?.message ?? message, parts?.hint ?? hint)
    : Object.assign(new Error(message), { name });
}
