// `train`: a whole run without a page, into a folder.
import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { continuedConfig } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { describeRunConfig } from "../config/describe.ts";
import { halvedRate } from "../config/halved-rate.ts";
import type { RunConfig } from "../config/run-config.ts";
import { totalForMore, totalUpdates, warmupUpdates } from "../config/run-length.ts";
import { platformClock } from "../core/clock.ts";
import { GpuError, serializeError } from "../core/errors.ts";
import { envs } from "../envs/index.ts";
import { nodeFiles } from "../persistence/node-files.ts";
import { type CheckpointStore, openStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import { extensionSources } from "../run/extensions.ts";
import { loadHistory } from "../supervision/event-log.ts";
import type { Resumption } from "../supervision/resume.ts";
import { Supervisor } from "../supervision/supervisor.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { shellWords, UsageError, type Values } from "./args.ts";
import type { Command } from "./command.ts";
import { Console } from "./console.ts";
import { requestGpu } from "./gpu.ts";
import type { Io } from "./io.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { assertPlugins } from "./plugins.ts";
import { type HeldFolder, holdFolder } from "./run-folder/held-folder.ts";
import { toEventLine } from "./run-folder/json.ts";
import { ProvenanceRecord } from "./run-folder/provenance.ts";
import { RunFolder } from "./run-folder/run-folder.ts";
import {
  changed,
  overrides,
  readCheckpoint,
  readCheckpointFile,
  readSource,
  sourceOptions,
} from "./source.ts";

export const trainCommand: Command = {
  summary: "Train a policy, without a page.",
  options: {
    ...sourceOptions,
    updates: { value: "<n>", help: "PPO updates; the same as --set trainer.total_updates=<n>." },
    seed: { value: "<n>", help: "The same as --set seed=<n>." },
    out: { value: "<folder>", help: "Where the run is kept. Default: run." },
    resume: {
      value: "<folder|file>",
      help: "Go on with the run in a folder, or from one of its checkpoints.",
    },
    from: {
      value: "<checkpoint>",
      help: "Start from the weights of a checkpoint, without a warm-up: a file or a bundled name.",
    },
    scratch: { help: "Start from nothing, with a warm-up, also where the preset names a checkpoint." },
    episodes: {
      value: "<sample|all>",
      help: "What trajectories.jsonl keeps: a few episodes to look at, or all that the policy plays (some 20 KB each). Default: sample.",
    },
    ...judgeOptions,
    json: { help: "Print every event as one line of JSON. With `npm run --silent`, nothing else." },
  },
  details: [
    "The folder receives config.yaml, metrics.jsonl, validation.json, trajectories.jsonl, events.jsonl and checkpoints/,",
    "with --plugin also plugins/. A run that goes on needs the plugins it was started with. While it trains, run.lock keeps any",
    "other training out of the folder; one that was killed leaves it behind, and does not stand in the way of the next.",
    "Ctrl+C finishes the update and saves; a second Ctrl+C quits at once.",
    "",
    "The settings most often changed (all are in docs/configuration.md):",
    basicSettings(),
  ].join("\n"),
  run: async (values, io, args) => (await runTraining(values, io, args)).code,
};

/** How a training ended. */
export interface Ending {
  /** Of the process. */
  code: number;
  reason: Extract<TrainerEvent, { type: "run_finished" }>["reason"];
}

function basicSettings(): string {
  const basic = describeRunConfig().filter((field) => field.basic);
  const width = Math.max(...basic.map(({ path }) => path.length));
  return basic
    .map(({ path, title, titles, default: value }) => {
      const called = titles?.[String(value)];
      return `  ${path.padEnd(width)}  ${title}, ${JSON.stringify(value)}${called ? ` (${called})` : ""}`;
    })
    .join("\n");
}

interface Job {
  config: RunConfig;
  out: string;
  runId: string;
  store: CheckpointStore;
  resumption: Resumption | undefined;
}

/** A job whose folder is to be held before it is known what is in it. */
interface Errand {
  out: string;
  /** @throws what keeps the run from beginning. */
  job(): Promise<Job>;
}

/**
 * Trains as the options of `train` say, while nobody else writes into the folder.
 * @throws what keeps a run from beginning, and GpuError when its device does not come back.
 */
export async function runTraining(values: Values, io: Io, args: readonly string[]): Promise<Ending> {
  const episodes = episodesOf(values);
  const errand = values.has("resume") ? await errandToResume(values) : await errandToBegin(values);
  const hold = await holdFolder(errand.out);
  try {
    return await trainHeld(hold, await errand.job(), { values, io, args, episodes });
  } finally {
    hold.release();
  }
}

/** How `train` was called. */
interface Call {
  values: Values;
  io: Io;
  args: readonly string[];
  episodes: "sample" | "all";
}

async function trainHeld(hold: HeldFolder, job: Job, { values, io, args, episodes }: Call): Promise<Ending> {
  const finished = finishedLine(job);
  if (finished !== null) {
    io.err(`${finished}\n`);
    return { code: 0, reason: "completed" };
  }
  const screen = new Console(io, () => performance.now());
  const folder = new RunFolder(job.out, episodes, (line) => screen.print(line));
  folder.writeConfig(job.config);
  const { resumption } = job;
  if (resumption) folder.resume(resumption.good.checkpoint.meta.update, resumption.history);
  else folder.begin();
  folder.writePlugins(extensionSources());
  const before = job.resumption?.good.checkpoint.meta.provenance?.command;
  const provenance = new ProvenanceRecord(`npm run train -- ${shellWords(...args)}`, job.config.seed, before);
  const json = values.has("json");
  const judgeHost = nodeJudgeHost({
    folder: job.out,
    consent: consentOf(values, io),
    say: (line) => screen.print(line),
  });
  if (!json) screen.print(introduction(values, job));
  let end: Extract<TrainerEvent, { type: "run_finished" }> | null = null;
  let held: string | null = null;

  const supervisor = new Supervisor(job.runId, {
    store: job.store,
    train: (run: Run, signal: AbortSignal) => train(run, signal, episodes),
    build: (runId, config, gpu, checkpoint, onPrepare) =>
      buildRun(runId, config, gpu, checkpoint, onPrepare, judgeHost),
    requestGpu,
    loadInitial: (name) => readCheckpointFile(name),
    provenance: () => provenance.get(),
    clock: platformClock,
    emit(event) {
      folder.record(event);
      provenance.record(event);
      if (json) io.out(toEventLine(event));
      else screen.show(event);
      if (event.type === "run_finished") end = event;
      // Nobody is there to press Resume.
      if (event.type === "warning" && HELD_WITHOUT_DEVICE.has(event.code)) {
        held = event.message;
        void supervisor.stop();
      }
    },
  });
  const interrupted = stopOnInterrupt(supervisor, io, screen);
  try {
    await supervisor.start(job.config, job.resumption).catch((error: unknown) => {
      hold.discardIfNew();
      throw error;
    });
    await supervisor.done;
  } finally {
    interrupted.release();
  }
  if (held !== null) throw new GpuError("device_lost", `The run was ended: ${held}`, resumeHint(job));
  const hasSaved = (await job.store.list(job.runId)).length > 0;
  return endingOf(end, { interruptCode: interrupted.code(), hasSaved }, job, io);
}

/** What `--episodes` chooses. @throws UsageError for anything else. */
function episodesOf(values: Values): "sample" | "all" {
  const chosen = values.text("episodes") ?? "sample";
  if (chosen === "sample" || chosen === "all") return chosen;
  throw new UsageError(`--episodes is ${JSON.stringify(chosen)}.`, "Use sample or all.");
}

/** What to say of a run that has nothing left to do; null for any other. */
export function finishedLine({ config, out, resumption }: Omit<Job, "runId" | "store">): string | null {
  if (!resumption) return null;
  const { update, counters } = resumption.good.checkpoint.meta;
  // The validation after the last update may still be owed.
  if (update < totalUpdates(config) || (counters.validatedUpdate ?? 0) < update) return null;
  const done = totalForMore(config, update, 0);
  return [
    `The run in ${out} is finished: it has done all of its ${done} PPO updates.`,
    `Make it longer with more of them: npm run train -- --resume ${shellWords(out)} --updates ${done + 100}`,
  ].join("\n");
}

/**
 * What is about to happen, in one line: who gives no options should see what they stand for. E.g. "FrozenLake, preset
 * frozenlake-small: 400 PPO updates from frozenlake-small-warmup, into run."
 */
export function introduction(
  values: Values,
  { config, out, resumption }: Omit<Job, "runId" | "store">,
): string {
  const task = envs.get(config.env.name).title;
  if (resumption) {
    const { update } = resumption.good.checkpoint.meta;
    return `${task}, going on with ${values.text("resume")}: after update ${update} of ${totalUpdates(config)}, into ${out}.`;
  }
  const { init_checkpoint: from, total_updates: ppo } = config.trainer;
  const preset = values.text("preset");
  const source = preset ? `preset ${preset}` : (values.text("config") ?? "the default settings");
  const updates = from
    ? `${counted(ppo, "PPO update")} from ${from}`
    : `from nothing, ${warmupUpdates(config)} warm-up and ${counted(ppo, "PPO update")}`;
  return `${task}, ${source}: ${updates}, into ${out}.`;
}

const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** Warnings with which a run is held until somebody resumes it. */
const HELD_WITHOUT_DEVICE: ReadonlySet<string> = new Set(["device_unstable", "device_absent"]);

/** The first interrupt ends the run after its update, the second one ends the process. */
function stopOnInterrupt(supervisor: { stop(): Promise<void> }, io: Io, screen: Console) {
  let code: number | null = null;
  const release = io.onInterrupt((exitCode) => {
    if (code !== null) return io.quit(exitCode);
    code = exitCode;
    screen.print(`Finishing the ${screen.activity} and saving. Ctrl+C again quits at once.`);
    void supervisor.stop();
  });
  return { release, code: () => code };
}

/** The ending, after saying what to do about it. */
function endingOf(
  end: Extract<TrainerEvent, { type: "run_finished" }> | null,
  { interruptCode, hasSaved }: { interruptCode: number | null; hasSaved: boolean },
  job: Job,
  io: Io,
): Ending {
  const reason = end?.reason ?? "failed";
  if (reason === "completed") return { code: 0, reason };
  if (reason === "stopped") {
    io.err(`${resumeHint(job)}\n`);
    return { code: interruptCode ?? 0, reason };
  }
  const { name, message, hint } = end?.error ?? serializeError(new Error("The run ended without a reason."));
  const remedy = end?.reason === "diverged" ? halvedRateOption(job, end.update) : "";
  // What failed in an extension would fail again: a run goes on with the same text only.
  const canGoOn = hasSaved && name !== "ExtensionError";
  io.err(
    [message, hint, canGoOn && resumeHint(job) + remedy]
      .filter(Boolean)
      .map((line) => `${line}\n`)
      .join(""),
  );
  return { code: 1, reason };
}

function halvedRateOption({ config }: Job, done: number): string {
  const { path, to } = halvedRate(config, done + 1);
  return ` --set ${path}=${to}`;
}

const resumeHint = ({ out }: Job): string => `Go on with: npm run train -- --resume ${shellWords(out)}`;

type Place = Pick<Job, "out" | "runId" | "store">;

function placeFor(out: string): Place {
  const path = resolve(out);
  return { out, runId: basename(path), store: openStore(nodeFiles(dirname(path))) };
}

function namedChanges(values: Values): Record<string, unknown> {
  const [updates, seed, from] = [values.number("updates", 0), values.number("seed", 0), values.text("from")];
  return {
    ...(updates !== undefined && { "trainer.total_updates": updates }),
    ...(seed !== undefined && { seed }),
    ...(values.has("scratch") && { "trainer.init_checkpoint": "" }),
    ...(from !== undefined && { "trainer.init_checkpoint": from }),
    ...overrides(values),
  };
}

/** The configuration that the options of a new run describe. @throws UsageError, ConfigError */
export async function newConfig(values: Values): Promise<RunConfig> {
  return changed(await readSource(values), namedChanges(values));
}

async function errandToBegin(values: Values): Promise<Errand> {
  const config = await newConfig(values);
  const place = placeFor(values.text("out") ?? "run");
  return { out: place.out, job: () => newJob(place, config) };
}

/** @throws UsageError when the folder has a run. */
async function newJob(place: Place, config: RunConfig): Promise<Job> {
  const [newest] = await place.store.list(place.runId);
  if (newest)
    throw new UsageError(
      `${place.out} holds a run already, saved at update ${newest.update}.`,
      `Give another --out, or go on with it: --resume ${place.out}`,
    );
  return { ...place, config, resumption: undefined };
}

async function errandToResume(values: Values): Promise<Errand> {
  for (const name of ["preset", "config", "method", "from", "scratch"])
    if (values.has(name))
      throw new UsageError(
        `--resume and --${name} were both given.`,
        "A run that goes on keeps its configuration.",
      );
  const from = values.text("resume")!;
  const isFile = from.endsWith(".safetensors");
  const place = placeFor(values.text("out") ?? (isFile ? dirname(dirname(resolve(from))) : from));
  const given = isFile ? await goodFromFile(from) : null;
  // No folder is made, nor a lock in it, to find out that it is not there.
  if (!isFile && !isFolder(place.out)) throw noCheckpointIn(from);
  return { out: place.out, job: () => resumedJob(place, given, values) };
}

/** @param given a checkpoint to go on from; the newest good one of the place otherwise. */
async function resumedJob(place: Place, given: Resumption["good"] | null, values: Values): Promise<Job> {
  const from = values.text("resume")!;
  if (given) await assertNewest(place, given.entry.update, from);
  const good = given ?? (await place.store.loadLatestGood(place.runId));
  if (!good) throw noCheckpointIn(from);
  assertPlugins(good.checkpoint.meta, from);
  const config = checkedRunConfig(good.checkpoint.meta.config, from);
  const history = await loadHistory(place.store, place.runId);
  return { ...place, config: continuedConfig(config, namedChanges(values)), resumption: { good, history } };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const noCheckpointIn = (from: string) =>
  new UsageError(`${from} holds no checkpoint.`, "Give the folder of a run, or a .safetensors file.");

/** A run that went back in time would find its new checkpoints behind the old ones, and lose them. @throws UsageError */
async function assertNewest({ store, runId, out }: Place, update: number, file: string): Promise<void> {
  const [newest] = await store.list(runId);
  if (!newest || newest.update <= update) return;
  throw new UsageError(
    `${file} is of update ${update}, but ${out} holds the run up to update ${newest.update}.`,
    `Go on with the newest (--resume ${out}), or give another --out for a run that branches off.`,
  );
}

async function goodFromFile(file: string): Promise<Resumption["good"]> {
  const checkpoint = await readCheckpoint(file, "--resume");
  const entry = { name: basename(file), update: checkpoint.meta.update, bytes: 0, savedAt: 0 };
  return { entry, checkpoint, skipped: [] };
}
