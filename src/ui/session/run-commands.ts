// Commands to the run on screen, and to the one that the draft describes. The page reacts at once; the worker's answer
// confirms the state or takes it back.
import { getPath } from "../../config/changes.ts";
import { halvedRate } from "../../config/halved-rate.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalForMore } from "../../config/run-length.ts";
import { ConfigError, ProtocolError, serializeError } from "../../core/errors.ts";
import { misfitObstacle } from "../settings/misfit.ts";
import { useDraft } from "../store/draft-store.ts";
import { accessFor, judgeObstacle } from "../store/judge-store.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { canGoOn, hasEnded, isActive, type RunState } from "../store/run-view.ts";
import {
  canTrain,
  dismissRefusal,
  obstacle,
  showRefusal,
  trainingBlocked,
  useSession,
} from "../store/session-store.ts";
import type { Connection } from "./connection.ts";
import { type Changes, changeInDraft, pendingPaths, splitPending } from "./draft-changes.ts";
import type { createDraftChecks } from "./draft-checks.ts";
import type { createExtensions } from "./extensions.ts";
import type { createStoredRuns } from "./stored-runs.ts";

/** A run whose worker dies again within this time is not resumed automatically. */
const CRASH_LOOP_MS = 120_000;

const LENGTH = "trainer.total_updates";

interface Parts
  extends Pick<ReturnType<typeof createExtensions>, "adopt">,
    Pick<ReturnType<typeof createStoredRuns>, "refreshStored">,
    Pick<ReturnType<typeof createDraftChecks>, "estimateSize"> {}

export function createRunCommands({ call, attempt }: Connection, parts: Parts) {
  let resumedAt = Number.NEGATIVE_INFINITY;

  /** Starts a new run with the draft, if it can run. */
  async function startRun(): Promise<void> {
    const draft = runnableDraft();
    const session = useSession.getState();
    if (!draft || isActive(runStore.getState().state) || !canTrain(session)) return;
    const message = trainingBlocked(session);
    if (message) showRefusal(new ProtocolError("busy", message));
    else if (!refusesDraft(draft)) await begin(draft, newRunId(draft));
  }

  async function begin(config: RunConfig, runId: string): Promise<void> {
    const before = runStore.getState();
    dismissRefusal();
    receive({ type: "start_requested", runId, config });
    flush();
    try {
      await call("start", { runId, config, ...accessFor(config) });
    } catch (error) {
      // A run that was on screen is not given up for one that never began.
      if (hasEnded(before.state)) {
        receive({ type: "start_refused", before });
        showRefusal(error);
      } else receive({ type: "run_failed", error: serializeError(error) });
      // The reason may be another tab that trains.
      await parts.refreshStored();
    }
  }

  /** Stops the run and starts a new one with the draft. */
  async function restartWithDraft(): Promise<void> {
    const draft = runnableDraft();
    if (!draft) return;
    // A run is not given up for one that cannot begin.
    await parts.estimateSize(draft);
    if (refusesDraft(draft)) return;
    if (isActive(runStore.getState().state)) {
      const stopped = untilInactive();
      await control("stop");
      await stopped;
    }
    await startRun();
  }

  /** Continues a run that has ended from its last checkpoint; a complete one by `more` updates. */
  async function continueRun(more = 0): Promise<void> {
    const { config, update } = runStore.getState();
    await goOn(config && more > 0 ? { [LENGTH]: totalForMore(config, update, more) } : {});
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
    if (stored && !(await parts.adopt(stored))) return;
    receive({ type: "continue", status: "sent" });
    flush();
    try {
      await call("resumeStored", { runId, changes, ...accessFor(config) });
      changeInDraft(config, changes);
    } catch (error) {
      receive({ type: "continue", status: "refused", state, error: reason });
      showRefusal(error);
    }
  }

  async function control(command: "pause" | "resume" | "step" | "stop"): Promise<void> {
    dismissRefusal();
    receive({ type: "command", command, status: "sent" });
    flush();
    try {
      await call(command, null);
      receive({ type: "command", command, status: "done" });
    } catch (error) {
      receive({ type: "command", command, status: "refused" });
      showRefusal(error);
    }
  }

  /** Sends the run what the draft changes without a restart. */
  async function applyPending(): Promise<void> {
    const draft = runnableDraft();
    const { live } = splitPending(pendingPaths(runStore.getState().config, draft));
    if (!draft || live.length === 0) return;
    const changes = Object.fromEntries(live.map((path) => [path, getPath(draft, path)]));
    await attempt("applyChanges", { changes });
  }

  return {
    startRun,
    restartWithDraft,
    continueRun,
    continueWithHalvedRate,
    resumeAfterCrash,
    applyPending,
    pauseRun: () => control("pause"),
    resumeRun: () => control("resume"),
    /** One update, then paused again. */
    stepRun: () => control("step"),
    stopRun: () => control("stop"),
    /** Saves a run that trains: a hidden tab may be closed without notice. */
    saveSoon() {
      if (trainsByItself(runStore.getState().state)) call("saveSoon", null).catch(() => undefined);
    },
  };
}

/** Whether a run in this state goes on without a command. */
export const trainsByItself = (state: RunState): boolean =>
  state === "running" || state === "stepping" || state === "recovering";

/** Half the learning rate of the update after `done`, as a change. */
export function halvedRateAfter(config: RunConfig, done: number): Changes {
  const { path, to } = halvedRate(config, done + 1);
  return { [path]: to };
}

function runnableDraft(): RunConfig | null {
  const { draft, problems } = useDraft.getState();
  return problems.length > 0 ? null : draft;
}

/** True, with the reason on the page, for a draft that cannot run: its size may be out of view where it is started. */
function refusesDraft(draft: RunConfig): boolean {
  const size = obstacle(useSession.getState().size);
  const message = size?.message || misfitObstacle(draft) || judgeObstacle(draft);
  if (message) showRefusal(new ConfigError("invalid_config", message, size?.hint));
  return message !== "";
}

function untilInactive(): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = runStore.subscribe(({ state }) => {
      if (isActive(state)) return;
      unsubscribe();
      resolve();
    });
  });
}

/** Readable, sortable and unique enough to quote: preset name, date and time. */
function newRunId(config: RunConfig): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
  const name = config.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${name || "run"}-${time}`;
}
