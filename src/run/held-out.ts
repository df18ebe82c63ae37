// Levels that training must not play. Seeds of training and validations differ, but small boards repeat: another seed may give the
// very level that a validation plays.
import type { Task } from "../agent/task.ts";
import { ownValidationSets, trainingSeeds, validationSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Env } from "../envs/env.ts";

/** The level of a seed as text: its first state, and its question if it asks one. */
export function levelOf(env: Env, seed: number): string {
  env.reset(seed);
  return JSON.stringify([env.groundTruth(), env.question?.() ?? null]);
}

/** The level of a seed of one task, as text. */
export type LevelText = (seed: number) => string;

/** The levels of a task as text; each is computed once. */
export function levelTexts({ spec, envConfig }: Task): LevelText {
  let env: Env | undefined;
  const texts = new Map<number, string>();
  return (seed) => {
    env ??= spec.create(envConfig);
    const text = texts.get(seed) ?? levelOf(env, seed);
    texts.set(seed, text);
    return text;
  };
}

/**
 * A test of seeds: true if training must skip the seed, because a validation plays its level under another seed. A seed that
 * both lists name is not skipped: the configuration asks for it, and a warning says so (`config/rules/shared-levels.ts`). The
 * levels of validations are computed with the first question, and again after their seeds have changed.
 * @param configNow the configuration at the time of the question; nothing is skipped with `trainer.skip_validation_levels` off.
 * @param level the levels of `task`.
 */
export function heldOutSeeds(
  task: Task,
  configNow: () => RunConfig,
  level = levelTexts(task),
): (seed: number) => boolean {
  let known = { of: "", isHeldOut: (_seed: number): boolean => false };
  return (seed) => {
    const config = configNow();
    const { skip_validation_levels: skips, val_seeds, val_size, val_sets } = config.trainer;
    if (!skips) return false;
    const of = JSON.stringify([val_seeds, val_size, val_sets]);
    if (of !== known.of) known = { of, isHeldOut: testOf(task, config, level) };
    return known.isHeldOut(seed);
  };
}

/**
 * Those of the levels that training plays under none of its seeds, whichever seed names them here.
 * @param config the run's configuration, for the environment of `task`
 * @param played the task whose levels the seeds name: in a validation set it may have other options than in training.
 */
export function unseenLevels(
  task: Task,
  config: RunConfig,
  seeds: readonly number[],
  played = task,
): number[] {
  const level = levelTexts(task);
  const isHeldOut = heldOutSeeds(task, () => config, level);
  const inTraining = trainingSeeds(config).filter((seed) => !isHeldOut(seed));
  const trained = new Set(inTraining.map(level));
  const levelPlayed = played === task ? level : levelTexts(played);
  return seeds.filter((seed) => !trained.has(levelPlayed(seed)));
}

function testOf({ spec }: Task, config: RunConfig, level: LevelText): (seed: number) => boolean {
  const sets = [{ config: {}, seeds: validationSeeds(config) }, ...ownValidationSets(config)];
  const named = new Set(sets.flatMap(({ seeds }) => seeds));
  const levels = new Set(
    sets.flatMap(({ config: options, seeds }) => {
      const env = spec.create(spec.config.parse({ ...config.env.config, ...options }));
      return seeds.map((seed) => levelOf(env, seed));
    }),
  );
  return (seed) => !named.has(seed) && levels.has(level(seed));
}
