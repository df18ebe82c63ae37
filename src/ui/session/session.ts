// The page's side of a run: commands go to the worker, its events go to the fold. Components call these functions and
// know nothing of workers.

import { applyClassOf, getPath } from "../../config/changes.ts";
import { halvedRate } from "../../config/halved-rate.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalForMore } from "../../config/run-length.ts";
import { ProtocolError, type SerializedError, serializeError } from "../../core/errors.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import type { ExtensionSource } from "../../rl/extension/api.ts";
import type { TrainingClient } from "../../worker/client.ts";
import type { Command, Commands, StoredRun } from "../../worker/protocol.ts";
import { saveFile } from "../lib/save-file.ts";
import { misfitObstacle } from "../settings/misfit.ts";
import { changedPaths, editField, loadDraft, recheckDraft, useDraft } from "../store/draft-store.ts";
import { activeExtensions, putAside, registerInPage } from "../store/extension-store.ts";
import { accessFor, judgeObstacle } from "../store/judge-store.ts";
import { flush, receive, runStore } from "../store/run-store.ts";
import { canGoOn, hasEnded, isActive, type RunState } from "../store/run-view.ts";
import { canTrain, obstacle, trainingBlocked, useSession } from "../store/session-store.ts";

/** What the page needs of the training worker's client. */
export type Trainer = Pick<TrainingClient, "call" | "hello" | "onEvent" | "onDeath">;

let trainer: Trainer | null = null;
/** When the last checkpoint was written, for the question on leaving. */
let checkpointAt = 0;

/** A worker that dies sooner than this would die again at once. */
const WORTH_RESTARTING_MS = 10_000;

/** A run whose worker dies again within this time is not taken up again by itself. */
const TAKE_UP_AGAIN_MS = 120_000;
let tookUpAt = Number.NEGATIVE_INFINITY;

/** How often to look whether another tab still trains. */
const ELSEWHERE_MS = 3000;
let watch: ReturnType<typeof setTimeout> | undefined;

/** Connects the screen to a training worker and asks what this machine can do. `start` makes a new worker. */
export async function openSession(start: () => Trainer): Promise<void> {
  const startedAt = performance.now();
  const connected = start();
  trainer = connected;
  useSession.setState(({ connection }) => ({ connection: connection + 1 }));
  connected.onEvent((event, runId) => {
    // A late event of a run that is no longer on screen.
    const current = runStore.getState().runId;
    if (current !== null && runId !== current && event.type !== "run_started") return;
    if (event.type === "checkpoint") checkpointAt = Date.now();
    receive(event);
    // It is one of the stored runs now, as it has ended.
    if (event.type === "run_finished") void refreshStored();
  });
  connected.onDeath((error) => {
    flush();
    const { state } = runStore.getState();
    if (isActive(state)) receive({ type: "run_failed", error: serializeError(error) });
    flush();
    // The page lives on: a new worker can take the run up again from its last checkpoint.
    if (performance.now() - startedAt <= WORTH_RESTARTING_MS) cannotTrain(error);
    else void openSession(start).then(() => (AT_WORK.has(state) ? takeUpAgain(error) : undefined));
  });
  try {
    const gpu = await connected.hello();
    const extensions = activeExtensions();
    if (extensions.length > 0) await connected.call("setExtensions", { extensions });
    useSession.setState({ probe: { state: "ready", gpu } });
  } catch (error) {
    cannotTrain(error);
  }
  await refreshStored();
  watchOtherTabs();
}

/** States in which a run goes on without anybody's doing. */
const AT_WORK: ReadonlySet<RunState> = new Set(["running", "stepping", "recovering"]);

/** The run that a dead worker has left goes on in the new one, if it was ever saved. */
async function takeUpAgain(error: Error): Promise<void> {
  const view = runStore.getState();
  const now = performance.now();
  if (!canGoOn(view) || !canTrain(useSession.getState()) || now - tookUpAt < TAKE_UP_AGAIN_MS) return;
  tookUpAt = now;
  receive({
    type: "warning",
    update: view.update,
    code: "worker_died",
    message: error.message,
    hint: "The run was resumed from its last checkpoint.",
  });
  await goOn({});
}

function cannotTrain(error: unknown): void {
  const { message, hint } = serializeError(error);
  const gpu = {
    available: false,
    reason: `The training worker did not start: ${message}`,
    hint: hint ?? "Reload the page. If that does not help, update the browser.",
    device: null,
  };
  useSession.setState({ probe: { state: "ready", gpu } });
}

/** Asks again which runs can be resumed, and which tab trains. Without storage (in a private window, say) there are none. */
async function refreshStored(): Promise<void> {
  const [stored, elsewhere] = await Promise.all([
    trainer?.call("storedRuns", null).catch(() => []),
    trainedElsewhere(),
  ]);
  useSession.setState({ stored: stored ?? [], elsewhere });
  const { runId, state } = runStore.getState();
  const shown = stored?.find((run) => run.runId === runId);
  if (shown?.elsewhere) receive({ type: "taken_elsewhere", runId: shown.runId });
  // The other tab has released the run: show it as that tab left it, so that it can resume here.
  else if (shown && state === "elsewhere") await openStored(shown);
}

const trainedElsewhere = async (): Promise<string | null> =>
  (await trainer?.call("trainedElsewhere", null).catch(() => null)) ?? null;

/** Another tab may have begun or ended a run while this one was not looked at. */
export async function lookAround(): Promise<void> {
  if (trainer && !isActive(runStore.getState().state)) await refreshStored();
}

/** Watches other tabs from now on: while one trains, none can start here, and what is shown of its run is kept true. */
function watchOtherTabs(): void {
  clearTimeout(watch);
  // Counted from the last answer: reading a long run can take longer than the time between two looks.
  const next = () => {
    watch = setTimeout(() => void lookElsewhere().finally(next), ELSEWHERE_MS);
  };
  next();
}

async function lookElsewhere(): Promise<void> {
  if (isActive(runStore.getState().state)) return;
  const before = useSession.getState();
  const elsewhere = await trainedElsewhere();
  if (elsewhere !== before.elsewhere || before.stored.some((run) => run.elsewhere)) await lookAround();
}

/** Start a new run with the draft, if it can run. */
export async function startRun(): Promise<void> {
  const { draft, problems } = useDraft.getState();
  const { state } = runStore.getState();
  if (!trainer || !draft || problems.length > 0 || isActive(state) || !canTrain(useSession.getState()))
    return;
  const message = trainingBlocked(useSession.getState());
  if (message) return useSession.setState({ refused: { name: "ProtocolError", code: "busy", message } });
  if (obstacle(useSession.getState().size)) return showObstacle();
  const unmet = misfitObstacle(draft) || judgeObstacle(draft);
  if (unmet) return refuse(unmet);
  await begin(draft, newRunId(draft));
}

/** A key was pressed, or a button beside the run, where the size of the draft is not in view. */
function showObstacle(): void {
  const { size } = useSession.getState();
  const problem = obstacle(size);
  if (problem) useSession.setState({ refused: { name: "ConfigError", code: "invalid_config", ...problem } });
}

function refuse(message: string): void {
  useSession.setState({ refused: { name: "ConfigError", code: "invalid_config", message } });
}

async function begin(config: RunConfig, runId: string): Promise<void> {
  checkpointAt = Date.now();
  const before = runStore.getState();
  // What was refused before is over.
  dismissRefused();
  receive({ type: "start_requested", runId, config });
  flush();
  try {
    await trainer!.call("start", { runId, config, ...accessFor(config) });
  } catch (error) {
    const problem = serializeError(error);
    // A run that was on screen is not given up for one that never began.
    if (hasEnded(before.state)) {
      receive({ type: "start_refused", before });
      useSession.setState({ refused: problem });
    } else receive({ type: "run_failed", error: problem });
    // Where another tab trains, that is known from here on.
    await refreshStored();
  }
}

/**
 * Registers these extensions in the page and in the worker, in place of those that are active.
 * @throws what is wrong with one of them; nothing has changed then.
 */
export async function changeExtensions(next: readonly ExtensionSource[]): Promise<void> {
  const before = activeExtensions();
  await registerInPage(next);
  try {
    await trainer?.call("setExtensions", { extensions: next });
  } catch (error) {
    await registerInPage(before);
    throw error;
  } finally {
    recheckDraft();
  }
}

/** A run goes on with the texts that it was made with; one of the page's own that has the same name is put aside. */
async function adoptExtensions({
  name,
  extensions = [],
}: Pick<StoredRun, "name" | "extensions">): Promise<void> {
  const active = activeExtensions();
  const lacking = extensions.filter(({ source }) => !active.some((own) => own.source === source));
  if (lacking.length === 0) return;
  const replaced = active.filter((own) => lacking.some((needed) => needed.name === own.name));
  await changeExtensions([...active.filter((own) => !replaced.includes(own)), ...lacking]);
  for (const own of replaced) putAside(own, `Put aside: the run ${name} has a text of its own by this name.`);
}

/** Values to change in a run by path. */
type Changes = Readonly<Record<string, unknown>>;

async function adopted(run: Pick<StoredRun, "name" | "extensions">): Promise<boolean> {
  try {
    await adoptExtensions(run);
    return true;
  } catch (error) {
    useSession.setState({ refused: serializeError(error) });
    return false;
  }
}

/** Take up a stored run from its last checkpoint. */
export async function resumeStored(run: StoredRun, changes: Changes = {}): Promise<void> {
  if (!trainer || isActive(runStore.getState().state)) return;
  checkpointAt = Date.now();
  if (!(await adopted(run))) return;
  show(run, true);
  // Asked first, so that it is answered before the run writes anything.
  const restored = restoreTrajectories(run.runId);
  try {
    await trainer.call("resumeStored", { runId: run.runId, changes, ...accessFor(run.config) });
    followInDraft(run.config, changes);
  } catch (error) {
    receive({ type: "run_failed", error: serializeError(error) });
    await refreshStored();
  }
  await restored;
}

/** Show a stored run, charts and traces, without training. Its summary lets it go on. */
export async function openStored(run: StoredRun): Promise<void> {
  if (!trainer || isActive(runStore.getState().state)) return;
  if (!(await adopted(run))) return;
  show(run, false);
  await restoreTrajectories(run.runId);
}

function show({ runId, name, config, events, update, elsewhere: held }: StoredRun, resuming: boolean): void {
  const again = runStore.getState().runId === runId;
  const elsewhere = held && !resuming;
  receive({ type: "stored_run_opened", runId, config, events, update, resuming, elsewhere });
  flush();
  // Seen before, it has brought its configuration; what was changed since stays.
  if (!again) loadDraft(config, null, `the run ${name}`);
}

/** The charts are there without them, so a failure only leaves the traces out. */
async function restoreTrajectories(runId: string): Promise<void> {
  const events = await attempt("storedTrajectories", { runId });
  if (events?.length) receive({ type: "trajectories_restored", runId, events });
}

const LENGTH = "trainer.total_updates";

/** Let a run that has ended go on from its last checkpoint; one that is complete, by `more` updates than it has done. */
export async function continueRun(more = 0): Promise<void> {
  const { config, update } = runStore.getState();
  const changes = config && more > 0 ? { [LENGTH]: totalForMore(config, update, more) } : {};
  await goOn(changes);
}

/** Let a run that diverged go back to its last checkpoint, and on from there with half the learning rate. */
export async function continueWithHalvedRate(): Promise<void> {
  const { config, update } = runStore.getState();
  if (config) await goOn(halvedRateAfter(config, update));
}

/** Half the learning rate of the update after `done`, as a change. */
export function halvedRateAfter(config: RunConfig, done: number): Changes {
  const { path, to } = halvedRate(config, done + 1);
  return { [path]: to };
}

async function goOn(changes: Changes): Promise<void> {
  const view = runStore.getState();
  const { runId, config, state, error: reason } = view;
  if (!trainer || !runId || !config || !canGoOn(view)) return;
  const stored = useSession.getState().stored.find((run) => run.runId === runId);
  if (stored && !(await adopted(stored))) return;
  checkpointAt = Date.now();
  receive({ type: "continue", status: "sent" });
  flush();
  try {
    await trainer.call("resumeStored", { runId, changes, ...accessFor(config) });
    followInDraft(config, changes);
  } catch (error) {
    receive({ type: "continue", status: "refused", state, error: reason });
    useSession.setState({ refused: serializeError(error) });
  }
}

/** A draft that has the run's old values would otherwise offer to change them back. */
function followInDraft(config: RunConfig, changes: Changes): void {
  for (const [path, value] of Object.entries(changes)) {
    const { draft } = useDraft.getState();
    if (draft && getPath(draft, path) === getPath(config, path)) editField(path, value);
  }
}

export async function discardStored(runId: string): Promise<void> {
  await attempt("discardStored", { runId });
  await refreshStored();
}

export const pauseRun = (): Promise<void> => control("pause");
export const resumeRun = (): Promise<void> => control("resume");
/** One update, then paused again. */
export const stepRun = (): Promise<void> => control("step");
export const stopRun = (): Promise<void> => control("stop");

/** The page shows at once that it heard; the state is settled by the worker's answer. */
async function control(command: "pause" | "resume" | "step" | "stop"): Promise<void> {
  if (!trainer) return;
  dismissRefused();
  receive({ type: "command", command, status: "sent" });
  flush();
  try {
    await trainer.call(command, null);
    receive({ type: "command", command, status: "done" });
  } catch (error) {
    receive({ type: "command", command, status: "refused" });
    useSession.setState({ refused: serializeError(error) });
  }
}

/** Send what the draft changes without a restart to the run. */
export async function applyPending(): Promise<void> {
  const { draft, problems } = useDraft.getState();
  if (!draft || problems.length > 0) return;
  const { live } = splitPending(pendingPaths(runStore.getState().config, draft));
  if (live.length === 0) return;
  await attempt("applyChanges", {
    changes: Object.fromEntries(live.map((path) => [path, getPath(draft, path)])),
  });
}

/** Changed paths by how they can be applied to a run. */
export function splitPending(paths: readonly string[]): { live: string[]; restart: string[] } {
  const restart = paths.filter((path) => applyClassOf(path) === "restart");
  return { live: paths.filter((path) => !restart.includes(path)), restart };
}

/** Stop the run and start a new one with the draft. */
export async function restartWithDraft(): Promise<void> {
  const { draft, problems } = useDraft.getState();
  if (!draft || problems.length > 0) return;
  // A run is not given up for one that cannot begin.
  await estimateSize(draft);
  if (obstacle(useSession.getState().size)) return showObstacle();
  const unmet = misfitObstacle(draft) || judgeObstacle(draft);
  if (unmet) return refuse(unmet);
  if (isActive(runStore.getState().state)) {
    const stopped = untilInactive();
    await stopRun();
    await stopped;
  }
  await startRun();
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

let sizeQuestion = 0;

/** Ask the worker how large the draft would be; the answer to an older question is dropped. */
export async function estimateSize(config: RunConfig): Promise<void> {
  if (!trainer) return;
  const question = ++sizeQuestion;
  try {
    const plan = await trainer.call("plan", { config });
    if (question === sizeQuestion) useSession.setState({ size: { state: "known", plan } });
  } catch (error) {
    if (question === sizeQuestion)
      useSession.setState({ size: { state: "refused", error: serializeError(error) } });
  }
}

/** Why a file cannot be started from, as a start would say it; null when it can, or when nobody can tell. */
export async function checkpointProblem(choice: string): Promise<SerializedError | null> {
  try {
    await trainer?.call("checkCheckpoint", { choice });
    return null;
  } catch (error) {
    const problem = serializeError(error);
    // A worker that could not answer says nothing about the file.
    return problem.name === "ProtocolError" ? null : problem;
  }
}

/** A level of a task. @throws what keeps the worker from drawing it. */
export async function previewLevel(env: RunConfig["env"], seed: number): Promise<LevelPicture> {
  if (!trainer) throw new ProtocolError("worker_died", "The training worker has not been started.");
  return trainer.call("preview", { env, seed });
}

/** Hand the run's state to the person as a file: as it is at the end of this update, or as it was stored at its end. */
export async function downloadCheckpoint(): Promise<void> {
  const { runId, state } = runStore.getState();
  if (!runId || useSession.getState().saving) return;
  useSession.setState({ saving: true });
  const saved = isActive(state)
    ? await attempt("saveCheckpoint", null)
    : await attempt("storedCheckpoint", { runId });
  useSession.setState({ saving: false });
  if (saved) saveFile(saved.name, new Blob([saved.bytes]));
}

/** Hand over what a model has said of the run's claims: a recording, which costs nothing to judge by again. */
export async function downloadVerdicts(): Promise<void> {
  const { runId } = runStore.getState();
  if (!runId) return;
  const found = await attempt("verdicts", { runId });
  if (found) saveFile(found.name, new Blob([found.bytes], { type: "application/jsonl" }));
  else if (found === null) refuse("The judge has given no verdict in this run yet.");
}

async function attempt<C extends Command>(
  command: C,
  arg: Commands[C][0],
): Promise<Commands[C][1] | undefined> {
  try {
    return await trainer?.call(command, arg);
  } catch (error) {
    useSession.setState({ refused: serializeError(error) });
    return undefined;
  }
}

export function dismissRefused(): void {
  useSession.setState({ refused: null });
}

/** A hidden tab may be closed without a word: what is not saved by then is lost. */
export function saveSoon(): void {
  if (AT_WORK.has(runStore.getState().state)) trainer?.call("saveSoon", null).catch(() => undefined);
}

/** Leaving now would lose more than a minute of training. */
export function wouldLoseWork(now = Date.now()): boolean {
  const { state } = runStore.getState();
  return isActive(state) && state !== "preparing" && now - checkpointAt > 60_000;
}

/** Values of the draft that differ from the run on screen. */
export function pendingPaths(config: RunConfig | null, draft: RunConfig | null): string[] {
  return config && draft ? changedPaths(config, draft) : [];
}

/** Readable and unique enough to sort and to quote: preset name, date and time. */
function newRunId(config: RunConfig): string {
  const time = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
  const name = config.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${name || "run"}-${time}`;
}
