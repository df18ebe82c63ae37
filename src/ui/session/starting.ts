// A new run with the draft.
import type { RunConfig } from "../../config/run-config.ts";
import { ConfigError, ProtocolError, serializeError } from "../../core/errors.ts";
import { misfitObstacle, misfitRemedy } from "../settings/misfit.ts";
import { tieDraft, useDraft } from "../store/draft-store.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { suppliesFor, supplyObstacle } from "../store/run-supplies.ts";
import { hasEnded, isActive, type RunView } from "../store/run-view.ts";
import {
  canTrain,
  dismissRefusal,
  obstacle,
  showRefusal,
  trainingBlocked,
  useSession,
} from "../store/session-store.ts";
import type { Connection } from "./connection.ts";
import { runnableDraft } from "./draft-changes.ts";

/** What starting needs of the rest of the session. */
interface Parts {
  refreshStored(): Promise<void>;
  estimateSize(config: RunConfig): Promise<void>;
  stopRun(): Promise<void>;
}

export function createStarting({ call }: Connection, parts: Parts) {
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
    const ofDraft = useDraft.getState().runId;
    dismissRefusal();
    receive({ type: "start_requested", runId, config });
    flush();
    tieDraft(runId);
    try {
      await call("start", { runId, config, ...suppliesFor(config) });
    } catch (error) {
      // A run that was on screen is not given up for one that never began.
      if (hasEnded(before.state)) {
        receive({ type: "start_refused", before });
        tieDraft(ofDraft);
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
      const stopped = untilState(({ state }) => !isActive(state));
      await parts.stopRun();
      await stopped;
    }
    await startRun();
  }

  return { startRun, restartWithDraft };
}

/** True, with the reason on the page, for a draft that cannot run: its size may be out of view where it is started. */
function refusesDraft(draft: RunConfig): boolean {
  const size = obstacle(useSession.getState().size);
  const misfit = misfitObstacle(draft);
  const message = size?.message || misfit || supplyObstacle(draft);
  const hint = size?.message ? size.hint : misfit && misfitRemedy(draft);
  if (message) showRefusal(new ConfigError("invalid_config", message, hint));
  return message !== "";
}

/** Resolves when `holds` is true of the run on screen; at once if it is now. */
export function untilState(holds: (view: RunView) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds(runStore.getState())) return resolve();
    const unsubscribe = runStore.subscribe((view) => {
      if (!holds(view)) return;
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
