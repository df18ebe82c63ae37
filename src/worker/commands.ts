// What each command does. At most one run trains; stored runs can be listed, resumed and discarded.
import { firstText } from "../agent/prompt.ts";
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { checkpointTitle } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { serializeError } from "../core/errors.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { isHousesFile } from "../envs/navigation/houses.ts";
import { pictureLevel } from "../envs/preview.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";
import { decodeMeta } from "../persistence/checkpoint.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { assertExtensions, extensionSources, installExtensions } from "../run/extensions.ts";
import type { JudgeHost } from "../run/judging.ts";
import { loadHistory } from "../supervision/event-log.ts";
import type { Resumption } from "../supervision/resume.ts";
import { loadTraces } from "../supervision/trace-log.ts";
import type { MemoryPlan } from "../training/events.ts";
import { ActiveRun, required, type Supervision } from "./active-run.ts";
import { pageJudgeHost, RECORDING } from "./page-judge-host.ts";
import {
  type Commands,
  type GpuProbe,
  type ModelFiles,
  PROTOCOL_VERSION,
  type RunSupplies,
} from "./protocol.ts";
import { openElsewhere, type RunLocks } from "./run-lock.ts";
import type { Handlers } from "./serve.ts";
import {
  checkpointFile,
  keepUpTo,
  listStored,
  newestCheckpoint,
  storedAt,
  verdictsFile,
} from "./stored-runs.ts";

export interface HostDeps {
  store: CheckpointStore;
  probe(): Promise<GpuProbe>;
  /** Keeps two tabs from training at once. */
  locks: RunLocks;
  /** The header of a chosen file, and the size of the whole. */
  readHead(choice: string): Promise<{ head: Uint8Array; fileBytes: number }>;
  /** Takes network and storage from the code of extensions, which is loaded after this call. */
  confine(): void;
  /** @throws if the configuration cannot run. */
  plan(config: RunConfig): MemoryPlan | Promise<MemoryPlan>;
  /** A supervisor for a new session of a run, whose events go to the page. */
  supervise(runId: string, judgeHost: JudgeHost, models: ModelFiles): Supervision;
}

/** The handlers of all commands, around the one run that may be active. */
export function trainingHost(deps: HostDeps): Handlers {
  const active = new ActiveRun(deps.locks);
  return {
    ...draftHandlers(deps, active),
    ...startHandlers(deps, active),
    ...controlHandlers(active),
    ...storedRunHandlers(deps, active),
    ping: () => null,
  };
}

/** Commands about a configuration or a file, before any run. */
function draftHandlers({ probe, plan, readHead, confine }: HostDeps, active: ActiveRun) {
  return {
    hello: async () => ({ version: PROTOCOL_VERSION, gpu: await probe() }),
    async setExtensions({ extensions }) {
      active.assertNone();
      if (extensions.some(({ name }) => !isHousesFile(name))) confine();
      await installExtensions(extensions);
      return null;
    },
    plan: ({ config }) => plan(checkedRunConfig(config)),
    preview: async ({ env: task, seed }) => {
      // A level looks the same in every format and to every judge, but some tasks refuse the default ones.
      const neutral = { rollout: { prompt_format: "no_think" }, judge: { name: "off" } };
      const { env } = checkedRunConfig({ env: task, ...neutral });
      await loadEnv(env.name);
      return pictureLevel(envs.get(env.name), env.config, seed, (game) => firstText(game, env.config));
    },
    async checkCheckpoint({ choice }) {
      const { head, fileBytes } = await readHead(choice);
      decodeMeta(head, checkpointTitle(choice), fileBytes);
      return null;
    },
  } satisfies Partial<Handlers>;
}

function startHandlers(deps: HostDeps, active: ActiveRun) {
  return {
    start: async ({ runId, config, ...supplies }) =>
      nothing(
        await active.prepare(runId, async () =>
          begin(deps, active, runId, checkedRunConfig(config), supplies),
        ),
      ),
    resumeStored: async (run) => nothing(await active.prepare(run.runId, () => resume(deps, active, run))),
    goBack: async (run) => nothing(await goBack(deps, active, run)),
  } satisfies Partial<Handlers>;
}

async function begin(
  { store, supervise }: HostDeps,
  active: ActiveRun,
  runId: string,
  config: RunConfig,
  { judge = {}, models = {} }: RunSupplies,
  resumption?: Resumption,
): Promise<Supervision> {
  const notices: string[] = [];
  const run = supervise(
    runId,
    pageJudgeHost(judge, store, runId, (message) => notices.push(message)),
    models,
  );
  active.set(run);
  await run.start(config, resumption);
  // A run that fails to start, or is stopped before it is built, leaves nothing behind, its log included.
  if (!run.hasBegun) return run;
  for (const message of notices) run.warn({ code: "judge_recording", message });
  if (judge.recording) await storeRecording(store, run, judge.recording);
  void storeExtensions(store, run, config);
  return run;
}

/** Resumes a run from its newest checkpoint, or goes back to another one. */
async function resume(
  deps: HostDeps,
  active: ActiveRun,
  { runId, changes = {}, ...supplies }: Commands["resumeStored"][0],
  earlier?: GoodCheckpoint,
): Promise<Supervision> {
  const good = earlier ?? (await newestCheckpoint(deps.store, runId));
  const continued = continuedConfig(configOf(good), changes);
  const history = await loadHistory(deps.store, runId);
  const goesBack = earlier !== undefined;
  return begin(deps, active, runId, continued, supplies, { good, history, goesBack });
}

/** The configuration of a checkpoint. @throws if an extension of its run is missing, or a setting no longer exists */
function configOf({ checkpoint: { meta } }: GoodCheckpoint): RunConfig {
  assertExtensions(meta.extensions, (name) =>
    isHousesFile(name)
      ? "Load their file again under Configure → Task."
      : "Add it again under Configure → Extensions.",
  );
  return checkedRunConfig(meta.config);
}

async function goBack(
  deps: HostDeps,
  active: ActiveRun,
  { update, ...run }: Commands["goBack"][0],
): Promise<void> {
  if (active.runId !== run.runId) active.assertNone();
  // Read first: the checkpoint with which the run ends may displace it.
  const { good, bytes } = await storedAt(deps.store, run.runId, update);
  // Nothing is ended or deleted for a run that could not continue.
  const { save_freq: milestoneEvery } = configOf(good).trainer;
  const present = await active.present();
  // Another run may have started meanwhile, which `prepare` then refuses to replace.
  if (present?.runId === run.runId) await present.stop();
  await active.prepare(run.runId, async () => {
    await keepUpTo(deps.store, run.runId, { update, bytes, milestoneEvery });
    return resume(deps, active, run, good);
  });
}

/** Stores a judge's recording with the run, which trains on if that fails. */
async function storeRecording(store: CheckpointStore, run: Supervision, recording: Blob): Promise<void> {
  try {
    await store.saveText(run.runId, RECORDING, await recording.text());
  } catch (error) {
    run.warn({
      code: "storage_recording",
      message: `The judge's recording could not be stored with the run: ${serializeError(error).message}`,
      hint: "Training continues. Keep the file, because you must choose it again to resume the run.",
    });
  }
}

/** Stores the extensions' texts with the run, which cannot resume without them. */
async function storeExtensions(store: CheckpointStore, run: Supervision, config: RunConfig): Promise<void> {
  const sources = extensionSources(config);
  if (sources.length === 0) return;
  try {
    await store.saveExtensions(run.runId, sources);
  } catch (error) {
    run.warn({
      code: "storage",
      message: `The run's extensions could not be stored: ${serializeError(error).message}`,
      hint: "Keep copies of the extensions, because the run cannot resume without them.",
    });
  }
}

/** Commands to the active run. They wait while one is being prepared. */
function controlHandlers(active: ActiveRun) {
  return {
    pause: async () => nothing(await required(await active.present()).pause()),
    resume: async () => nothing(required(await active.present()).resume()),
    step: async () => nothing(await required(await active.present()).step()),
    stop: async () => nothing(await (await active.present())?.stop()),
    applyChanges: async ({ changes }) => required(await active.present()).applyChanges(changes),
    takeModel: async (model) => nothing(await takeModel(required(await active.present()), model)),
    saveSoon: () => nothing(active.current?.saveSoon()),
    async saveCheckpoint() {
      const { name, bytes } = await required(await active.present()).saveCheckpoint();
      return { name, bytes: bytes.buffer };
    },
    loseDevice: async () => nothing(required(await active.present()).loseDevice()),
  } satisfies Partial<Handlers>;
}

async function takeModel(run: Supervision, { kind, file }: Commands["takeModel"][0]): Promise<void> {
  await run.takeModel(kind, file);
  const { title } = similarityKinds.get(kind);
  run.warn({
    code: "model_replaced",
    message: `${file.name} is the ${title} model of the run from now on.`,
    hint: "Scores and rewards from before come from another model, so compare them with care.",
  });
}

function storedRunHandlers({ store }: HostDeps, active: ActiveRun) {
  return {
    storedRuns: async () => listStored(store, await active.elsewhere()),
    storedUpdates: async ({ runId }) => (await store.list(runId)).map(({ update }) => update),
    trainedElsewhere: () => active.elsewhere(),
    storedTrajectories: ({ runId }) => loadTraces(store, runId),
    async discardStored({ runId }) {
      if (active.runId === runId) active.assertNone();
      const elsewhere = await active.elsewhere();
      // An empty id: another tab is about to train a run that it has not named yet.
      if (elsewhere === runId || elsewhere === "") throw openElsewhere(elsewhere, runId);
      await store.discard(runId);
      return null;
    },
    storedCheckpoint: ({ runId }) => checkpointFile(store, runId),
    verdicts: ({ runId }) => verdictsFile(store, runId),
  } satisfies Partial<Handlers>;
}

const nothing = (_: unknown): null => null;
