// The seeds of Lite's data sets: base, [base], [min, max], [min, max, limit], or a list.
import { short } from "../../../core/short.ts";
import { VALIDATION_FIRST_SEED } from "../../run-config.ts";
import { DRAW, RANDOM } from "../../seeds.ts";
import type { ReadResult, Source } from "../key-mapping.ts";

/** The seeds of an entry as a text of the studio. A list wins over a directive, as in Lite. */
export function readSeedKeys(source: Source): ReadResult {
  const [list, directive, count] = ["seed_list", "seed", "n_envs"].map(source.entry);
  if (typeof count !== "number")
    return { ignored: "n_envs is missing, which says how many seeds there are." };
  const found = list == null ? fromDirective(directive, count) : fromList(list, count);
  if (!("value" in found)) return found;
  const isUsual = found.value === `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + count - 1}`;
  return isUsual && source.split === "val"
    ? { ignored: "The studio's own validation levels; trainer.val_size says how many." }
    : found;
}

const isSeed = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** @param given [base], [min, max] or [min, max, limit]; a number alone is a base. */
function fromDirective(given: unknown, count: number): ReadResult {
  const directive = isSeed(given) ? [given] : given;
  if (!Array.isArray(directive) || !directive.every(isSeed) || directive.length === 0 || directive.length > 3)
    return {
      refused: `seed is ${short(JSON.stringify(given))}; it must be [base], [min, max] or [min, max, limit] with whole numbers from 0 on, or a base alone.`,
    };
  const [first, last, limit] = directive as number[];
  if (last === undefined) return { value: `${count} random from ${first}`, note: OTHERS };
  if (limit === 1 && count === last - first! + 1) return { value: `${first}-${last}` };
  const times = limit === undefined ? " repeated" : limit === 1 ? "" : ` up to ${limit}x`;
  return { value: `${count} of ${first}-${last}${times}`, note: OTHERS };
}

const OTHERS = "The studio draws other seeds than VAGEN by the same rule.";

function fromList(list: unknown, count: number): ReadResult {
  if (!Array.isArray(list) || !list.every(isSeed))
    return {
      refused: `seed_list is ${short(JSON.stringify(list))}; it must be a list of whole numbers from 0 on.`,
    };
  return { value: runsOf(list.slice(0, count)).join(", ") };
}

/** Numbers with each run of consecutive ones as a range. */
function runsOf(numbers: readonly number[]): string[] {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

/** The keys of an entry of Lite's files that say which seeds it has. */
export interface SeedKeys {
  readonly n_envs: number;
  readonly seed?: readonly number[];
  readonly seed_list?: readonly number[];
}

/**
 * The keys for exactly these seeds: a range where they are one, else a list.
 * @param rows the number of levels in the entry; if it differs from the number of seeds, seeds are repeated or left out
 */
export function exactSeedKeys(seeds: readonly number[], rows: number = seeds.length): SeedKeys {
  const runs = runsOf(seeds);
  const [first, last] = [seeds[0]!, seeds.at(-1)!];
  if (runs.length === 1) return { n_envs: rows, seed: [first, last, Math.ceil(rows / seeds.length)] };
  // Lite's trainer needs more seeds in the list than it uses.
  return { n_envs: rows, seed_list: Array.from({ length: rows + 1 }, (_, i) => seeds[i % seeds.length]!) };
}

/**
 * The keys that make VAGEN draw seeds as a text says, but with random numbers of its own; null where the text is not one draw.
 * @param rows how many levels the entry has, if not as many as the text says
 */
export function drawnSeedKeys(text: string, rows?: number): SeedKeys | null {
  const [, random, base = "0"] = RANDOM.exec(text.trim()) ?? [];
  if (random !== undefined) return { n_envs: rows ?? Number(random), seed: [Number(base)] };
  const [, count, first, last, times = "1", repeated] = DRAW.exec(text.trim()) ?? [];
  if (count === undefined) return null;
  const most = Math.max(Number(times), Math.ceil((rows ?? 0) / (Number(last) - Number(first) + 1)));
  const limit = repeated === undefined ? [most] : [];
  return { n_envs: rows ?? Number(count), seed: [Number(first), Number(last), ...limit] };
}
