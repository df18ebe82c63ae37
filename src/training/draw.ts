// The levels of an update.
import type { TrainingDraw } from "../agent/episodes.ts";
import { furtherEntries } from "../config/entries.ts";
import { ownValidationSets, SFT_TEST_FIRST_SEED, trainingSeeds, validationSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import { rng } from "../core/rng.ts";
import type { LevelTests, Run, SeedTest } from "./run.ts";

/** What the levels of an update are drawn from. */
export type LevelPool = Pick<Run, "config" | "isHeldOut" | "isHeldOutIn">;

/** What the demonstrations of an SFT update follow from: a level each. */
export const sftDraw = (run: LevelPool, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.sft.train_batch_size,
  perLevel: 1,
});

/** The levels of rehearsal step `step` (from 0) after update `update` of the run: as many as in an SFT update. */
export function rehearsalDraw(run: LevelPool, update: number, step: number): TrainingDraw {
  const runSeed = rng(run.config.seed).fork("rehearsal").fork(`${step}`).u32();
  return { ...sftDraw(run, update), runSeed };
}

/** What the episodes of a PPO update follow from. */
export const ppoDraw = (run: Run, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.rollout.train_batch_size,
  perLevel: run.config.rollout.n_trajectory,
});

/**
 * The levels of a test of SFT, as many in each environment of the run: those that neither training nor a validation plays under any
 * seed. They give way to the levels of training, not the reverse, so that training draws the same levels with any number of them.
 */
export async function sftTestLevels({
  config,
  isHeldOut,
  isHeldOutIn,
  trained,
  trainedIn,
}: Pick<Run, "config" | keyof LevelTests>): Promise<readonly { seeds: readonly number[]; entry?: string }[]> {
  const levels: { seeds: readonly number[]; entry?: string }[] = [
    { seeds: testSeeds(config, isHeldOut, await trained()) },
  ];
  for (const { name: entry, config: own } of furtherEntries(config))
    levels.push({ entry, seeds: testSeeds(own, isHeldOutIn.get(entry)!, await trainedIn.get(entry)!()) });
  return levels;
}

function testSeeds(config: RunConfig, isHeldOut: SeedTest, isTrained: SeedTest): number[] {
  const sets = ownValidationSets(config).flatMap(({ seeds }) => seeds);
  // No seed that a validation names is held out: training may play it, a test may not.
  const validated = new Set([...validationSeeds(config), ...sets]);
  const isFree = (seed: number) => !validated.has(seed) && !isHeldOut(seed) && !isTrained(seed);
  return firstOf(SFT_TEST_FIRST_SEED, config.sft.test_levels, isFree);
}

/** The first `count` numbers from `from` on that pass the test, or that are there where hardly any does. */
function firstOf(from: number, count: number, passes: (n: number) => boolean): number[] {
  const found: number[] = [];
  for (let n = from; found.length < count; n++)
    if (passes(n) || n - from >= MOST_TRIES + found.length) found.push(n);
  return found;
}

/** Seeds after which one is taken although its level is played elsewhere: a task with one level has no others. */
const MOST_TRIES = 10_000;

const drawOf = ({ config, isHeldOut, isHeldOutIn }: LevelPool, update: number) => ({
  seeds: trainingSeeds(config),
  isHeldOut,
  others: furtherEntries(config).map(({ name: entry, weight, config: own }) => ({
    entry,
    weight,
    seeds: trainingSeeds(own),
    isHeldOut: isHeldOutIn.get(entry)!,
  })),
  runSeed: config.seed,
  update,
});
