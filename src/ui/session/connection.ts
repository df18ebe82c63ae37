// The page's training worker: started once, replaced after a crash, and sent commands.
import { ProtocolError, serializeError } from "../../core/errors.ts";
import type { TrainerEvent } from "../../training/events.ts";
import type { TrainingClient } from "../../worker/client.ts";
import type { Command, Commands, GpuProbe } from "../../worker/protocol.ts";
import { recheckDraft } from "../store/draft-store.ts";
import { activeTexts } from "../store/extension-store.ts";
import { showRefusal, useSession } from "../store/session-store.ts";

/** What the page needs of the training worker's client. */
export type Trainer = Pick<TrainingClient, "call" | "hello" | "onEvent" | "onLoad" | "onDeath" | "abandon">;

/** How long the worker may be busy with one piece of work, such as the search for a level, before the page says that it does not answer. */
const SILENT_MS = 30_000;

/** Chromium releases the locks of an ended worker within four seconds. The page waits ten at most. */
const RELEASE_TRIES = 40;
const RELEASE_MS = 250;

/** A worker that dies sooner than this would die again at once. */
const SHORTEST_LIFE_MS = 10_000;

interface Handlers {
  onEvent(event: TrainerEvent, runId: string): void;
  /** The id of the run that the page trains, or null. */
  activeRun(): string | null;
  /** The worker died. `replace` is false for one that died right after its start. */
  onDeath(error: ProtocolError, replace: boolean): void;
}

export interface Connection {
  /** Starts a worker, probes the GPU and registers the extensions. */
  open(handlers: Handlers): Promise<void>;
  /** Sends a command. @throws ProtocolError without a worker; otherwise what the worker throws. */
  call<C extends Command>(command: C, arg: Commands[C][0]): Promise<Commands[C][1]>;
  /** Sends a command and shows a refusal on the page, where it resolves to undefined. */
  attempt<C extends Command>(command: C, arg: Commands[C][0]): Promise<Commands[C][1] | undefined>;
  /** Ends a worker that does not answer. It is replaced as after a crash. */
  abandonWorker(): void;
  /** Waits until the browser has released the run that a dead worker trained. Until then it seems to be in another tab. */
  released(): Promise<void>;
}

/** `start` makes a new worker: for the page's visit, and after each crash. */
export function createConnection(start: () => Trainer | Promise<Trainer>): Connection {
  let trainer: Trainer | null = null;
  /** Settles when the worker has answered for the first time: until then its script may still be on the way. */
  let greeted: Promise<unknown> = Promise.resolve();
  /** The run that the last worker trained when it died. */
  let held: string | null = null;

  /** Reports that the worker does not answer, until it answers or dies. */
  async function watchSilence(watched: Trainer): Promise<void> {
    await greeted;
    const timer = setTimeout(() => useSession.setState({ isUnresponsive: true }), SILENT_MS);
    await watched.call("ping", null).catch(() => undefined);
    clearTimeout(timer);
    useSession.setState({ isUnresponsive: false });
  }

  const call: Connection["call"] = async (command, arg) => {
    if (!trainer) throw new ProtocolError("worker_died", "The training worker has not been started.");
    const answer = trainer.call(command, arg);
    // Sent after the command, because the command itself may hang.
    void watchSilence(trainer);
    return answer;
  };
  return {
    call,
    abandonWorker: () => trainer?.abandon(),
    async attempt(command, arg) {
      return call(command, arg).catch(showRefusal);
    },
    async released() {
      for (let tries = 0; held !== null && tries < RELEASE_TRIES; tries++) {
        const id = await call("trainedElsewhere", null).catch(() => held);
        // Empty: only the lock with the run's id has been released.
        if (id !== held && id !== "") held = null;
        else await new Promise((resolve) => setTimeout(resolve, RELEASE_MS));
      }
      held = null;
    },
    async open({ onEvent, activeRun, onDeath }) {
      const startedAt = performance.now();
      trainer = await start();
      const probed = trainer.hello();
      greeted = probed.catch(() => undefined);
      // A new worker has loaded nothing.
      useSession.setState(({ connection }) => ({ connection: connection + 1, loads: {} }));
      trainer.onEvent(onEvent);
      trainer.onLoad((envId, load) =>
        useSession.setState(({ loads }) => ({ loads: { ...loads, [envId]: load } })),
      );
      trainer.onDeath((error) => {
        held = activeRun();
        const replace = performance.now() - startedAt > SHORTEST_LIFE_MS;
        if (!replace) showUnavailable(error);
        onDeath(error, replace);
      });
      await introduce(probed, call).catch(showUnavailable);
    },
  };
}

async function introduce(probed: Promise<GpuProbe>, call: Connection["call"]): Promise<void> {
  const gpu = await probed;
  const extensions = activeTexts();
  if (extensions.length > 0) {
    await call("setExtensions", { extensions });
    // What was asked of the worker before it had them was refused.
    recheckDraft();
  }
  useSession.setState({ probe: { state: "ready", gpu } });
}

function showUnavailable(error: unknown): void {
  const { message, hint } = serializeError(error);
  const gpu = {
    available: false,
    reason: `The training worker did not start: ${message}`,
    hint: hint ?? "Reload the page. If that does not help, update the browser.",
    device: null,
  };
  useSession.setState({ probe: { state: "ready", gpu } });
}
