// The seeds of a written data set. Seeds that are not one range are listed one by one, and a file with too long a list cannot be read back.
import { ConfigError } from "../../core/errors.ts";
import { formatInteger } from "../../core/format.ts";
import { short } from "../../core/short.ts";
import { drawnSeedKeys, exactSeedKeys, type SeedKeys } from "./keys/seeds.ts";

/** The most seeds that the entries of a file list. The import reads 2,000 keys and commas of a file (`core/yaml-limits.ts`). */
const MOST_LISTED = 1500;

/** The seeds of one entry, and the setting that has them as a text. */
export interface SeedSet {
  readonly path: string;
  readonly text: string;
  readonly seeds: readonly number[];
  /** How many levels the entry has, if not as many as seeds: VAGEN draws from all entries alike. */
  readonly rows?: number;
}

const listedIn = ({ seed_list = [] }: SeedKeys): number => seed_list.length;
const areFew = (all: readonly SeedKeys[]): boolean =>
  all.reduce((sum, keys) => sum + listedIn(keys), 0) <= MOST_LISTED;

/** The keys of each entry of one file, and the sets whose seeds VAGEN draws with its own random numbers. */
interface WrittenSeeds {
  readonly keys: readonly SeedKeys[];
  readonly drawn: readonly SeedSet[];
}

/**
 * The keys give exactly the seeds of the sets. Where the lists of the file would be too long together, the longest draws are written as
 * draws, for which VAGEN has the same rule but other random numbers, and the longest lists without repeating their seeds for a weight.
 * @throws ConfigError invalid_config where that is not enough.
 */
export function writeSeedSets(sets: readonly SeedSet[]): WrittenSeeds {
  const keys = sets.map(({ seeds, rows }) => exactSeedKeys(seeds, rows));
  const drawn: SeedSet[] = [];
  while (!areFew(keys)) {
    const shorter = sets.map((set, i) => drawnSeedKeys(set.text, set.rows) ?? withoutRows(set, keys[i]!));
    const longest = longestOf(keys, (_, i) => shorter[i] !== null);
    if (longest < 0) throw tooLong(sets[longestOf(keys, () => true)]!);
    keys[longest] = shorter[longest]!;
    if (drawnSeedKeys(sets[longest]!.text)) drawn.push(sets[longest]!);
  }
  return { keys, drawn };
}

/** The keys of a list without repeated seeds, if that is shorter. */
const withoutRows = ({ seeds }: SeedSet, keys: SeedKeys): SeedKeys | null =>
  listedIn(keys) > seeds.length + 1 ? exactSeedKeys(seeds) : null;

/** The entry with the longest list among those that `may` be shortened; -1 if no such entry has a list. */
const longestOf = (keys: readonly SeedKeys[], may: (keys: SeedKeys, index: number) => boolean): number => {
  const lengths = keys.map((one, i) => (may(one, i) ? listedIn(one) : 0));
  const most = Math.max(...lengths);
  return most > 0 ? lengths.indexOf(most) : -1;
};

const tooLong = ({ path, text, seeds }: SeedSet): ConfigError =>
  new ConfigError(
    "invalid_config",
    `${path} is ${short(JSON.stringify(text))}: ${formatInteger(seeds.length)} seeds that are neither one range nor one draw. A data set of VAGEN's lists such seeds one by one, and the entries of a file may list at most ${formatInteger(MOST_LISTED)}.`,
    "Use one range such as 1-10000, one draw such as 5000 of 1-10000, or fewer seeds.",
  );
