// Test aid only: a trainer that answers calls from a script and emits recorded events. Never imported by the product.

import { ProtocolError } from "../../core/errors.ts";
import type { EnvLoad } from "../../envs/registry.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { type Tried, tried } from "../../extension/index.ts";
import { loadModule } from "../../run/snippet.ts";
import type { TrainerEvent } from "../../training/events.ts";
import type { Command, Commands, GpuProbe } from "../../worker/protocol.ts";
import type { Trainer } from "../session/connection.ts";
import { createSession } from "../session/create-session.ts";
import { fakePlan } from "./fake-run.ts";

type Answers = { [C in Command]?: (arg: Commands[C][0]) => Commands[C][1] | Promise<Commands[C][1]> } & {
  probe?: () => GpuProbe | Promise<GpuProbe>;
};

export interface FakeTrainer extends Trainer {
  /** Every call so far, in order, except `ping` and the periodic `trainedElsewhere`. */
  readonly calls: { command: Command; arg: unknown }[];
  emit(runId: string, ...events: TrainerEvent[]): void;
  /** The worker loads an environment. */
  load(envId: string, load: EnvLoad): void;
  /** The worker dies. */
  die(error: ProtocolError): void;
}

const device = {
  vendor: "test",
  architecture: "fake",
  description: "Recorded",
  software: true,
  features: [],
};

/** A machine with a GPU and without stored runs; `answers` override that. */
export function fakeTrainer(answers: Answers = {}): FakeTrainer {
  const listeners = new Set<(event: TrainerEvent, runId: string) => void>();
  const loadListeners = new Set<(envId: string, load: EnvLoad) => void>();
  const deathListeners = new Set<(error: ProtocolError) => void>();
  const calls: FakeTrainer["calls"] = [];
  const die = (error: ProtocolError) => {
    for (const listener of deathListeners) listener(error);
  };
  const all: Answers = { storedRuns: () => [], plan: () => fakePlan, ...answers };
  return {
    calls,
    async call(command, arg) {
      if (command !== "trainedElsewhere" && command !== "ping") calls.push({ command, arg });
      const answer = all[command] as ((arg: unknown) => unknown) | undefined;
      return (answer ? await answer(arg) : null) as never;
    },
    async hello() {
      return answers.probe ? answers.probe() : { available: true, reason: "", hint: "", device };
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLoad(listener) {
      loadListeners.add(listener);
      return () => loadListeners.delete(listener);
    },
    onDeath(listener) {
      deathListeners.add(listener);
      return () => deathListeners.delete(listener);
    },
    emit(runId, ...events) {
      for (const event of events) for (const listener of listeners) listener(event, runId);
    },
    load(envId, load) {
      for (const listener of loadListeners) listener(envId, load);
    },
    die,
    abandon: () => die(new ProtocolError("worker_died", "ended")),
  };
}

/** What was found of each text: to check a contract takes a while, and nothing but the text decides the result. */
const found = new Map<string, Promise<Tried>>();

/** Tries an extension in this thread. */
export async function tryHere(extension: ExtensionSource): Promise<Tried> {
  const key = JSON.stringify([extension.name, extension.source]);
  const result = found.get(key) ?? loadModule(extension).then(tried);
  found.set(key, result);
  return structuredClone(await result);
}

/** A session that trains in the workers that `start` makes. */
export async function opened(start: () => Trainer) {
  const session = createSession(start, tryHere);
  await session.openSession();
  return session;
}
