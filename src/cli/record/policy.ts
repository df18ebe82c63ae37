// Where a recorded policy comes from: a file that ships with the studio. The file of a training that has none yet is made first.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { diffConfigs, isDescription } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import { methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { totalUpdates } from "../../config/run-length.ts";
import { type Checkpoint, encodeCheckpoint, PARAM } from "../../persistence/checkpoint.ts";
import { checkTraining, type Training as TrainingRun, trainOnce } from "../ablate/ablate-run.ts";
import { shellWords, UsageError } from "../args.ts";
import { writeInto } from "../disk.ts";
import type { Io } from "../io.ts";
import { SFT_CHECKPOINT } from "../run-folder/run-folder.ts";
import { storedRun } from "../run-folder/stored-run.ts";
import { changed, readCheckpoint } from "../source.ts";
import { inputsCommit } from "./commit.ts";

/** A training whose policies are recorded. */
interface Training {
  /** Name of its folder. */
  name: string;
  preset: string;
  method?: string;
  /** Random weights and SFT, even where the preset names a checkpoint. */
  scratch?: boolean;
  /** The file it begins with, instead of the checkpoint that the preset names. */
  from?: string;
  /** Values of settings by path. */
  settings?: Readonly<Record<string, string | number | boolean>>;
}

/** A policy of the case studies: one that ships with the studio, or what a training ends with, or what its SFT leaves. */
export type PolicySource = { checkpoint: string } | { training: Training; stage: "sft" | "trained" };

/** What `readCheckpoint` takes, and what the provenance says. */
export interface ReadyPolicy {
  checkpoint: string;
  origin: string;
  /** Its name in `public/checkpoints/`, if it ships with the studio. */
  bundled?: string;
}

/** Where trainings for recordings are kept. */
const RUNS = join(".cache", "record");
/** Where their weights are kept, so that all recordings can be made again without training. */
const WEIGHTS = join("public", "checkpoints", "case-studies");
/** The same folder as the page names it. */
const BUNDLED_WEIGHTS = "case-studies";

const SEED = 0;

/**
 * The policy of that name, trained now if its file is not there.
 * @throws UsageError when the file or the folder is of other settings.
 */
export async function readyPolicy(name: string, source: PolicySource, io: Io): Promise<ReadyPolicy> {
  if ("checkpoint" in source) {
    const { checkpoint } = source;
    return { checkpoint, origin: checkpoint, bundled: checkpoint };
  }
  const run = trainingRun(source.training);
  const file = join(WEIGHTS, `${name}.safetensors`);
  if (!existsSync(file)) await writeWeights(await trained(run, source.stage, io), file, io);
  const { meta } = await readCheckpoint(file, "--checkpoint");
  // The file that a training began with may have another name by now.
  const renamed = source.training.from && "trainer.init_checkpoint";
  const change = diffConfigs(checkedRunConfig(meta.config, file), run.start.config).find(
    ({ path }) => path !== renamed && !isDescription(path),
  );
  if (change)
    throw new UsageError(
      `${file} was trained with ${change.path} ${JSON.stringify(change.from)}, not ${JSON.stringify(change.to)}.`,
      "Remove the file to train it again.",
    );
  return { checkpoint: file, origin: run.command, bundled: `${BUNDLED_WEIGHTS}/${name}` };
}

/** The checkpoint of a training, which is done now unless its folder has all of its updates. */
async function trained(run: TrainingRun, stage: "sft" | "trained", io: Io): Promise<Checkpoint> {
  const { out, command, start } = run;
  await checkTraining(run);
  const wanted = totalUpdates(start.config);
  if ((await updatesIn(out)) !== wanted) {
    io.err(`First the policy is trained: ${command}\n`);
    const { reason } = await trainOnce(run, io);
    if ((await updatesIn(out)) !== wanted)
      throw new UsageError(
        `The training in ${out} ended as "${reason}", without a checkpoint of update ${wanted}.`,
        "Repeat the command, or remove the folder to train from the beginning.",
      );
  }
  return readCheckpoint(stage === "sft" ? join(out, SFT_CHECKPOINT) : out, "--checkpoint");
}

async function updatesIn(out: string): Promise<number | undefined> {
  const { runId, store } = storedRun(out);
  return (await store.describe(runId))?.meta.update;
}

/** Weights only, as `export` writes them, under the commit that a recording names. */
async function writeWeights({ meta, tensors }: Checkpoint, file: string, io: Io): Promise<void> {
  const weights = new Map([...tensors].filter(([name]) => name.startsWith(PARAM)));
  const provenance = meta.provenance && { ...meta.provenance, commit: inputsCommit() };
  const described = { ...meta, ...(provenance && { provenance }) };
  await writeInto(file, await encodeCheckpoint({ meta: described, tensors: weights }));
  io.out(`${file}: update ${meta.update}`);
}

function trainingRun(training: Training): TrainingRun {
  const out = join(RUNS, training.name);
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

function configOf({ preset, method, scratch, from, settings }: Training): RunConfig {
  const base = changed(getPreset(preset).config, method ? methods.get(method).changes : {});
  return changed(base, {
    seed: SEED,
    ...(scratch && { "trainer.init_checkpoint": "" }),
    ...(from && { "trainer.init_checkpoint": from }),
    ...settings,
  });
}

/** What a user would type to get the same training. */
function commandOf({ preset, method, scratch, from, settings = {} }: Training, out: string): string {
  const set = Object.entries(settings).flatMap(([path, value]) => ["--set", `${path}=${value}`]);
  const args = [
    ...["--preset", preset],
    ...(method ? ["--method", method] : []),
    ...(scratch ? ["--scratch"] : []),
    ...(from ? ["--from", from] : []),
    ...["--seed", `${SEED}`],
    ...set,
    ...["--out", out],
  ];
  return `npm run train -- ${shellWords(...args)}`;
}
