// Test aid only: a trainer that answers calls from a script and emits recorded events. Never imported by the product.
import type { TrainerEvent } from "../../runtime/events.ts";
import type { Command, Commands } from "../../runtime/protocol.ts";
import type { Trainer } from "../session/session.ts";

type Answers = { [C in Command]?: (arg: Commands[C][0]) => Commands[C][1] | Promise<Commands[C][1]> };

export interface FakeTrainer extends Trainer {
  /** Every call so far, in order. */
  readonly calls: { command: Command; arg: unknown }[];
  emit(runId: string, ...events: TrainerEvent[]): void;
}

const device = { vendor: "test", architecture: "fake", description: "Recorded", software: true, features: [] };

/** Answers `hello` as a machine with a GPU and `storedRuns` with none, unless told otherwise. */
export function fakeTrainer(answers: Answers = {}): FakeTrainer {
  const listeners = new Set<(runId: string, event: TrainerEvent) => void>();
  const calls: FakeTrainer["calls"] = [];
  const all: Answers = {
    hello: () => ({ version: 1, gpu: { available: true, reason: "", hint: "", device } }),
    storedRuns: () => [],
    ...answers,
  };
  return {
    calls,
    async call(command, arg) {
      calls.push({ command, arg });
      const answer = all[command] as ((arg: unknown) => unknown) | undefined;
      return (answer ? await answer(arg) : null) as never;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(runId, ...events) {
      for (const event of events) for (const listener of listeners) listener(runId, event);
    },
  };
}
