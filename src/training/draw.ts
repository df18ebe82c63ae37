// The levels of an update.
import type { TrainingDraw } from "../agent/episodes.ts";
import { furtherEntries } from "../config/entries.ts";
import { SFT_TEST_FIRST_SEED, trainingSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Run } from "./run.ts";

/** What the levels of an update are drawn from. */
export type LevelPool = Pick<Run, "config" | "isHeldOut" | "isHeldOutIn">;

/** What the demonstrations of an SFT update follow from: a level each. */
export const sftDraw = (run: LevelPool, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.sft.train_batch_size,
  perLevel: 1,
});

/** What the episodes of a PPO update follow from. */
export const ppoDraw = (run: Run, update: number): TrainingDraw => ({
  ...drawOf(run, update),
  count: run.config.rollout.train_batch_size,
  perLevel: run.config.rollout.n_trajectory,
});

/**
 * The levels of a test of SFT, as many in each environment of the run: seeds that training does not name, less those whose level
 * a validation plays.
 */
export function sftTestLevels({
  config,
  isHeldOut,
  isHeldOutIn,
}: Run): readonly { seeds: readonly number[]; entry?: string }[] {
  const others = furtherEntries(config).map(({ name, config: own }) => ({
    entry: name,
    seeds: testSeeds(own, isHeldOutIn.get(name)!),
  }));
  return [{ seeds: testSeeds(config, isHeldOut) }, ...others];
}

function testSeeds(config: RunConfig, isHeldOut: (seed: number) => boolean): number[] {
  const trained = new Set(trainingSeeds(config));
  const isFree = (seed: number) => !trained.has(seed) && !isHeldOut(seed);
  return firstOf(SFT_TEST_FIRST_SEED, config.sft.test_levels, isFree);
}

/** The first `count` numbers from `from` on that pass the test, or that are there where hardly any does. */
function firstOf(from: number, count: number, passes: (n: number) => boolean): number[] {
  const found: number[] = [];
  for (let n = from; found.length < count; n++)
    if (passes(n) || n - from >= MOST_TRIES + found.length) found.push(n);
  return found;
}

/** Seeds after which one is taken although it is held out: a task with one level has no others. */
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
