// One run, trained in its folder: from a request by value to how it ended. `train` and `ablate` both call it.
import { checkedRunConfig } from "../config/check.ts";
import { platformClock } from "../core/clock.ts";
import { GpuError } from "../core/errors.ts";
import { buildRun } from "../run/build-run.ts";
import { extensionSources } from "../run/extensions.ts";
import type { Consent } from "../run/judge-consent.ts";
import type { SimilarityModels } from "../run/similarity-models.ts";
import { Supervisor, type SupervisorDeps } from "../supervision/supervisor.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { readCheckpointFile } from "./checkpoint.ts";
import { Console } from "./console.ts";
import { gpus, requestGpu } from "./gpu.ts";
import { type Io, warning } from "./io.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { type Beginning, type OpenRun, openRun } from "./open-run.ts";
import { editedSettings } from "./run-folder/edited-config.ts";
import { type HeldFolder, holdFolder } from "./run-folder/held-folder.ts";
import { toEventLine } from "./run-folder/json.ts";
import { ProvenanceRecord } from "./run-folder/provenance.ts";
import { RunFolder } from "./run-folder/run-folder.ts";
import { assertPaid, similarityModels } from "./similarity.ts";
import {
  continueHint,
  criticOf,
  failureText,
  finishedLine,
  introduction,
  type RunFinished,
} from "./train-report.ts";

/** One training by value. */
export interface TrainRequest extends Beginning {
  /** What trajectories.jsonl keeps: a few episodes, or all of them. */
  episodes: "sample" | "all";
  /** Print every event as one line of JSON in place of the progress line. */
  json: boolean;
  /** What the user allows the judge to contact. */
  consent: Consent;
  /** Models that compare drawings, each as `<kind>=<file.onnx>`. */
  similarities: readonly string[];
  /** The command that trains this run; its checkpoints record it. */
  command: string;
  /** What continues the run after a stop; undefined: `train --resume`. */
  continuation?: string | undefined;
}

/** How a training ended. */
export interface Ending {
  /** Exit code of the process. */
  code: number;
  reason: RunFinished["reason"];
}

/**
 * Trains a run to its end while no other process writes into its folder.
 * @throws UsageError, ConfigError, CheckpointError or ExtensionError when the run cannot begin; GpuError when its device
 * is lost for good.
 */
export async function runTraining(request: TrainRequest, io: Io): Promise<Ending> {
  const models = similarityModels(request.similarities);
  const hold = await holdFolder(request.out);
  try {
    const run = await openRun(request);
    assertPaid(models, run.config);
    const finished = finishedLine(run);
    if (finished === null) return await supervise({ ...run, models }, request, io, hold);
    io.err(`${finished}\n`);
    return { code: 0, reason: "completed" };
  } finally {
    hold.release();
    await models.release();
  }
}

/** A run and the models that the user gave for it. */
type EquippedRun = OpenRun & { models: SimilarityModels };

async function supervise(run: EquippedRun, request: TrainRequest, io: Io, hold: HeldFolder): Promise<Ending> {
  const screen = new Console(io, () => performance.now());
  const { record, provenance } = openRecord(run, request, io, screen);
  if (!request.json) screen.print(introduction(run, request.source));
  const outcome: Outcome = { end: null, lostDevice: null, hasPpo: false };
  const supervisor: Supervisor<Run> = new Supervisor(run.runId, {
    ...platformOf(run, request, screen),
    provenance,
    emit(event) {
      record(event);
      note(outcome, event);
      if (waitsForUser(event)) void supervisor.stop();
    },
  });
  const interrupted = stopOnInterrupt(supervisor, io, screen);
  await trainToEnd(supervisor, run, hold).finally(interrupted.release);
  const canResume = (await run.store.list(run.runId)).length > 0;
  const hint = canResume ? continueHint(run.out, request.continuation) : undefined;
  if (outcome.lostDevice !== null)
    throw new GpuError("device_lost", `The run was ended: ${outcome.lostDevice}`, hint);
  const critic = criticOf(run, outcome.hasPpo);
  if (critic && !request.json) screen.print(critic);
  // An ablation says itself how it continues after a failure.
  const afterFailure = request.continuation === undefined ? hint : undefined;
  return endingOf(outcome.end, interrupted.code(), { ...run, hint, afterFailure }, io);
}

/** What keeps a run's events: its folder, the provenance of its checkpoints, and the terminal or standard output. */
function openRecord(run: OpenRun, { episodes, command, json }: TrainRequest, io: Io, screen: Console) {
  const folder = openFolder(run, episodes, screen);
  const before = run.resumption?.good.checkpoint.meta.provenance?.command;
  const provenance = new ProvenanceRecord(command, run.config.seed, before);
  return {
    provenance: () => provenance.get(),
    record(event: TrainerEvent): void {
      folder.record(event);
      provenance.record(event);
      if (json) io.out(toEventLine(event));
      else screen.show(event);
    },
  };
}

function openFolder(
  { out, config, resumption }: OpenRun,
  episodes: TrainRequest["episodes"],
  screen: Console,
): RunFolder {
  const folder = new RunFolder(out, episodes, (line) => screen.print(line));
  if (resumption) {
    const stored = checkedRunConfig(resumption.good.checkpoint.meta.config, out);
    const edited = editedSettings(out, { stored, config, history: resumption.history });
    if (edited) screen.print(warning(edited));
  }
  folder.writeConfig(config);
  if (resumption) folder.resume(resumption.good.checkpoint.meta.update, resumption.history);
  else folder.begin();
  folder.writePlugins(extensionSources(config));
  return folder;
}

/** How a run is built and trained on this machine. */
function platformOf(
  { out, store, models }: EquippedRun,
  { consent, episodes }: TrainRequest,
  screen: Console,
): Omit<SupervisorDeps<Run>, "provenance" | "emit"> {
  const judgeHost = nodeJudgeHost({ folder: out, consent, say: (line) => screen.print(line) });
  return {
    store,
    requestGpu,
    clock: platformClock,
    loadInitial: (name) => readCheckpointFile(name),
    build: ({ runId, config, gpu, checkpoint, onPrepare }) =>
      buildRun(runId, config, gpu, checkpoint, { onPrepare, judgeHost, models, gpus }),
    train: (built, signal) => train(built, signal, episodes),
  };
}

/** What the events of a run say about its end. */
interface Outcome {
  /** Null if the run ended without it. */
  end: RunFinished | null;
  /** Why there is no device to go on with. */
  lostDevice: string | null;
  /** Whether an update of PPO was made: only these train a critic that reads the simulator's state. */
  hasPpo: boolean;
}

function note(outcome: Outcome, event: TrainerEvent): void {
  if (event.type === "run_finished") outcome.end = event;
  if (event.type === "metrics" && event.stage === "ppo") outcome.hasPpo = true;
  if (waitsForUser(event)) outcome.lostDevice = event.message;
}

/** Warnings with which the supervisor pauses a run until a user resumes it. */
const PAUSED_WITHOUT_DEVICE: ReadonlySet<string> = new Set(["device_unstable", "device_absent"]);

/** A terminal has no Resume button: a run that waits for one ends. */
const waitsForUser = (event: TrainerEvent): event is Extract<TrainerEvent, { type: "warning" }> =>
  event.type === "warning" && PAUSED_WITHOUT_DEVICE.has(event.code);

/** Trains until the run has ended. The folder of a run that cannot begin, or is stopped before it has, is removed, if it is new. */
async function trainToEnd(
  supervisor: Supervisor<Run>,
  { config, resumption }: OpenRun,
  hold: HeldFolder,
): Promise<void> {
  await supervisor.start(config, resumption).catch((error: unknown) => {
    hold.discardIfNew();
    throw error;
  });
  await supervisor.done;
  if (!supervisor.hasBegun) hold.discardIfNew();
}

/** The first interrupt ends the run, the second one ends the process. */
function stopOnInterrupt(supervisor: Pick<Supervisor<Run>, "stop" | "hasBegun">, io: Io, screen: Console) {
  let code: number | null = null;
  const release = io.onInterrupt((exitCode) => {
    if (code !== null) return io.quit(exitCode);
    code = exitCode;
    screen.print(`${stoppingText(supervisor, screen)}. Ctrl+C again quits at once.`);
    void supervisor.stop();
  });
  return { release, code: () => code };
}

/** What happens before a run that was asked to stop has ended. */
function stoppingText({ hasBegun }: Pick<Supervisor<Run>, "hasBegun">, { isValidating }: Console): string {
  if (!hasBegun) return "Stopping";
  return isValidating ? "Ending the validation, then saving" : "Finishing the update, then saving";
}

/** Turns the last event into an exit code, and prints why the run failed and how to continue. */
function endingOf(
  end: RunFinished | null,
  interruptCode: number | null,
  run: OpenRun & { hint: string | undefined; afterFailure: string | undefined },
  io: Io,
): Ending {
  const reason = end?.reason ?? "failed";
  if (reason === "completed") return { code: 0, reason };
  if (reason === "stopped") {
    io.err(`${run.hint ?? "Stopped before training began; nothing was saved."}\n`);
    return { code: interruptCode ?? 0, reason };
  }
  io.err(failureText(end, run, run.afterFailure));
  return { code: 1, reason };
}
