// Deterministic inputs of the cases, and the comparison of a kernel's numbers with its twin's.

/** Numbers that are roughly normal with the given scale (no random numbers of the product are used on purpose). */
export function noise(length: number, seed = 1, scale = 1): Float32Array<ArrayBuffer> {
  const out = new Float32Array(length);
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let i = 0; i < length; i++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += (state >>> 0) / 2 ** 32 - 0.5;
    }
    out[i] = sum * Math.sqrt(3) * scale;
  }
  return out;
}

export interface Tolerance {
  /** Relative to the wanted number. */
  readonly rtol: number;
  readonly atol: number;
}

/** The element with the largest error in units of its tolerance. */
interface WorstElement {
  readonly index: number;
  /** |got − want|; infinite if what was computed is not finite, or is missing. */
  readonly error: number;
  /** The error over atol + rtol·|want|: up to 1 is within tolerance. */
  readonly excess: number;
}

/** Compares element by element. Equal infinities are equal; without elements there is no error. */
export function worstElement(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  { rtol, atol }: Tolerance,
): WorstElement {
  let worst: WorstElement = { index: 0, error: 0, excess: 0 };
  for (let i = 0; i < want.length; i++) {
    const [g, w] = [got[i] as number, want[i] as number];
    if (Object.is(g, w)) continue;
    const difference = Math.abs(g - w);
    const error = Number.isFinite(difference) ? difference : Number.POSITIVE_INFINITY;
    const excess = error === 0 ? 0 : error / (atol + rtol * Math.abs(w));
    if (excess > worst.excess) worst = { index: i, error, excess };
  }
  return worst;
}
