// Where a recorded policy comes from: a checkpoint, or a training that is done first when its folder does not have it yet.
import { join } from "node:path";
import { methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalUpdates } from "../../config/run-length.ts";
import { checkTraining, type Training as TrainingRun, trainOnce } from "../ablate/ablate-run.ts";
import { shellWords, UsageError } from "../args.ts";
import type { Io } from "../io.ts";
import { SFT_CHECKPOINT } from "../run-folder/run-folder.ts";
import { storedRun } from "../run-folder/stored-run.ts";
import { changed } from "../source.ts";

/** A policy that a training makes. */
interface Training {
  preset: string;
  method?: string;
  /** Random weights and SFT, even where the preset names a checkpoint. */
  scratch?: boolean;
  /** Values of settings by path. */
  settings?: Readonly<Record<string, string | number | boolean>>;
}

/** A policy of the case studies: one that ships with the studio, or the last one of a training, or the one that its SFT leaves. */
export type PolicySource =
  | { checkpoint: string }
  | { training: Training; name: string; stage: "sft" | "trained" };

/** Where trainings for recordings are kept. */
const FOLDER = join(".cache", "record");

/** What `readCheckpoint` takes, and what the provenance says. */
export interface ReadyPolicy {
  checkpoint: string;
  origin: string;
}

const SEED = 0;

/** The policy, trained now if it has to be. @throws UsageError when the folder has a training of other settings or length. */
export async function readyPolicy(source: PolicySource, io: Io): Promise<ReadyPolicy> {
  if ("checkpoint" in source) return { checkpoint: source.checkpoint, origin: source.checkpoint };
  const run = trainingRun(source.name, source.training);
  await checkTraining(run);
  const { out, command } = run;
  const wanted = totalUpdates(run.start.config);
  if ((await updatesIn(out)) !== wanted) {
    io.err(`${source.name} is trained first: ${command}\n`);
    const { code, reason } = await trainOnce(run, io);
    if (code !== 0 || (await updatesIn(out)) !== wanted)
      throw new UsageError(
        `The training in ${out} ended as "${reason}".`,
        `Its policy is recorded after update ${wanted}. Repeat the command, or remove the folder to train from the beginning.`,
      );
  }
  return { checkpoint: source.stage === "sft" ? join(out, SFT_CHECKPOINT) : out, origin: command };
}

async function updatesIn(out: string): Promise<number | undefined> {
  const { runId, store } = storedRun(out);
  return (await store.describe(runId))?.meta.update;
}

function trainingRun(name: string, training: Training): TrainingRun {
  const out = join(FOLDER, name);
  return {
    out,
    source: `preset ${training.preset}`,
    start: { config: configOf(training) },
    episodes: "sample",
    json: false,
    consent: { origins: new Set() },
    command: commandOf(training, out),
  };
}

function configOf({ preset, method, scratch, settings }: Training): RunConfig {
  const base = changed(getPreset(preset).config, method ? methods.get(method).changes : {});
  return changed(base, { seed: SEED, ...(scratch && { "trainer.init_checkpoint": "" }), ...settings });
}

/** What a user would type to get the same training. */
function commandOf({ preset, method, scratch, settings = {} }: Training, out: string): string {
  const set = Object.entries(settings).flatMap(([path, value]) => ["--set", `${path}=${value}`]);
  const args = [
    ...["--preset", preset],
    ...(method ? ["--method", method] : []),
    ...(scratch ? ["--scratch"] : []),
    ...["--seed", `${SEED}`],
    ...set,
    ...["--out", out],
  ];
  return `npm run train -- ${shellWords(...args)}`;
}
