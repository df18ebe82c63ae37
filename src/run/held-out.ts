// Levels that training must not play. Seeds of training and validations differ, but small boards repeat: another seed may give the
// very level that a validation plays.
import type { Task } from "../agent/task.ts";
import { entryConfig } from "../config/entries.ts";
import { validationSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Env } from "../envs/env.ts";
import { setsOf } from "./validation-sets.ts";

/** The level of a seed as text: its first state, and its question if it asks one. */
export function levelOf(env: Env, seed: number): string {
  env.reset(seed);
  return JSON.stringify([env.groundTruth(), env.question?.() ?? null]);
}

/**
 * A test of seeds: true if training must skip the seed, because a validation plays its level under another seed. A seed that
 * both lists name is not skipped: the configuration asks for it, and a warning says so (`config/rules/shared-levels.ts`). The
 * levels of validations are computed with the first question, and again after their seeds have changed.
 * @param configNow the configuration at the time of the question; nothing is skipped with `trainer.skip_validation_levels` off.
 */
export function heldOutSeeds(task: Task, configNow: () => RunConfig): (seed: number) => boolean {
  let known = { of: "", isHeldOut: (_seed: number): boolean => false };
  return (seed) => {
    const config = configNow();
    const { skip_validation_levels: skips, val_seeds, val_size, val_sets } = config.trainer;
    if (!skips) return false;
    const of = JSON.stringify([val_seeds, val_size, val_sets]);
    if (of !== known.of) known = { of, isHeldOut: testOf(task, config) };
    return known.isHeldOut(seed);
  };
}

/** Such a test for each further environment of a run, by its name. */
export const heldOutInOthers = (task: Task, configNow: () => RunConfig) =>
  new Map(
    [...(task.others ?? [])].map(([name, other]) => [
      name,
      heldOutSeeds(other, () => entryConfig(configNow(), name)),
    ]),
  );

function testOf(task: Task, config: RunConfig): (seed: number) => boolean {
  const sets = [{ task, seeds: validationSeeds(config) }, ...setsOf(config, task)];
  const named = new Set(sets.flatMap(({ seeds }) => seeds));
  const levels = new Set(
    sets.flatMap(({ task: { spec, envConfig }, seeds }) => {
      const env = spec.create(envConfig);
      return seeds.map((seed) => levelOf(env, seed));
    }),
  );
  const env = task.spec.create(task.envConfig);
  const answers = new Map<number, boolean>();
  return (seed) => {
    const answer = answers.get(seed) ?? (!named.has(seed) && levels.has(levelOf(env, seed)));
    answers.set(seed, answer);
    return answer;
  };
}
