// Which levels a set of seeds has: ranges, lists, and draws from a range as VAGEN-Lite's data sets make them.
import { keepLast } from "../core/keep-last.ts";
import { type Rng, rng } from "../core/rng.ts";

/** The most levels of a set. */
const MOST = 100_000;
/** The largest seed of a level. */
export const LARGEST_SEED = 2 ** 31 - 1;

/** What a text of seeds looks like; for help and errors. */
export const SEEDS_SYNTAX =
  "seeds and ranges such as 1-10000 or 3, 7, 20-29; draws such as 50 of 0-15 up to 4x, 5000 of 0-4999 repeated, or 256 random from 7";

const RANGE = /^(\d+)(?:\s*-\s*(\d+))?$/;
/** The parts that are draws, as text without blanks around it. */
export const DRAW = /^(\d+) of (\d+)\s*-\s*(\d+)(?: (?:up to (\d+)x|(repeated)))?$/;
export const RANDOM = /^(\d+) random(?: from (\d+))?$/;

/** The seeds of a text, in the order in which they are played; or what is wrong with it. Draws depend on nothing but the text. */
export function readSeeds(text: string): { seeds: readonly number[] } | { problem: string } {
  const read = readParts(text);
  return "problem" in read ? read : { seeds: read.parts.flatMap((part) => part.seeds()) };
}

/** How many seeds a text has, or what is wrong with it. It makes none of them, so a form can check at every key. */
export function countSeeds(text: string): { count: number } | { problem: string } {
  const read = readParts(text);
  return "problem" in read ? read : { count: read.count };
}

/** Forms and warnings ask for the seeds of the same few texts at every change. A text may have 100,000 seeds. */
const recall = keepLast<readonly number[]>(8);

/** The seeds of a checked text. */
export const seedsOf = (text: string): readonly number[] =>
  recall(text, () => {
    const read = readSeeds(text);
    return "seeds" in read ? read.seeds : [];
  });

interface Part {
  count: number;
  seeds: () => readonly number[];
}

function readParts(text: string): { parts: readonly Part[]; count: number } | { problem: string } {
  const parts: Part[] = [];
  let count = 0;
  for (const piece of text.split(",")) {
    const part = readPart(piece.trim());
    if (part === null) return { problem: unreadable(piece.trim(), text.trim()) };
    if (typeof part === "string") return { problem: part };
    count += part.count;
    if (count > MOST) return { problem: `it has more than ${MOST} seeds` };
    parts.push(part);
  }
  return { parts, count };
}

/** What is wrong with a text of which one part is neither seeds nor a draw. Errors quote the whole text themselves. */
const unreadable = (part: string, text: string): string =>
  `${part === text ? "it" : `"${part}"`} names no seeds. Write ${SEEDS_SYNTAX}`;

/** One part of a text, or what is wrong with it; null if it is neither seeds nor a draw. */
function readPart(part: string): Part | string | null {
  const [, first, last] = RANGE.exec(part) ?? [];
  if (first !== undefined) return range(Number(first), Number(last ?? first));
  const [, drawn, low, high, times, repeated] = DRAW.exec(part) ?? [];
  if (drawn !== undefined)
    return draw(Number(drawn), Number(low), Number(high), repeated ? Infinity : Number(times ?? 1), part);
  const [, count, base = "0"] = RANDOM.exec(part) ?? [];
  if (count === undefined) return null;
  return { count: Number(count), seeds: () => drawRandom(Number(count), Number(base)) };
}

function range(first: number, last: number): Part | string {
  const wrong = wrongRange(first, last);
  return wrong ?? { count: last - first + 1, seeds: () => consecutive(first, last - first + 1) };
}

/** `count` seeds of a range, each at most `times` times, in random order. */
function draw(count: number, first: number, last: number, times: number, key: string): Part | string {
  const wrong = wrongRange(first, last);
  if (wrong) return wrong;
  const available = (last - first + 1) * times;
  if (count > available)
    return `${count} seeds are more than the ${available} that ${first}-${last} can give`;
  const random = rng(0).fork("seeds").fork(key);
  if (times === Infinity)
    return {
      count,
      seeds: () => Array.from({ length: count }, () => first + random.int(last - first + 1)),
    };
  if (available > 10 * MOST) return `the range ${first}-${last} is too long to draw from without repeats`;
  return { count, seeds: () => drawWithout(count, first, last, times, random) };
}

/** The beginning of a shuffle of all seeds, each of them `times` times. */
function drawWithout(count: number, first: number, last: number, times: number, random: Rng): number[] {
  const pool = Array.from({ length: times }, () => consecutive(first, last - first + 1)).flat();
  return random.shuffle(pool).slice(0, count);
}

function drawRandom(count: number, base: number): number[] {
  const random = rng(base).fork("seeds").fork("random");
  return Array.from({ length: count }, () => random.int(LARGEST_SEED));
}

function wrongRange(first: number, last: number): string | undefined {
  if (first > last) return `${first}-${last} ends before it begins`;
  return last > LARGEST_SEED ? `${last} is above ${LARGEST_SEED}, the largest seed` : undefined;
}

/** Seeds from a first one on. */
export const consecutive = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);
