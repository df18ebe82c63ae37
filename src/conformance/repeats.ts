// Whether several runs of a kernel on the same input give the same bits. A data race can leave every number within its
// tolerance, but seldom twice the same numbers.

/** What one run leaves in each binding that the kernel writes. */
type Outputs = Readonly<Record<string, Float32Array>>;

/** The element that differs most between two runs. */
export interface Instability {
  readonly binding: string;
  readonly index: number;
  /** Its number in the first run and in a later one. */
  readonly first: number;
  readonly later: number;
  /** |first − later|; infinite if either is not finite, 0 for zeros of different signs. */
  readonly difference: number;
}

/**
 * Compares the bits of all runs with those of the first.
 * @param integers names the bindings that hold u32
 * @returns null if all bits are equal.
 */
export function instabilityOf(
  [first, ...later]: readonly Outputs[],
  integers: ReadonlySet<string>,
): Instability | null {
  const found = later.flatMap((run) =>
    Object.entries(first ?? {}).flatMap(([binding, floats]) => {
      const worst = worstOf(floats, run[binding] as Float32Array, integers.has(binding));
      return worst ? [{ binding, ...worst }] : [];
    }),
  );
  return found.length > 0 ? found.reduce((a, b) => (b.difference > a.difference ? b : a)) : null;
}

const wordsOf = ({ buffer, byteOffset, length }: Float32Array) => new Uint32Array(buffer, byteOffset, length);

/** The element of two runs with different bits that differs most. */
function worstOf(
  first: Float32Array,
  later: Float32Array,
  isInteger: boolean,
): Omit<Instability, "binding"> | null {
  const [firstWords, laterWords] = [wordsOf(first), wordsOf(later)];
  const [firsts, laters] = isInteger ? [firstWords, laterWords] : [first, later];
  let worst: Omit<Instability, "binding"> | null = null;
  for (let i = 0; i < firstWords.length; i++) {
    if (firstWords[i] === laterWords[i]) continue;
    const [a, b] = [firsts[i] as number, laters[i] as number];
    const difference = Number.isFinite(a - b) ? Math.abs(a - b) : Number.POSITIVE_INFINITY;
    if (!worst || difference > worst.difference) worst = { index: i, first: a, later: b, difference };
  }
  return worst;
}
