// Which episodes are played: levels, groups, and the random identity of each. Nothing here depends on the order in which
// a machine happens to run them.
import { type Rng, rng } from "../core/rng.ts";

/** One episode to play. */
export interface Episode {
  /** Which of the run's environments it plays; absent: the first. */
  entry?: string;
  id: string;
  /** Level. */
  seed: number;
  /** Episodes of a group share their level. */
  groupId: string;
  /** Identity of the policy's draws, 32 bits. */
  rngKey: number;
}

/** Levels to draw from. */
interface Levels {
  seeds: readonly number[];
  /** Whether a seed must be skipped. Default: none is. */
  isHeldOut?: (seed: number) => boolean;
}

/** Levels of a further environment. */
interface EntryLevels extends Levels {
  /** Its name. */
  entry: string;
  /** Its levels for each one of the first environment. */
  weight: number;
}

/** What the episodes of an update follow from. */
export interface TrainingDraw extends Levels {
  /** Levels of the run's further environments. */
  others?: readonly EntryLevels[];
  runSeed: number;
  /** Updates of the whole run, from 1. */
  update: number;
  /** Episodes in all. */
  count: number;
  /** Episodes per level; the last group may be smaller. */
  perLevel: number;
}

/** Draws after which a level is played although it is held out: then there are hardly any others. */
const MOST_DRAWS = 64;

/** A level that is not held out. */
function drawLevel(random: Rng, { seeds, isHeldOut = () => false }: Levels): number {
  let seed = random.pick(seeds);
  for (let draws = 1; draws < MOST_DRAWS && isHeldOut(seed); draws++) seed = random.pick(seeds);
  return seed;
}

/** The episodes of one update: fresh training levels, drawn from the run's seed and the update alone. */
export function trainingEpisodes(draw: TrainingDraw): Episode[] {
  const { runSeed, update, count, perLevel } = draw;
  const random = rng(runSeed).fork("levels").fork(`${update}`);
  const drawn = entriesOf(draw).map((other) => ({
    seed: drawLevel(random, other ?? draw),
    ...(other && { entry: other.entry }),
  }));
  return Array.from({ length: count }, (_, i) => {
    const group = Math.floor(i / perLevel);
    const rngKey = rngKeyOf(runSeed, update, i);
    return { id: `u${update}-${i}`, ...drawn[group]!, groupId: `u${update}-g${group}`, rngKey };
  });
}

/**
 * The environment of each group of an update, undefined for the first. Their numbers follow the weights as closely as whole numbers can,
 * and what is left over changes from update to update; the order is random.
 */
function entriesOf({ others = [], runSeed, update, count, perLevel }: TrainingDraw) {
  const groups = Math.ceil(count / perLevel);
  if (others.length === 0) return new Array<undefined>(groups).fill(undefined);
  const random = rng(runSeed).fork("entries").fork(`${update}`);
  const total = others.reduce((sum, { weight }) => sum + weight, 1);
  const offset = random.float();
  const chosen = Array.from({ length: groups }, (_, group) =>
    entryAt(others, ((group + offset) / groups) * total),
  );
  return random.shuffle(chosen);
}

/** The entry at a point of all weights laid end to end, the first environment's 1 before them; undefined in that. */
function entryAt(others: readonly EntryLevels[], point: number): EntryLevels | undefined {
  let end = 1;
  if (point < end) return undefined;
  for (const other of others) {
    end += other.weight;
    if (point < end) return other;
  }
  return others.at(-1);
}

/**
 * The episodes of group `group` of an update, from 0. With `attempt` above 0 it replaces a group that was dropped: another level
 * and other draws.
 */
export function trainingGroup(draw: TrainingDraw, group: number, attempt = 0): Episode[] {
  const first = group * draw.perLevel;
  const episodes = trainingEpisodes(draw).slice(first, first + draw.perLevel);
  if (attempt === 0) return episodes;
  const other = rng(draw.runSeed).fork("replacements").fork(`${draw.update}`).fork(`${group} ${attempt}`);
  const entry = draw.others?.find((one) => one.entry === episodes[0]?.entry);
  const seed = drawLevel(other.fork("level"), entry ?? draw);
  return episodes.map(({ id, groupId }, i) => ({
    id: `${id}~${attempt}`,
    ...(entry && { entry: entry.entry }),
    seed,
    groupId: `${groupId}~${attempt}`,
    rngKey: other.fork(`${i}`).u32(),
  }));
}

/**
 * Validation levels, in order, the same for every run; each level is a group of `samples` episodes, one after another.
 * The draws of a level's first episode do not depend on `samples`.
 */
export function validationEpisodes(seeds: readonly number[], samples = 1, runSeed = 0): Episode[] {
  return seeds.flatMap((seed, level) =>
    Array.from({ length: samples }, (_, k) => {
      // A seed that occurs again is another level to play.
      const groupId = seeds.indexOf(seed) === level ? `v-${seed}` : `v-${seed}~${level}`;
      const rngKey = rngKeyOf(runSeed, 0, level + k * seeds.length);
      return { id: k === 0 ? groupId : `${groupId}.${k}`, seed, groupId, rngKey };
    }),
  );
}

/** 32 bits that identify an episode's draws; update 0 is validation. */
function rngKeyOf(runSeed: number, update: number, index: number): number {
  return rng(runSeed).fork("episodes").fork(`${update}`).fork(`${index}`).u32();
}
