// Which episodes are played: levels, groups, and the random identity of each. Nothing here depends on the order in which
// a machine happens to run them.
import { rng } from "../core/rng.ts";

/** One episode to play. */
export interface Episode {
  id: string;
  /** Level. */
  seed: number;
  /** Episodes of a group share their level. */
  groupId: string;
  /** Identity of the policy's draws, 32 bits. */
  rngKey: number;
}

/** Seeds of the levels to draw from, both ends included. */
interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** What the episodes of an update follow from. */
interface TrainingDraw {
  seeds: SeedRange;
  runSeed: number;
  /** Updates of the whole run, from 1. */
  update: number;
  /** Episodes in all. */
  count: number;
  /** Episodes per level; the last group may be smaller. */
  perLevel: number;
}

/** The episodes of one update: fresh training levels, drawn from the run's seed and the update alone. */
export function trainingEpisodes({
  seeds: { first, last },
  runSeed,
  update,
  count,
  perLevel,
}: TrainingDraw): Episode[] {
  const levels = rng(runSeed).fork("levels").fork(`${update}`);
  const drawn = Array.from(
    { length: Math.ceil(count / perLevel) },
    () => first + levels.int(last - first + 1),
  );
  return Array.from({ length: count }, (_, i) => {
    const group = Math.floor(i / perLevel);
    const rngKey = rngKeyOf(runSeed, update, i);
    return { id: `u${update}-${i}`, seed: drawn[group], groupId: `u${update}-g${group}`, rngKey };
  });
}

/** `count` validation levels from seed `first` on, in order, the same for every run; each level is a group of one. */
export function validationEpisodes(first: number, count: number, runSeed = 0): Episode[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = first + i;
    return { id: `v-${seed}`, seed, groupId: `v-${seed}`, rngKey: rngKeyOf(runSeed, 0, i) };
  });
}

/** 32 bits that identify an episode's draws; update 0 is validation. */
function rngKeyOf(runSeed: number, update: number, index: number): number {
  return rng(runSeed).fork("episodes").fork(`${update}`).fork(`${index}`).u32();
}
