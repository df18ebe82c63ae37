// The runs that this browser stores: read, opened, resumed and discarded.
import { INIT_CHECKPOINT } from "../../config/init-checkpoint.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { serializeError } from "../../core/errors.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { editField, keepPreset, loadDraft, tieDraft, useDraft } from "../store/draft-store.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { suppliesFor } from "../store/run-supplies.ts";
import { dismissRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";
import { type Changes, followInDraft, withFileOf } from "./draft-changes.ts";
import type { createExtensions } from "./extensions.ts";
import { isTraining, trainedElsewhere } from "./other-tabs.ts";

export function createStoredRuns(
  connection: Connection,
  { adopt }: Pick<ReturnType<typeof createExtensions>, "adopt">,
) {
  const { call, attempt } = connection;

  /** Reads again which runs are stored, and which one another tab trains. A private window stores none. */
  async function refreshStored(): Promise<void> {
    await connection.released();
    const [stored, elsewhere] = await Promise.all([
      call("storedRuns", null).catch(() => []),
      trainedElsewhere(connection),
    ]);
    useSession.setState({ stored, storedKnown: true, elsewhere });
    const { runId, state } = runStore.getState();
    const shown = stored.find((run) => run.runId === runId);
    if (shown?.elsewhere) receive({ type: "taken_elsewhere", runId: shown.runId });
    // The other tab has released the run: show it as that tab left it, so that it can resume here.
    else if (shown && state === "elsewhere") await openStored(shown);
  }

  /** Resumes a stored run from its last checkpoint, with `changes` to its configuration. */
  async function resumeStored(run: StoredRun, changes: Changes = {}): Promise<void> {
    if (isTraining() || !(await adopt(run))) return;
    show(run, true);
    // Requested first, so that it is answered before the run writes anything.
    const restored = restoreTrajectories(connection, run.runId);
    try {
      await call("resumeStored", { runId: run.runId, changes, ...suppliesFor(run.config) });
      followInDraft(run.config, changes);
    } catch (error) {
      receive({ type: "run_failed", error: serializeError(error) });
      await refreshStored();
    }
    await restored;
  }

  /** Shows a stored run, charts and traces, without training it. */
  async function openStored(run: StoredRun): Promise<void> {
    if (isTraining() || !(await adopt(run))) return;
    show(run, false);
    await restoreTrajectories(connection, run.runId);
  }

  /** Takes a run at rest off the screen, which shows what it shows before any run. What is stored of it stays. */
  async function closeRun(): Promise<void> {
    if (isTraining()) return;
    dismissRefusal();
    useSession.setState({ away: null });
    // The draft is that of the next run.
    tieDraft(null);
    receive({ type: "run_closed" });
    flush();
    await refreshStored();
  }

  async function discardStored(runId: string): Promise<void> {
    await attempt("discardStored", { runId });
    await refreshStored();
  }

  return { refreshStored, resumeStored, openStored, closeRun, discardStored };
}

function show({ runId, name, config, events, update, elsewhere: held }: StoredRun, resuming: boolean): void {
  const again = runStore.getState().runId === runId;
  const elsewhere = held && !resuming;
  receive({ type: "stored_run_opened", runId, config, events, update, resuming, elsewhere });
  flush();
  // A run that was on screen has already loaded its configuration; edits since then stay.
  if (!again) showInForm(runId, config, name);
}

/** Loads a run's configuration into the form, unless the draft there is the run's: its edits and its preset stay then. */
function showInForm(runId: string, config: RunConfig, name: string): void {
  const { draft, runId: ofDraft } = useDraft.getState();
  if (draft && ofDraft === runId) {
    editField(INIT_CHECKPOINT, withFileOf(config, draft).trainer.init_checkpoint);
    return;
  }
  loadDraft(config, null, `the run ${name}`);
  tieDraft(runId);
  // Without the list of presets, the form calls the configuration the user's own.
  namePreset(config).catch(() => undefined);
}

/** Names in the form the preset that a run's configuration began as. A draft in the tasks of its preset keeps the name of that. */
async function namePreset(config: RunConfig): Promise<void> {
  const { presets } = await import("../../config/presets.ts");
  const preset = presets.all.find((known) => known.name === config.name);
  if (preset) keepPreset(config, preset);
}

/** The charts do not need them, so a failure only leaves the traces out. */
async function restoreTrajectories({ attempt }: Connection, runId: string): Promise<void> {
  const events = await attempt("storedTrajectories", { runId });
  if (events?.length) receive({ type: "trajectories_restored", runId, events });
}
