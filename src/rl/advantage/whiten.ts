// Whitening of advantages over the policy's tokens of a whole batch.

/** Moments of the masked elements; all 0 when there are none. */
interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Unbiased: divided by count − 1, or by 1 for a single element. */
  readonly variance: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
}

/** Twin of shaders/stats_axis.wgsl. */
export function maskedMoments(x: ArrayLike<number>, mask: ArrayLike<number>): Moments {
  const inside = Array.from(x).filter((_, i) => mask[i]);
  const count = inside.length;
  if (count === 0) return { count: 0, mean: 0, variance: 0, min: 0, max: 0, sum: 0 };
  const sum = inside.reduce((a, b) => a + b, 0);
  const mean = sum / count;
  const squares = inside.reduce((s, value) => s + (value - mean) ** 2, 0);
  const min = inside.reduce((a, b) => Math.min(a, b));
  const max = inside.reduce((a, b) => Math.max(a, b));
  return { count, mean, variance: squares / Math.max(count - 1, 1), min, max, sum };
}

/**
 * (x − mean) / √(variance + 1e-8) inside the mask, 0 outside; the moments are those of the tokens in `over`, a part of the mask.
 * Twin of shaders/whiten_apply.wgsl.
 */
export function whiten(
  x: ArrayLike<number>,
  mask: ArrayLike<number>,
  over: ArrayLike<number> = mask,
): Float64Array {
  const { mean, variance } = maskedMoments(x, over);
  return Float64Array.from(x, (value, i) => (mask[i] ? (value - mean) / Math.sqrt(variance + 1e-8) : 0));
}
