// Commands to the run on screen. The page reacts at once; the worker's answer confirms the state or reverts it.
import { getPath } from "../../config/changes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { type RunState, type RunView, takesChanges } from "../store/run-view.ts";
import { dismissRefusal, showRefusal } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";
import { changeInDraft, pendingPaths, runnableDraft, splitPending } from "./draft-changes.ts";

export function createRunCommands({ call, attempt }: Connection) {
  async function control(command: "pause" | "resume" | "step" | "stop"): Promise<void> {
    dismissRefusal();
    receive({ type: "command", command, status: "sent" });
    flush();
    try {
      await call(command, null);
      receive({ type: "command", command, status: "done" });
    } catch (error) {
      receive({ type: "command", command, status: "refused" });
      // A run that failed with its worker says so itself.
      if (!isDeath(error) || runStore.getState().state !== "failed") showRefusal(error);
    }
  }

  /** Sends the run what the draft changes without a restart. */
  async function applyPending(): Promise<void> {
    const draft = runnableDraft();
    const view = runStore.getState();
    const { live } = splitPending(pendingPaths(view.config, draft, view.automatic));
    if (!draft || live.length === 0) return;
    if (!takesChanges(view)) return showRefusal(notNow(view));
    const changes = Object.fromEntries(live.map((path) => [path, getPath(draft, path)]));
    await attempt("applyChanges", { changes });
  }

  /** Sends the run one setting, and sets it in a draft that has the run's value. */
  async function changeSetting(path: string, value: unknown): Promise<void> {
    const { config } = runStore.getState();
    const changes = { [path]: value };
    const applied = await attempt("applyChanges", { changes });
    if (applied !== undefined && config) changeInDraft(config, changes);
  }

  return {
    applyPending,
    changeSetting,
    pauseRun: () => control("pause"),
    resumeRun: () => control("resume"),
    /** One update, then paused again. */
    stepRun: () => control("step"),
    stopRun: () => control("stop"),
    /** Gives the run another file for a model that it pays. @throws what is wrong with it; the model before then stays */
    giveModel: (kind: string, file: File) => call("takeModel", { kind, file }),
    /** Saves a run that trains: a hidden tab may be closed without notice. */
    saveSoon() {
      if (trainsByItself(runStore.getState().state)) call("saveSoon", null).catch(() => undefined);
    },
  };
}

const isDeath = (error: unknown): boolean => error instanceof ProtocolError && error.code === "worker_died";

const notNow = ({ deviceLost }: RunView): ProtocolError =>
  new ProtocolError(
    "busy",
    `${deviceLost ? "The run has lost its graphics device" : "The run is still being prepared"}, so the changes in the form were not applied.`,
    `They stay in the form. Apply them once the run trains${deviceLost ? " again" : ""}.`,
  );

/** Whether a run in this state continues without a command. */
export const trainsByItself = (state: RunState): boolean =>
  state === "running" || state === "stepping" || state === "recovering";
