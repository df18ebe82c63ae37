// The run on screen, continued from its last checkpoint after it has ended, or sent back to an earlier one.
import { diffConfigs } from "../../config/changes.ts";
import { halvedRate } from "../../config/halved-rate.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalForMore } from "../../config/run-length.ts";
import { focusRun } from "../lib/focus-run.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { suppliesFor } from "../store/run-supplies.ts";
import { canGoOn, isActive, type RunView, takesChanges } from "../store/run-view.ts";
import { canTrain, dismissRefusal, showRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";
import { type Changes, changeInDraft, followInDraft } from "./draft-changes.ts";
import type { createExtensions } from "./extensions.ts";
import { untilState } from "./starting.ts";

/** A run whose worker dies again within this time is not resumed automatically. */
const CRASH_LOOP_MS = 120_000;

const LENGTH = "trainer.total_updates";

/** What continuing needs of the rest of the session. */
interface Parts extends Pick<ReturnType<typeof createExtensions>, "adopt"> {
  refreshStored(): Promise<void>;
}

export function createContinuing({ call }: Connection, { adopt, refreshStored }: Parts) {
  let resumedAt = Number.NEGATIVE_INFINITY;

  /** Continues a run that has ended from its last checkpoint; a complete one by `more` updates. */
  async function continueRun(more = 0): Promise<void> {
    const { config, update } = runStore.getState();
    // The button that was pressed is gone until the run trains.
    const focusAgain = focusRun();
    await goOn(config && more > 0 ? { [LENGTH]: totalForMore(config, update, more) } : {});
    focusOnceItRests(focusAgain);
  }

  /** Sends a run that diverged back to its last checkpoint, and on from there with half the learning rate. */
  async function continueWithHalvedRate(): Promise<void> {
    const { config, update } = runStore.getState();
    if (config) await goOn(halvedRateAfter(config, update));
  }

  /** Resumes in a new worker the run that a dead worker left, if it was ever saved. */
  async function resumeAfterCrash(error: Error): Promise<void> {
    const view = runStore.getState();
    const now = performance.now();
    if (!canGoOn(view) || !canTrain(useSession.getState()) || now - resumedAt < CRASH_LOOP_MS) return;
    resumedAt = now;
    const hint = "The run was resumed from its last checkpoint.";
    receive({ type: "warning", update: view.update, code: "worker_died", message: error.message, hint });
    await goOn({});
  }

  async function goOn(changes: Changes): Promise<void> {
    const view = runStore.getState();
    const { runId, config, state, error: reason } = view;
    if (!runId || !config || !canGoOn(view)) return;
    const stored = useSession.getState().stored.find((run) => run.runId === runId);
    if (stored && !(await adopt(stored))) return;
    receive({ type: "continue", status: "sent" });
    flush();
    try {
      await call("resumeStored", { runId, changes, ...suppliesFor(config) });
      followInDraft(config, changes);
    } catch (error) {
      receive({ type: "continue", status: "refused", state, error: reason });
      showRefusal(error);
    }
  }

  /** Updates of the run's stored checkpoints, newest first; none where they cannot be read. */
  const storedUpdates = (runId: string): Promise<readonly number[]> =>
    call("storedUpdates", { runId }).then(
      (updates) => updates ?? [],
      () => [],
    );

  /** Sends the run on screen back to its stored checkpoint of an update, where it waits, paused. What came after is deleted. */
  async function goBackTo(update: number): Promise<void> {
    const before = runStore.getState();
    const { runId, config } = before;
    if (!runId || !config) return;
    dismissRefusal();
    const focusAgain = focusRun();
    const gone = call("goBack", { runId, update, ...suppliesFor(config) });
    const rest = await showGoingBack(gone, before);
    await gone.catch((refusal) => showStaying(rest, refusal));
    flush();
    if (runStore.getState().update <= update) await restoreSettings(runId).then(() => undoInDraft(config));
    focusOnceItRests(focusAgain);
  }

  /** Moves the focus when the run trains, waits or has ended. */
  function focusOnceItRests(focusAgain: () => void): void {
    void untilState((view) => takesChanges(view) || !isActive(view.state)).then(focusAgain);
  }

  /** Shows the settings of a run that went back and was not built there, which reports none: those of its newest checkpoint. */
  async function restoreSettings(runId: string): Promise<void> {
    if (isActive(runStore.getState().state)) return;
    await refreshStored();
    const left = useSession.getState().stored.find((run) => run.runId === runId);
    if (!left) return;
    const { config, totalUpdates } = left;
    receive({ type: "settings_restored", runId, config, totalUpdates });
  }

  return { continueRun, continueWithHalvedRate, resumeAfterCrash, storedUpdates, goBackTo };
}

/** How a run stays that cannot go back. */
type Rest = Pick<RunView, "state" | "error">;

/** Shows the run as stopping until it has ended, then as being prepared. @returns how it stays if the worker refuses */
async function showGoingBack(gone: Promise<unknown>, before: Rest): Promise<Rest> {
  const goesOn = !isActive(before.state) || (await showStopping(gone));
  const now = runStore.getState();
  if (isActive(now.state)) return before;
  if (goesOn) receive({ type: "continue", status: "sent" });
  flush();
  return now;
}

/** Shows the run as stopping until it has ended, or until the worker has answered. @returns false if the worker has refused */
async function showStopping(answer: Promise<unknown>): Promise<boolean> {
  receive({ type: "command", command: "stop", status: "sent" });
  flush();
  const isGranted = answer.then(
    () => true,
    () => false,
  );
  const goesOn = await Promise.race([
    isGranted,
    untilState(({ state }) => !isActive(state)).then(() => true),
  ]);
  flush();
  return goesOn;
}

/** Shows the run as it stays, and why it did not go back or could not be built there. */
function showStaying(rest: Rest, refusal: unknown): void {
  flush();
  const now = runStore.getState();
  // It may have ended before it was refused.
  const { state, error } = isActive(now.state) ? rest : now;
  receive({ type: "continue", status: "refused", state, error });
  showRefusal(refusal);
}

/** Repeats in the draft what the run has changed by going back. @param before the run's configuration until then */
function undoInDraft(before: RunConfig): void {
  flush();
  const { config } = runStore.getState();
  if (!config) return;
  changeInDraft(before, Object.fromEntries(diffConfigs(before, config).map(({ path, to }) => [path, to])));
}

/** Half the learning rate of the update after `done`, as a change. */
export function halvedRateAfter(config: RunConfig, done: number): Changes {
  const { path, to } = halvedRate(config, done + 1);
  return { [path]: to };
}
