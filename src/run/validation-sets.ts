// The further validation sets of a configuration: levels, and the task with the options that a set changes.
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { furtherEntries, largestPicture, playedIn } from "../config/entries.ts";
import { validationSeeds, validationSets } from "../config/levels.ts";
import type { RunConfig, ValidationSet as SetSettings } from "../config/run-config.ts";
import { ConfigError, StudioError } from "../core/errors.ts";
import { type Message, message, setting } from "../core/message.ts";
import type { ValidationSet } from "../training/run.ts";
import { taskBeside } from "./task.ts";

/** A set that a policy of the run can play. */
export interface PlayedSet extends ValidationSet {
  /** The run reduced to the set's environment, with the options and turns of the set. */
  config: RunConfig;
  /** It changes options of the task. */
  isOther: boolean;
}

/**
 * The further validation sets of a configuration, each with its own options of the task.
 * @throws ConfigError if a policy of the run could not play them.
 */
export function setsOf(config: RunConfig, { vocabulary, imageTokens }: Task): PlayedSet[] {
  return validationSets(config).map((set) => {
    const { name, seeds } = set;
    const played = inSet(name, () => playedSet(set, config));
    const { task } = played;
    if (task.imageTokens !== imageTokens) {
      const [own, run] = [task.spec.patches(task.envConfig), largestPicture(config)];
      throw new ConfigError(
        "invalid_config",
        message`The validation set ${name} of ${setting("trainer.val_sets")} has pictures of ${own.rows} × ${own.cols} patches, and those of this run have ${run.rows} × ${run.cols}.`,
        "Give it options with a picture that is no larger.",
      );
    }
    if (task.vocabulary.hash !== vocabulary.hash)
      throw new ConfigError(
        "invalid_config",
        message`The validation set ${name} of ${setting("trainer.val_sets")} has words that the policy of this run does not know.`,
        "Give it options that leave the tools and the kind of observation as they are.",
      );
    return { name, seeds, ...played, isOther: Object.keys(set.config).length > 0 };
  });
}

/**
 * A set's task, and the run as if it were its only one. Fewer turns than the run's leave its words as they are, and the picture of a smaller
 * board lies in the corner of one of the run's size.
 */
function playedSet({ env, max_turns, ...set }: Omit<SetSettings, "seeds">, config: RunConfig) {
  const { model } = config;
  // Its board need not be divisible, because its pictures have the run's size.
  const divided = { ...withOptions(set.config, env, config), model: { ...model, pixel_shuffle: 1 } };
  const alone = playedIn({ env, max_turns, config: {} }, { ...checkedRunConfig(divided), model });
  return { config: alone, task: taskBeside(alone, config) };
}

/** The configuration with options changed in the named environment, or in its first. */
function withOptions(options: SetSettings["config"], env: string | undefined, config: RunConfig): RunConfig {
  const entry = config.envs[env!];
  const changed = <T extends { config: SetSettings["config"] }>(one: T): T => ({
    ...one,
    config: { ...one.config, ...options },
  });
  return entry
    ? { ...config, envs: { ...config.envs, [env!]: changed(entry) } }
    : { ...config, env: changed(config.env) };
}

/** The levels of a run's further environments to validate on. */
export const entrySets = (config: RunConfig, { others }: Task): ValidationSet[] =>
  furtherEntries(config).map((entry) => ({
    name: entry.name,
    seeds: validationSeeds(entry.config),
    task: others!.get(entry.name)!,
  }));

/** The result of `work` about a set. @throws ConfigError that names the set in place of the work's own error. */
export const inSet = <T>(name: string, work: () => T): T =>
  about(message`The validation set ${name} of ${setting("trainer.val_sets")}`, work);

/** The result of `work` about a further environment. @throws ConfigError that names it in place of the work's own error. */
export const inEntry = <T>(name: string, work: () => T): T =>
  about(message`The environment ${name} of ${setting("envs")}`, work);

function about<T>(what: Message, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { message: text, hint, parts } = error;
    throw new ConfigError(
      "invalid_config",
      message`${what} cannot be played. ${parts?.message ?? text}`,
      parts?.hint ?? hint,
      { cause: error },
    );
  }
}
