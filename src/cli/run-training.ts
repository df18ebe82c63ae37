// One run, trained in its folder: from a request by value to how it ended. `train` and `ablate` both call it.
import { basename } from "node:path";
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { halvedRate } from "../config/halved-rate.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates, totalForMore, totalUpdates } from "../config/run-length.ts";
import { stateCriticText } from "../config/state-critic.ts";
import { platformClock } from "../core/clock.ts";
import { GpuError, serializeError } from "../core/errors.ts";
import { counted } from "../core/format.ts";
import { envs } from "../envs/index.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import { extensionSources } from "../run/extensions.ts";
import type { Consent } from "../run/judge-consent.ts";
import { loadHistory } from "../supervision/event-log.ts";
import type { Resumption } from "../supervision/resume.ts";
import { Supervisor } from "../supervision/supervisor.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { shellWords, UsageError } from "./args.ts";
import { Console } from "./console.ts";
import { requestGpu } from "./gpu.ts";
import type { Io } from "./io.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { assertPlugins } from "./plugins.ts";
import { type HeldFolder, holdFolder } from "./run-folder/held-folder.ts";
import { toEventLine } from "./run-folder/json.ts";
import { ProvenanceRecord } from "./run-folder/provenance.ts";
import { RunFolder } from "./run-folder/run-folder.ts";
import { storedRun } from "./run-folder/stored-run.ts";
import { assertHousesPlayed, readCheckpointFile } from "./source.ts";

/** One training by value. */
export interface TrainRequest {
  /** The run's folder, as the user named it. */
  out: string;
  /** What the run begins with, for messages: "preset frozenlake-nano", or the folder or file that is resumed. */
  source: string;
  start: NewRun | ResumedRun;
  /** What trajectories.jsonl keeps: a few episodes, or all of them. */
  episodes: "sample" | "all";
  /** Print every event as one line of JSON in place of the progress line. */
  json: boolean;
  /** What the user allows the judge to contact. */
  consent: Consent;
  /** The command that trains this run; its checkpoints record it. */
  command: string;
}

interface NewRun {
  config: RunConfig;
}

interface ResumedRun {
  /** Where the run continues; undefined: at the newest good checkpoint of its folder. */
  checkpoint: Checkpoint | undefined;
  /** Settings to change, by path. */
  changes: Readonly<Record<string, unknown>>;
}

/** How a training ended. */
export interface Ending {
  /** Exit code of the process. */
  code: number;
  reason: RunFinished["reason"];
}

type RunFinished = Extract<TrainerEvent, { type: "run_finished" }>;

/** A run whose folder is locked and read: what the supervisor starts. */
interface OpenRun {
  config: RunConfig;
  out: string;
  runId: string;
  store: CheckpointStore;
  /** Undefined for a new run. */
  resumption: Resumption | undefined;
}

/**
 * Trains a run to its end while no other process writes into its folder.
 * @throws UsageError, ConfigError, CheckpointError or ExtensionError when the run cannot begin; GpuError when its device
 * is lost for good.
 */
export async function runTraining(request: TrainRequest, io: Io): Promise<Ending> {
  const hold = await holdFolder(request.out);
  try {
    const run = await openRun(request);
    const finished = finishedLine(run);
    if (finished === null) return await supervise(run, request, io, hold);
    io.err(`${finished}\n`);
    return { code: 0, reason: "completed" };
  } finally {
    hold.release();
  }
}

async function openRun({ out, source, start }: TrainRequest): Promise<OpenRun> {
  const { runId, store } = storedRun(out);
  const [newest] = await store.list(runId);
  if ("config" in start) {
    if (newest) throw holdsRun(out, newest.update);
    return { out, runId, store, config: start.config, resumption: undefined };
  }
  if (start.checkpoint) assertNewest(start.checkpoint, newest?.update, source, out);
  const good = start.checkpoint ? goodFrom(start.checkpoint, source) : await store.loadLatestGood(runId);
  if (!good) throw noCheckpointIn(source);
  const { meta } = good.checkpoint;
  assertPlugins(meta, source);
  const config = continuedConfig(checkedRunConfig(meta.config, source), start.changes);
  assertHousesPlayed(config, source);
  return { out, runId, store, config, resumption: { good, history: await loadHistory(store, runId) } };
}

const holdsRun = (out: string, update: number) =>
  new UsageError(
    `${out} already holds a run, saved at update ${update}.`,
    `Give another --out, or continue that run: --resume ${out}`,
  );

/** The error for a `--resume` without a checkpoint behind it. */
export const noCheckpointIn = (source: string): UsageError =>
  new UsageError(`${source} holds no checkpoint.`, "Give the folder of a run, or a .safetensors file.");

/** A run that went back in time would store its new checkpoints behind the old ones, and lose them. @throws UsageError */
function assertNewest({ meta }: Checkpoint, newest: number | undefined, file: string, out: string): void {
  if (newest === undefined || newest <= meta.update) return;
  throw new UsageError(
    `${file} is from update ${meta.update}, but ${out} holds the run up to update ${newest}.`,
    `Continue from the newest (--resume ${out}), or give another --out to branch off a new run.`,
  );
}

function goodFrom(checkpoint: Checkpoint, file: string): Resumption["good"] {
  const entry = { name: basename(file), update: checkpoint.meta.update, bytes: 0, savedAt: 0 };
  return { entry, checkpoint, skipped: [] };
}

async function supervise(run: OpenRun, request: TrainRequest, io: Io, hold: HeldFolder): Promise<Ending> {
  const { config, out, resumption } = run;
  const screen = new Console(io, () => performance.now());
  const say = (line: string) => screen.print(line);
  const folder = new RunFolder(out, request.episodes, say);
  folder.writeConfig(config);
  if (resumption) folder.resume(resumption.good.checkpoint.meta.update, resumption.history);
  else folder.begin();
  folder.writePlugins(extensionSources(config));
  const before = resumption?.good.checkpoint.meta.provenance?.command;
  const provenance = new ProvenanceRecord(request.command, config.seed, before);
  const judgeHost = nodeJudgeHost({ folder: out, consent: request.consent, say });
  if (!request.json) say(introduction(run, request.source));
  let end: RunFinished | null = null;
  let lostDevice: string | null = null;
  let hasPpo = false;

  const supervisor = new Supervisor(run.runId, {
    store: run.store,
    train: (built: Run, signal: AbortSignal) => train(built, signal, request.episodes),
    build: (runId, given, gpu, checkpoint, onPrepare) =>
      buildRun(runId, given, gpu, checkpoint, onPrepare, judgeHost),
    requestGpu,
    loadInitial: (name) => readCheckpointFile(name),
    provenance: () => provenance.get(),
    clock: platformClock,
    emit(event) {
      folder.record(event);
      provenance.record(event);
      if (request.json) io.out(toEventLine(event));
      else screen.show(event);
      if (event.type === "run_finished") end = event;
      // SFT has no such critic.
      if (event.type === "metrics" && event.stage === "ppo") hasPpo = true;
      // A terminal has no Resume button: a run that waits for one ends.
      if (event.type === "warning" && PAUSED_WITHOUT_DEVICE.has(event.code)) {
        lostDevice = event.message;
        void supervisor.stop();
      }
    },
  });
  const interrupted = stopOnInterrupt(supervisor, io, screen);
  try {
    await supervisor.start(config, resumption).catch((error: unknown) => {
      hold.discardIfNew();
      throw error;
    });
    await supervisor.done;
  } finally {
    interrupted.release();
  }
  if (lostDevice !== null)
    throw new GpuError("device_lost", `The run was ended: ${lostDevice}`, resumeHint(out));
  const critic = criticOf(run, hasPpo);
  if (critic && !request.json) say(critic);
  return endingOf(end, interrupted.code(), run, io);
}

/** What the results of a run say of a critic that reads the simulator's state, or read it before the run was resumed. */
function criticOf({ config, resumption }: OpenRun, hasPpo: boolean): string {
  const learned = resumption?.good.checkpoint.meta.stateCritic !== undefined;
  return hasPpo || learned ? stateCriticText(config, learned) : "";
}

/** Warnings with which the supervisor pauses a run until a user resumes it. */
const PAUSED_WITHOUT_DEVICE: ReadonlySet<string> = new Set(["device_unstable", "device_absent"]);

/** What to say of a run that has nothing left to do; null for any other. */
export function finishedLine({
  config,
  out,
  resumption,
}: Pick<OpenRun, "config" | "out" | "resumption">): string | null {
  if (!resumption) return null;
  const { update, counters } = resumption.good.checkpoint.meta;
  // The validation after the last update may still be missing.
  if (update < totalUpdates(config) || (counters.validatedUpdate ?? 0) < update) return null;
  const done = totalForMore(config, update, 0);
  return [
    `The run in ${out} is finished: it has done all of its ${done} PPO updates.`,
    `To make it longer: npm run train -- --resume ${shellWords(out)} --updates ${done + 100}`,
  ].join("\n");
}

/**
 * What is about to happen, in one line, so that users who give no options see the defaults. E.g. "FrozenLake, preset
 * frozenlake-small: 400 PPO updates from frozenlake-small-warmup, into run."
 */
export function introduction(
  { config, out, resumption }: Pick<OpenRun, "config" | "out" | "resumption">,
  source: string,
): string {
  const task = envs.get(config.env.name).title;
  if (resumption) {
    const { update } = resumption.good.checkpoint.meta;
    return `${task}, resuming ${source}: after update ${update} of ${totalUpdates(config)}, into ${out}.`;
  }
  const { init_checkpoint: from, total_updates: ppo } = config.trainer;
  const [sft, ofPpo] = [sftUpdates(config), counted(ppo, "PPO update")];
  const updates =
    from && sft === 0 ? `${ofPpo} from ${from}` : `from ${from || "random weights"}, ${sft} SFT and ${ofPpo}`;
  return `${task}, ${source}: ${updates}, into ${out}.`;
}

/** The first interrupt ends the run after its update, the second one ends the process. */
function stopOnInterrupt(supervisor: { stop(): Promise<void> }, io: Io, screen: Console) {
  let code: number | null = null;
  const release = io.onInterrupt((exitCode) => {
    if (code !== null) return io.quit(exitCode);
    code = exitCode;
    screen.print(`Finishing the ${screen.activity}, then saving. Ctrl+C again quits at once.`);
    void supervisor.stop();
  });
  return { release, code: () => code };
}

/** Turns the last event into an exit code, and prints why the run failed and how to continue. */
async function endingOf(
  end: RunFinished | null,
  interruptCode: number | null,
  { config, out, runId, store }: OpenRun,
  io: Io,
): Promise<Ending> {
  const reason = end?.reason ?? "failed";
  if (reason === "completed") return { code: 0, reason };
  if (reason === "stopped") {
    io.err(`${resumeHint(out)}\n`);
    return { code: interruptCode ?? 0, reason };
  }
  const { name, message, hint } =
    end?.error ?? serializeError(new Error("The run ended without giving a reason."));
  // An extension that failed would fail again: a run is resumed with the same source only.
  const canResume = name !== "ExtensionError" && (await store.list(runId)).length > 0;
  const remedy = end?.reason === "diverged" ? halvedRateOption(config, end.update) : "";
  const lines = [message, hint, canResume && resumeHint(out) + remedy].filter(Boolean);
  io.err(lines.map((line) => `${line}\n`).join(""));
  return { code: 1, reason };
}

function halvedRateOption(config: RunConfig, done: number): string {
  const { path, to } = halvedRate(config, done + 1);
  return ` --set ${path}=${to}`;
}

const resumeHint = (out: string): string => `Continue with: npm run train -- --resume ${shellWords(out)}`;
