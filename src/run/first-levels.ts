// Whether there are levels to play: the first of training, of validations and of each further set is drawn before anything is
// allocated, because a search for a level that does not exist would end the run at its first validation.

import { furtherEntries } from "../config/entries.ts";
import { trainingSeeds, validationSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import { envs } from "../envs/index.ts";
import { inEntry, inSet, type PlayedSet } from "./validation-sets.ts";

/** A level to draw. */
interface Draw {
  name: string;
  options: unknown;
  seed: number;
  /** How far the search may go; absent: as far as in a run. */
  searchBudget?: number;
  /** The validation set that it belongs to. */
  set?: string;
  /** The further environment that it belongs to. */
  entry?: string;
}

/** The draws of the last check and what became of them: the form asks again after every change, and a search may take seconds. */
const last: { draws: string; refusal: unknown } = { draws: "", refusal: null };

/**
 * Draws the first level of training, of the run's own validation and of each of its further sets.
 * @throws EnvError or ConfigError if one of them does not exist.
 */
export function assertLevels(config: RunConfig, sets: readonly PlayedSet[]): void {
  const wanted = drawsOf(config, sets);
  const draws = JSON.stringify(wanted);
  if (last.draws !== draws) Object.assign(last, { draws, refusal: refusalOf(wanted) });
  if (last.refusal) throw last.refusal;
}

/** The first level with given options is found with the budget of a check. A validation that shares them may search as a run does. */
function drawsOf(config: RunConfig, sets: readonly PlayedSet[]): Draw[] {
  return [
    ...firstDraws(config),
    ...furtherEntries(config).flatMap((entry) =>
      firstDraws(entry.config).map((draw) => ({ ...draw, entry: entry.name })),
    ),
    ...sets.map((set) => ({
      name: set.task.spec.id,
      options: set.task.envConfig,
      seed: set.seeds[0]!,
      ...(set.isOther && { searchBudget: 1 }),
      set: set.name,
    })),
  ];
}

/** The first level of training, and of the run's own validation. */
function firstDraws(config: RunConfig): Draw[] {
  const { name, config: options } = config.env;
  return [
    { name, options, seed: trainingSeeds(config)[0]!, searchBudget: 1 },
    { name, options, seed: validationSeeds(config)[0]! },
  ];
}

function refusalOf(draws: readonly Draw[]): unknown {
  try {
    for (const { set, entry, ...draw } of draws)
      if (set !== undefined) inSet(set, () => drawn(draw));
      else if (entry !== undefined) inEntry(entry, () => drawn(draw));
      else drawn(draw);
    return null;
  } catch (error) {
    return error;
  }
}

function drawn({ name, options, seed, searchBudget }: Omit<Draw, "set" | "entry">): void {
  const spec = envs.get(name);
  spec.create(spec.config.parse(options), searchBudget === undefined ? {} : { searchBudget }).reset(seed);
}
