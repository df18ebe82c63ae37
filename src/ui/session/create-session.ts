// The page's side of training: commands go to the worker, its events go to the run store.
import { type ProtocolError, serializeError } from "../../core/errors.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { tryExtension } from "../../worker/extension-check-client.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { createConnection, type Trainer } from "./connection.ts";
import { createContinuing } from "./continuing.ts";
import { createDownloads } from "./downloads.ts";
import { createDraftChecks } from "./draft-checks.ts";
import { createExtensions } from "./extensions.ts";
import { createOtherTabs } from "./other-tabs.ts";
import { createRunCommands, trainsByItself } from "./run-commands.ts";
import { createStarting } from "./starting.ts";
import { createStoredRuns } from "./stored-runs.ts";

/**
 * A session with training workers that `start` makes: one at `openSession`, another after each crash. `tryOne` tries an extension before
 * the page reads it.
 */
export function createSession(start: () => Trainer | Promise<Trainer>, tryOne = tryExtension) {
  const connection = createConnection(start);
  const extensions = createExtensions(connection, tryOne);
  const stored = createStoredRuns(connection, extensions);
  const tabs = createOtherTabs(connection, stored);
  const checks = createDraftChecks(connection);
  const commands = createRunCommands(connection);
  const starting = createStarting(connection, { ...stored, ...checks, ...commands });
  const continuing = createContinuing(connection, { ...extensions, ...stored });
  /** The user has ended the worker. */
  let isAbandoned = false;

  function onEvent(event: TrainerEvent, runId: string): void {
    // A late event of a run that is no longer on screen.
    const current = runStore.getState().runId;
    if (runId !== current && event.type !== "run_started") return;
    receive(event);
    // Now that it has ended, it is one of the stored runs.
    if (event.type === "run_finished") void stored.refreshStored();
  }

  function activeRun(): string | null {
    flush();
    const { state, runId } = runStore.getState();
    return isActive(state) ? runId : null;
  }

  async function onDeath(error: ProtocolError, replace: boolean): Promise<void> {
    flush();
    const { state } = runStore.getState();
    if (isActive(state)) receive({ type: "run_failed", error: serializeError(error) });
    flush();
    const isResumed = replace && !isAbandoned && trainsByItself(state);
    isAbandoned = false;
    if (replace) await openSession();
    if (isResumed) await continuing.resumeAfterCrash(error);
  }

  /**
   * Connects the page to a training worker, and reads what this machine can do and which runs it stores.
   * @param drafted settles when the form has its draft. A run that was resumed before would put its own in the place of the edits of the last visit.
   */
  async function openSession(drafted: Promise<unknown> = Promise.resolve()): Promise<void> {
    await connection.open({ onEvent, activeRun, onDeath });
    // Without presets the form has none, and the runs can be resumed all the same.
    await drafted.catch(() => undefined);
    await stored.refreshStored();
    tabs.watchOtherTabs();
  }

  return {
    openSession,
    /** Ends a worker that does not answer. Its run fails, and is not resumed by itself, because it may come to the same code again. */
    abandonWorker() {
      isAbandoned = true;
      connection.abandonWorker();
    },
    ...extensions,
    ...stored,
    lookAround: tabs.lookAround,
    ...checks,
    ...commands,
    ...starting,
    ...continuing,
    ...createDownloads(connection),
  };
}
