// Whether a checkpoint fits the model of a configuration, and what to change if it does not.
import { pictureOf } from "../agent/task.ts";
import { extendsVocabulary, type Vocabulary, vocabularyFromJson } from "../agent/vocabulary.ts";
import { DECODER_LAYERS } from "../config/bundled.ts";
import { type ConfigChange, diffConfigs } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { problemText } from "../config/rules/problem.ts";
import type { RunConfig } from "../config/run-config.ts";
import { CheckpointError } from "../core/errors.ts";
import { joined, type Message, message, setting, value } from "../core/message.ts";
import { envs } from "../envs/index.ts";
import { assertArchitecture, type CheckpointMeta } from "../persistence/checkpoint.ts";
import { idsKnownTo } from "./extensions.ts";
import { buildTask } from "./task.ts";

/** The model of a run. */
interface Model {
  architecture: object;
  vocabulary: Vocabulary;
}

/**
 * Checks that the tensors are the same and that the vocabulary numbers every word of the checkpoint as the checkpoint does.
 * @throws CheckpointError("wrong_architecture") if they do not; "foreign" or "corrupt" if the checkpoint's metadata cannot be read.
 */
export function assertFits(config: RunConfig, model: Model, meta: CheckpointMeta): void {
  const misfit = misfitOf(model, meta);
  if (misfit) throw withRemedy(misfit, { config, model, meta });
}

/** Why a checkpoint does not fit a model; null if it does. */
function misfitOf(model: Model, meta: CheckpointMeta): CheckpointError | null {
  const misfit = architectureMisfit(model.architecture, meta.architecture);
  if (misfit || extendsVocabulary(model.vocabulary, vocabularyFromJson(meta.vocabulary))) return misfit;
  return new CheckpointError(
    "wrong_architecture",
    "The vocabulary of the checkpoint differs from that of this configuration.",
    message`Use the checkpoint's own ${joined(WORDS.map(setting), ", ")}, board size and ${setting("env.config.render_mode")}.`,
  );
}

function architectureMisfit(expected: object, found: object): CheckpointError | null {
  try {
    assertArchitecture(expected, found, "The checkpoint");
    return null;
  } catch (error) {
    if (error instanceof CheckpointError) return error;
    throw error;
  }
}

/** A configuration, its model, and the metadata of the checkpoint that does not fit it. */
interface Attempt {
  config: RunConfig;
  model: Model;
  meta: CheckpointMeta;
}

/** Names the settings that would fit, from the checkpoint's configuration; the architecture's own names are not settings. */
function withRemedy(misfit: CheckpointError, attempt: Attempt): CheckpointError {
  const { config: stored, extensions } = attempt.meta;
  const { config: made, problems } = inspectRunConfig(stored, envs, idsKnownTo(extensions));
  // Defaults would replace a missing section, but the checkpoint was made with other values.
  const missing = ["env", "model"].find((section) => !Object.hasOwn(stored, section));
  if (!made || missing)
    return withoutRemedy(misfit, problems[0] ? problemText(problems[0]).message : `it has no ${missing}.`);
  const changes = decisive(attempt.config, made);
  if (changes.length === 0) return misfit;
  const text = otherTask(attempt.config, made) ?? misfit.message;
  return new CheckpointError(misfit.code, text, remedyOf(changes, attempt), { cause: misfit });
}

/** @param why the checkpoint's configuration cannot be read. */
const withoutRemedy = (misfit: CheckpointError, why: string): CheckpointError =>
  new CheckpointError(
    "foreign",
    `${misfit.message} The settings that fit are unknown, because the checkpoint's configuration cannot be read: ${why}`,
    "Choose a .safetensors file that this version of the studio saved.",
    { cause: misfit },
  );

/** What the user may do, in one sentence. */
function remedyOf(changes: readonly ConfigChange[], { config, model, meta }: Attempt): Message {
  const settings = changes.map(({ path, to }) => message`${setting(path)} to ${value(path, to)}`);
  const remedies = [message`Set ${joined(settings, ", ")}`, "choose another checkpoint"];
  // An evaluation has no checkpoint to start from.
  const isStart = config.trainer.init_checkpoint !== "";
  if (isStart && !isShared(config) && differInWordsOnly(model.architecture, meta.architecture))
    remedies.push(message`set ${setting(VOCABULARY)} to ${value(VOCABULARY, "shared")}`);
  if (isStart && changes.every(isDeeper))
    remedies.push(message`set ${setting(INIT_LAYERS)} to ${value(INIT_LAYERS, "fewer")}`);
  if (isStart)
    remedies.push(message`clear ${setting("trainer.init_checkpoint")} to start from random weights`);
  return message`${joined(remedies.slice(0, -1), ", ")}, or ${remedies.at(-1)!}.`;
}

/** Whether the configuration's model differs from the checkpoint's only in that it has more decoder layers. */
const isDeeper = ({ path, from, to }: ConfigChange): boolean =>
  path === DECODER_LAYERS && Number(from) > Number(to);

/** Whether two models have the same tensors apart from those of words. */
function differInWordsOnly(one: object, other: object): boolean {
  const [a, b] = [one, other].map((architecture) => ({ ...architecture, vocab: 0, vocabStride: 0 }));
  return architectureMisfit(a!, b!) === null;
}

/** A message about another task, which explains all other differences. */
function otherTask(config: RunConfig, made: RunConfig): string | null {
  if (made.env.name === config.env.name || isShared(config)) return null;
  const [trained, wanted] = [made, config].map(({ env }) => `${envs.get(env.name).title} (${env.name})`);
  return `The checkpoint was trained for ${trained} and cannot play ${wanted}.`;
}

const VOCABULARY = "trainer.init_vocabulary";
const INIT_LAYERS = "trainer.init_layers";

/** The run starts from the checkpoint, which may be that of another task. */
const isShared = ({ trainer }: RunConfig): boolean =>
  trainer.init_vocabulary === "shared" && trainer.init_checkpoint !== "";

/** Rollout settings that determine the vocabulary. */
const WORDS = ["max_turns", "prompt_format", "state_format"].map((key) => `rollout.${key}`);

/** The settings that make the models differ: the task, otherwise those of the model, otherwise of vocabulary and board. */
function decisive(config: RunConfig, made: RunConfig): ConfigChange[] {
  if (made.env.name !== config.env.name && !isShared(config))
    return [{ path: "env.name", from: config.env.name, to: made.env.name }];
  const ofModel = diffConfigs(config.model, made.model, "model.");
  if (ofModel.length > 0) return ofModel;
  const ofPictures = diffConfigs(config.env.config, made.env.config, "env.config.");
  // Options of another task say nothing, except for the size of its pictures.
  if (isShared(config)) return ofPictures.filter(({ path }) => path === "env.config.resolution");
  const ofWords = diffConfigs(config.rollout, made.rollout, "rollout.").filter(({ path }) =>
    WORDS.includes(path),
  );
  const ofPivot = diffConfigs(config.actor, made.actor, "actor.").filter(
    ({ path }) => path === "actor.use_pivot",
  );
  return [...ofWords, ...ofPivot, ...ofPictures.filter((option) => changesModel(made, option))];
}

/** Whether the words or the pictures of `made` change with an option of its environment as another configuration has it; rewards change neither. */
function changesModel(made: RunConfig, { path, from }: ConfigChange): boolean {
  const option = path.slice("env.config.".length);
  const changed = { ...made, env: { ...made.env, config: { ...made.env.config, [option]: from } } };
  try {
    const [before, after] = [made, changed].map((config) => {
      const task = buildTask(config);
      return JSON.stringify([task.vocabulary.hash, pictureOf(task)]);
    });
    return before !== after;
  } catch {
    // Options that do not go together, one by one.
    return true;
  }
}
