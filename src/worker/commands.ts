// What each command does: at most one run trains, stored runs can be listed, taken up and discarded.
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { checkpointTitle } from "../config/init-checkpoint.ts";
import { type RunConfig, TRAIN_SEEDS } from "../config/run-config.ts";
import { totalUpdates } from "../config/run-length.ts";
import { type Deferred, deferred } from "../core/deferred.ts";
import { CheckpointError, ProtocolError, serializeError } from "../core/errors.ts";
import { envs } from "../envs/index.ts";
import { pictureLevel } from "../envs/preview.ts";
import { type CheckpointMeta, decodeMeta } from "../persistence/checkpoint.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import type { ExtensionSource } from "../rl/extension/api.ts";
import { assertExtensions, extensionSources, idsKnownTo, installExtensions } from "../run/extensions.ts";
import type { JudgeHost } from "../run/judging.ts";
import { loadHistory } from "../supervision/event-log.ts";
import type { SupervisedRun } from "../supervision/live-run.ts";
import type { Resumption } from "../supervision/resume.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import { loadTraces } from "../supervision/trace-log.ts";
import type { MemoryPlan, TrainerEvent } from "../training/events.ts";
import { pageJudgeHost, RECORDING, VERDICTS } from "./page-judge-host.ts";
import {
  type Commands,
  type GpuProbe,
  type JudgeAccess,
  PROTOCOL_VERSION,
  type StoredRun,
} from "./protocol.ts";
import { openElsewhere, type RunLocks } from "./run-lock.ts";
import type { Emit, Handlers } from "./serve.ts";

/** What the host uses of a supervisor. */
export type Supervision = Pick<
  Supervisor<SupervisedRun>,
  | "start"
  | "pause"
  | "resume"
  | "step"
  | "stop"
  | "applyChanges"
  | "saveSoon"
  | "saveCheckpoint"
  | "loseDevice"
  | "done"
  | "runId"
>;

export interface HostDeps {
  store: CheckpointStore;
  emit: Emit;
  probe(): Promise<GpuProbe>;
  /** Keeps two tabs from training at once. */
  locks: RunLocks;
  /** The header of a chosen file, and the size of the whole. */
  readHead(choice: string): Promise<{ head: Uint8Array; fileBytes: number }>;
  /** @throws what keeps the configuration from running. */
  plan(config: RunConfig): MemoryPlan | Promise<MemoryPlan>;
  supervise(runId: string, emit: (event: TrainerEvent) => void, judgeHost: JudgeHost): Supervision;
}

/** The handlers of all commands, around the one run that may be active. */
export function trainingHost({ store, locks, emit, probe, readHead, plan, supervise }: HostDeps): Handlers {
  let active: Supervision | null = null;
  /** The run that is held or read, which may take seconds: what is asked of it meanwhile waits until it is there. */
  let coming: { runId: string; there: Deferred<void> } | null = null;
  const assertLevel = levelCheck();

  /** Holds the run against other tabs while it is made ready and for as long as it lasts. */
  async function held(runId: string, raise: () => Promise<Supervision>): Promise<null> {
    assertFree();
    const mine = { runId, there: deferred() };
    coming = mine;
    try {
      const release = await locks.hold(runId);
      const run = await raise().catch((error) => {
        release();
        throw error;
      });
      void run.done.then(release);
    } finally {
      if (coming === mine) arrive();
    }
    return null;
  }

  /** The run is there, or will not come. */
  function arrive(): void {
    coming?.there.resolve();
    coming = null;
  }

  async function begin(
    runId: string,
    config: RunConfig,
    judge: JudgeAccess = {},
    resumption?: Resumption,
  ): Promise<Supervision> {
    const notices: string[] = [];
    const judgeHost = pageJudgeHost(judge, store, runId, (message) => notices.push(message));
    const run = supervise(runId, (event) => emit(runId, event), judgeHost);
    active = run;
    arrive();
    // Ended or never begun: either way the place is free for the next run.
    void run.done.then(() => {
      if (active === run) active = null;
    });
    await run.start(config, resumption);
    // A judge is opened before the page knows of the run.
    for (const message of notices)
      emit(runId, { type: "warning", update: 0, code: "judge_recording", message });
    // Only now: a run that never began leaves nothing behind.
    await keepRecording(store, runId, judge);
    void keepExtensions(runId);
    return run;
  }

  /** Without their texts beside it, a run could not go on after the page has dropped them. */
  async function keepExtensions(runId: string): Promise<void> {
    const sources = extensionSources();
    if (sources.length === 0) return;
    try {
      await store.saveExtensions(runId, sources);
    } catch (error) {
      const message = `The run's extensions could not be stored: ${serializeError(error).message}`;
      const hint = "Keep their texts: without them the run cannot go on later.";
      emit(runId, { type: "warning", update: 0, code: "storage", message, hint });
    }
  }

  async function takeUp({ runId, changes = {}, judge }: Commands["resumeStored"][0]): Promise<Supervision> {
    const good = await store.loadLatestGood(runId);
    if (!good) throw nothingStored(runId);
    assertExtensions(good.checkpoint.meta.extensions, () => "Add it again under Configure → Extensions.");
    const history = await loadHistory(store, runId);
    const config = continuedConfig(checkedRunConfig(good.checkpoint.meta.config), changes);
    return begin(runId, config, judge, { good, history });
  }

  /** The run that another tab trains. */
  async function heldElsewhere(): Promise<string | null> {
    if (active) return null;
    const run = await locks.held();
    return run === (active ?? coming)?.runId ? null : run;
  }

  /** The active run, also one that is coming; null when there is none. */
  async function present(): Promise<Supervision | null> {
    await coming?.there.promise;
    return active;
  }

  function needed(run: Supervision | null): Supervision {
    if (run) return run;
    throw new ProtocolError("busy", "No run is active.", "Start a run first.");
  }

  function assertFree(): void {
    const run = active ?? coming;
    if (run)
      throw new ProtocolError("busy", `The run ${run.runId} is active.`, "Stop it before starting another.");
  }

  return {
    hello: async () => ({ version: PROTOCOL_VERSION, gpu: await probe() }),
    async setExtensions({ extensions }) {
      assertFree();
      await installExtensions(extensions);
      return null;
    },
    plan: ({ config }) => {
      const checked = checkedRunConfig(config);
      assertLevel(checked.env);
      return plan(checked);
    },
    preview: ({ env: task, seed }) => {
      // A level looks the same in every format and to every judge, and not every task goes with the default ones.
      const neutral = { rollout: { prompt_format: "no_think" }, judge: { name: "off" } };
      const { env } = checkedRunConfig({ env: task, ...neutral });
      return pictureLevel(envs.get(env.name), env.config, seed);
    },
    async checkCheckpoint({ choice }) {
      const { head, fileBytes } = await readHead(choice);
      decodeMeta(head, checkpointTitle(choice), fileBytes);
      return null;
    },
    start: ({ runId, config, judge }) =>
      held(runId, async () => begin(runId, checkedRunConfig(config), judge)),
    resumeStored: (run) => held(run.runId, () => takeUp(run)),
    async storedRuns() {
      const elsewhere = await heldElsewhere();
      const runs = await Promise.all(
        // A run that cannot be read, whatever the reason, must not hide the others.
        (await store.runs()).map((runId) =>
          describeStored(store, runId, runId === elsewhere).catch(() => null),
        ),
      );
      return runs.filter((run) => run !== null).sort((a, b) => b.savedAt - a.savedAt);
    },
    trainedElsewhere: heldElsewhere,
    storedTrajectories: ({ runId }) => loadTraces(store, runId),
    async discardStored({ runId }) {
      if ((active ?? coming)?.runId === runId) assertFree();
      const elsewhere = await heldElsewhere();
      // An empty id: another tab is about to train a run that it has not named yet.
      if (elsewhere === runId || elsewhere === "") throw openElsewhere(elsewhere, runId);
      await store.discard(runId);
      return null;
    },
    pause: async () => nothing(await needed(await present()).pause()),
    resume: async () => nothing(needed(await present()).resume()),
    step: async () => nothing(await needed(await present()).step()),
    stop: async () => nothing(await (await present())?.stop()),
    applyChanges: async ({ changes }) => needed(await present()).applyChanges(changes),
    saveSoon: () => nothing(active?.saveSoon()),
    async saveCheckpoint() {
      const { name, bytes } = await needed(await present()).saveCheckpoint();
      return { name, bytes: bytes.buffer };
    },
    async storedCheckpoint({ runId }) {
      // Read as a resume would read it, so that nobody keeps a damaged file as their copy.
      const good = await store.loadLatestGood(runId);
      if (!good) throw nothingStored(runId);
      const { name } = good.entry;
      return { name: `${runId}-${name}`, bytes: (await store.load(runId, name)).buffer };
    },
    async verdicts({ runId }) {
      const text = await store.loadText(runId, VERDICTS);
      return text ? { name: `${runId}-${VERDICTS}`, bytes: new TextEncoder().encode(text).buffer } : null;
    },
    loseDevice: async () => nothing(needed(await present()).loseDevice()),
  };
}

/**
 * Whether a task has the level that training begins with. The search may take seconds, and most changes of a draft
 * leave the task alone, so the last answer is kept. @throws EnvError when there is none.
 */
function levelCheck(): (env: RunConfig["env"]) => void {
  let last: { task: string; refusal: unknown } = { task: "", refusal: null };
  return ({ name, config }) => {
    const task = JSON.stringify([name, config]);
    if (last.task !== task) last = { task, refusal: refusalOf(name, config) };
    if (last.refusal) throw last.refusal;
  };
}

function refusalOf(name: string, options: object): unknown {
  const spec = envs.get(name);
  try {
    spec.create(spec.config.parse(options), { searchBudget: 1 }).reset(TRAIN_SEEDS.first);
    return null;
  } catch (error) {
    return error;
  }
}

/** What a recorded judge repeats has to be there when the run is taken up. */
async function keepRecording(store: CheckpointStore, runId: string, { recording }: JudgeAccess) {
  if (recording) await store.saveText(runId, RECORDING, await recording.text());
}

/** A run that can be shown and taken up; null when it has no readable checkpoint or is of an older version. */
async function describeStored(
  store: CheckpointStore,
  runId: string,
  elsewhere: boolean,
): Promise<StoredRun | null> {
  const newest = await store.describe(runId);
  if (!newest) return null;
  const { entry, meta } = newest;
  const config = readConfig(meta);
  if (!config) return null;
  return {
    runId,
    name: config.name,
    update: entry.update,
    totalUpdates: totalUpdates(config),
    savedAt: entry.savedAt,
    config,
    elsewhere,
    recordingKept: await store.hasText(runId, RECORDING),
    events: await loadHistory(store, runId),
    ...(meta.extensions && { extensions: (await store.loadExtensions(runId)).filter(isExtensionSource) }),
  };
}

function isExtensionSource(value: unknown): value is ExtensionSource {
  const { name, source } = (value ?? {}) as Partial<ExtensionSource>;
  return typeof name === "string" && typeof source === "string";
}

function readConfig({ config, extensions }: CheckpointMeta): RunConfig | null {
  try {
    return checkedRunConfig(config, undefined, undefined, idsKnownTo(extensions));
  } catch {
    // Saved by a version with other settings; such a run cannot go on, so it is not offered.
    return null;
  }
}

function nothingStored(runId: string): CheckpointError {
  return new CheckpointError("not_found", `The run ${runId} has no checkpoint.`, "Start a new run.");
}

const nothing = (_: unknown): null => null;
