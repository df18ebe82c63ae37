// Whether a checkpoint fits the model of a configuration, and what to change if it does not.
import { extendsVocabulary, type Vocabulary, vocabularyFromJson } from "../agent/vocabulary.ts";
import { diffConfigs } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { problemText } from "../config/rules/problem.ts";
import type { RunConfig } from "../config/run-config.ts";
import { CheckpointError } from "../core/errors.ts";
import { joined, message, setting, value } from "../core/message.ts";
import { envs } from "../envs/index.ts";
import { assertArchitecture, type CheckpointMeta } from "../persistence/checkpoint.ts";
import { idsKnownTo } from "./extensions.ts";

/**
 * Checks that the tensors are the same and that the vocabulary numbers every word of the checkpoint as the checkpoint does.
 * @throws CheckpointError("wrong_architecture")
 */
export function assertFits(
  config: RunConfig,
  model: { architecture: object; vocabulary: Vocabulary },
  meta: CheckpointMeta,
): void {
  const canShare = !isShared(config) && differInWordsOnly(model.architecture, meta.architecture);
  try {
    assertArchitecture(model.architecture, meta.architecture, "The checkpoint");
  } catch (error) {
    throw withRemedy(error, config, meta, canShare);
  }
  const stored = vocabularyFromJson(meta.vocabulary);
  if (extendsVocabulary(model.vocabulary, stored)) return;
  const error = new CheckpointError(
    "wrong_architecture",
    "The vocabulary of the checkpoint differs from that of this configuration.",
    message`Use the checkpoint's own ${joined(WORDS.map(setting), ", ")}, board size and ${setting("env.config.render_mode")}.`,
  );
  throw withRemedy(error, config, meta, canShare);
}

/** Whether two models have the same tensors apart from those of words. */
function differInWordsOnly(one: object, other: object): boolean {
  const [a, b] = [one, other].map((architecture) => ({ ...architecture, vocab: 0, vocabStride: 0 }));
  try {
    assertArchitecture(a!, b!, "");
    return true;
  } catch {
    return false;
  }
}

/** Names the settings that would fit, from the checkpoint's configuration; the architecture's own names are not settings. */
function withRemedy(
  error: unknown,
  config: RunConfig,
  { config: stored, extensions }: CheckpointMeta,
  canShare: boolean,
): unknown {
  if (!(error instanceof CheckpointError)) return error;
  const { config: made, problems } = inspectRunConfig(stored, envs, idsKnownTo(extensions));
  // Defaults would replace a missing section, but the checkpoint was made with other values.
  const missing = ["env", "model"].find((section) => !Object.hasOwn(stored, section));
  if (!made || missing)
    return new CheckpointError(
      "foreign",
      `${error.message} The settings that fit are unknown, because the checkpoint's configuration cannot be read: ${problems[0] ? problemText(problems[0]).message : `it has no ${missing}.`}`,
      "Choose a .safetensors file that this version of the studio saved.",
      { cause: error },
    );
  const changes = decisive(config, made).map(
    ({ path, to }) => message`${setting(path)} to ${value(path, to)}`,
  );
  if (changes.length === 0) return error;
  const remedies = [message`Set ${joined(changes, ", ")}`, "choose another checkpoint"];
  // An evaluation has no checkpoint to start from.
  if (config.trainer.init_checkpoint && canShare)
    remedies.push(message`set ${setting(VOCABULARY)} to ${value(VOCABULARY, "shared")}`);
  if (config.trainer.init_checkpoint)
    remedies.push(message`clear ${setting("trainer.init_checkpoint")} to start from random weights`);
  const hint = message`${joined(remedies.slice(0, -1), ", ")}, or ${remedies.at(-1)!}.`;
  return new CheckpointError(error.code, otherTask(config, made) ?? error.message, hint, { cause: error });
}

/** A message about another task, which explains all other differences. */
function otherTask(config: RunConfig, made: RunConfig): string | null {
  if (made.env.name === config.env.name || isShared(config)) return null;
  const [trained, wanted] = [made, config].map(({ env }) => `${envs.get(env.name).title} (${env.name})`);
  return `The checkpoint was trained for ${trained} and cannot play ${wanted}.`;
}

const VOCABULARY = "trainer.init_vocabulary";

/** The run starts from the checkpoint, which may be that of another task. */
const isShared = ({ trainer }: RunConfig): boolean =>
  trainer.init_vocabulary === "shared" && trainer.init_checkpoint !== "";

/** Rollout settings that determine the vocabulary. */
const WORDS = ["max_turns", "prompt_format", "state_format"].map((key) => `rollout.${key}`);

/** The settings that make the models differ: the task, otherwise those of the model, otherwise of vocabulary and board. */
function decisive(config: RunConfig, made: RunConfig) {
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
  return [...ofWords, ...ofPivot, ...ofPictures];
}
