// Whether the weights of a checkpoint belong into the model of a configuration, and what to change when they do not.
import { vocabularyFromJson } from "../agent/vocabulary.ts";
import { diffConfigs } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { CheckpointError } from "../core/errors.ts";
import { envs } from "../envs/index.ts";
import { assertArchitecture, type CheckpointMeta } from "../persistence/checkpoint.ts";
import { idsKnownTo } from "./extensions.ts";

/**
 * Same tensors and same words. Two vocabularies of one size may number their words differently, and a policy would then
 * read one word as another.
 * @throws CheckpointError("wrong_architecture")
 */
export function assertFits(
  config: RunConfig,
  model: { architecture: object; vocabularyHash: string },
  meta: CheckpointMeta,
): void {
  try {
    assertArchitecture(model.architecture, meta.architecture, "The checkpoint");
  } catch (error) {
    throw withRemedy(error, config, meta);
  }
  const stored = vocabularyFromJson(meta.vocabulary);
  if (stored.hash === model.vocabularyHash) return;
  const error = new CheckpointError(
    "wrong_architecture",
    "The checkpoint was made with other words than this configuration needs.",
    "Use the checkpoint's own rollout.max_turns, prompt_format and state_format, board size and env.config.render_mode.",
  );
  throw withRemedy(error, config, meta);
}

/** The architecture's own names are not settings; the checkpoint's configuration tells which settings would fit. */
function withRemedy(
  error: unknown,
  config: RunConfig,
  { config: stored, extensions }: CheckpointMeta,
): unknown {
  if (!(error instanceof CheckpointError)) return error;
  const { config: made, problems } = inspectRunConfig(stored, envs, idsKnownTo(extensions));
  // What is left out would be completed with defaults, which are not what the checkpoint was made with.
  const missing = ["env", "model"].find((section) => !Object.hasOwn(stored, section));
  if (!made || missing)
    return new CheckpointError(
      "foreign",
      `${error.message} The checkpoint's own configuration, which would tell the settings that fit, cannot be read: ${problems[0]?.message ?? `it has no ${missing}.`}`,
      "Choose a .safetensors file that this version of the studio saved.",
      { cause: error },
    );
  const settings = decisive(config, made).map(({ path, to }) => `${path} to ${JSON.stringify(to)}`);
  if (settings.length === 0) return error;
  const remedies = [`Set ${settings.join(", ")}`, "choose another checkpoint"];
  // Whoever evaluates a checkpoint has none to start from.
  if (config.trainer.init_checkpoint) remedies.push("clear trainer.init_checkpoint to start from nothing");
  const hint = `${remedies.slice(0, -1).join(", ")}, or ${remedies.at(-1)}.`;
  return new CheckpointError(error.code, otherTask(config, made) ?? error.message, hint, { cause: error });
}

/** Another task makes everything differ; which tensors do is of no interest then. */
function otherTask(config: RunConfig, made: RunConfig): string | null {
  if (made.env.name === config.env.name) return null;
  const [trained, wanted] = [made, config].map(({ env }) => `${envs.get(env.name).title} (${env.name})`);
  return `The checkpoint was trained for ${trained} and cannot play ${wanted}.`;
}

/** Settings of episodes that the words of a policy follow from. */
const WORDS = ["max_turns", "prompt_format", "state_format"].map((key) => `rollout.${key}`);

/** What makes the models differ: the task, else the settings of the model, else the words and the board. */
function decisive(config: RunConfig, made: RunConfig) {
  if (made.env.name !== config.env.name)
    return [{ path: "env.name", from: config.env.name, to: made.env.name }];
  const ofModel = diffConfigs(config.model, made.model, "model.");
  if (ofModel.length > 0) return ofModel;
  const ofWords = diffConfigs(config.rollout, made.rollout, "rollout.").filter(({ path }) =>
    WORDS.includes(path),
  );
  return [...ofWords, ...diffConfigs(config.env.config, made.env.config, "env.config.")];
}
