// Where a recorded policy comes from: a file that ships with the studio. Where there is none yet, the policy is trained first.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { diffConfigs, isDescription } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import { methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { afterSftOf } from "../../config/run-length.ts";
import { type Checkpoint, encodeCheckpoint } from "../../persistence/checkpoint.ts";
import { checkTraining, endOf, type Training, trainOnce } from "../ablate/ablate-run.ts";
import { shellWords, UsageError } from "../args.ts";
import { readCheckpoint, weightsOnly } from "../checkpoint.ts";
import { writeInto } from "../disk.ts";
import type { Io } from "../io.ts";
import { withCommit } from "../run-folder/provenance.ts";
import { SFT_CHECKPOINT } from "../run-folder/run-folder.ts";
import { storedRun } from "../run-folder/stored-run.ts";
import { changed } from "../source.ts";
import { inputsCommit } from "./commit.ts";

/** How policies that are recorded are trained. */
interface TrainingRecipe {
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

/** A policy of the case studies: one that ships with the studio, or what a recipe ends with, or what its SFT leaves. */
export type PolicySource = { checkpoint: string } | { recipe: TrainingRecipe; stage: "sft" | "trained" };

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
  const training = trainingOf(source.recipe);
  const file = join(WEIGHTS, `${name}.safetensors`);
  if (!existsSync(file)) await writeWeights(await trainedCheckpoint(training, source.stage, io), file, io);
  const { meta } = await readCheckpoint(file, "--checkpoint");
  // The file that a training began with may have another name by now.
  const renamed = source.recipe.from && "trainer.init_checkpoint";
  const made = checkedRunConfig(meta.config, file);
  const change = diffConfigs(made, afterSftOf(training.start.config, made)).find(
    ({ path }) => path !== renamed && !isDescription(path),
  );
  if (change)
    throw new UsageError(
      `${file} was trained with ${change.path} ${JSON.stringify(change.from)}, not ${JSON.stringify(change.to)}.`,
      "Remove the file to train it again.",
    );
  return { checkpoint: file, origin: training.command, bundled: `${BUNDLED_WEIGHTS}/${name}` };
}

/** The checkpoint of a training, which is done now unless its folder has all of its updates. */
async function trainedCheckpoint(training: Training, stage: "sft" | "trained", io: Io): Promise<Checkpoint> {
  const { out, command, start } = training;
  await checkTraining(training);
  if (!(await isTrained(out, start.config))) {
    io.err(`First the policy is trained: ${command}\n`);
    const { reason } = await trainOnce(training, io);
    if (!(await isTrained(out, start.config)))
      throw new UsageError(
        `The training in ${out} ended as "${reason}", without a checkpoint of its last update.`,
        "Repeat the command, or remove the folder to train from the beginning.",
      );
  }
  return readCheckpoint(stage === "sft" ? join(out, SFT_CHECKPOINT) : out, "--checkpoint");
}

/** Whether a folder has a run that did all updates of a configuration. */
async function isTrained(out: string, config: RunConfig): Promise<boolean> {
  const { runId, store } = storedRun(out);
  const stored = await store.describe(runId);
  return stored !== null && stored.meta.update === endOf(config, stored.meta, out);
}

/** Weights only, as `export` writes them, under the commit that a recording names. */
async function writeWeights({ meta, tensors }: Checkpoint, file: string, io: Io): Promise<void> {
  const described = { meta: withCommit(meta, inputsCommit()), tensors };
  await writeInto(file, await encodeCheckpoint(weightsOnly(described)));
  io.out(`${file}: update ${meta.update}`);
}

function trainingOf(recipe: TrainingRecipe): Training {
  const out = join(RUNS, recipe.name);
  return {
    out,
    source: `preset ${recipe.preset}`,
    start: { config: configOf(recipe) },
    episodes: "sample",
    json: false,
    consent: { origins: new Set() },
    similarities: [],
    command: commandOf(recipe, out),
  };
}

function configOf({ preset, method, scratch, from, settings }: TrainingRecipe): RunConfig {
  const base = changed(getPreset(preset).config, method ? methods.get(method).changes : {});
  return changed(base, {
    seed: SEED,
    ...(scratch && { "trainer.init_checkpoint": "" }),
    ...(from && { "trainer.init_checkpoint": from }),
    ...settings,
  });
}

/** What a user would type to get the same training. */
function commandOf({ preset, method, scratch, from, settings = {} }: TrainingRecipe, out: string): string {
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
