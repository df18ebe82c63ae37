// The numbers of a record's tokens as short JSON: floats where a mask has them, integers as runs.

/** What a number keeps: more than any display shows, and enough to compute advantages again within 1e-3. */
const [DIGITS, DECIMALS] = [5, 6];

/** A number with five significant digits, and at most six decimals. */
export const rounded = (x: number): number => Number(Number(x.toPrecision(DIGITS)).toFixed(DECIMALS));

/** Floats of some tokens: those that `at` marks, in order. All others are 0. */
export interface SparseFloats {
  at: FloatPlaces;
  values: readonly number[];
}

/** The masks that a record has anyway, the fewest tokens first; `all` marks every token. */
export const FLOAT_PLACES = ["turnEndMask", "responseMask", "all"] as const;
type FloatPlaces = (typeof FLOAT_PLACES)[number];

/** The masks by name. */
type Masks = Readonly<Record<Exclude<FloatPlaces, "all">, Uint8Array>>;

const isMarked = (masks: Masks, at: FloatPlaces, t: number): boolean => at === "all" || masks[at][t] === 1;

/** The number of tokens that `at` marks, of `length`. */
export const markedBy = (masks: Masks, at: FloatPlaces, length: number): number =>
  at === "all" ? length : masks[at].reduce((sum, mark) => sum + mark, 0);

/** Floats at the first of the masks that covers everything that is not 0. */
export function sparse(floats: Float32Array, masks: Masks): SparseFloats {
  const covers = (at: FloatPlaces) => floats.every((x, t) => x === 0 || isMarked(masks, at, t));
  const at = FLOAT_PLACES.find(covers) ?? "all";
  return {
    at,
    values: Array.from(
      floats.filter((_, t) => isMarked(masks, at, t)),
      rounded,
    ),
  };
}

/** Inverse of `sparse`; `length` is that of the record. */
export function dense({ at, values }: SparseFloats, masks: Masks, length: number): Float32Array {
  let next = 0;
  return Float32Array.from({ length }, (_, t) => (isMarked(masks, at, t) ? (values[next++] ?? 0) : 0));
}

/** Integers as value and count, value and count, … */
export function runs(integers: ArrayLike<number>): number[] {
  const found: number[] = [];
  for (let t = 0; t < integers.length; t++) {
    if (found.length > 0 && found[found.length - 2] === integers[t]) found[found.length - 1]!++;
    else found.push(integers[t]!, 1);
  }
  return found;
}

/** How many integers the runs stand for. */
export const runLength = (found: readonly number[]): number =>
  found.reduce((sum, x, i) => sum + (i % 2 ? x : 0), 0);

/** Inverse of `runs`. */
export function fromRuns(found: readonly number[]): number[] {
  const integers: number[] = [];
  for (let i = 0; i < found.length; i += 2) for (let n = found[i + 1]!; n > 0; n--) integers.push(found[i]!);
  return integers;
}
