// Sums that many places need.

/** Arithmetic mean; NaN of nothing. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean squared distance from the mean: divides by the count (ddof 0), as VAGEN's filters do. */
export function populationVariance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}

/** How many positions of a mask of zeros and ones are set. */
export const countMarked = (mask: Uint8Array): number => mask.reduce((sum, mark) => sum + mark, 0);

/** The `q` quantile of unsorted values, interpolated between the two nearest ranks; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.959963984540054;

/**
 * Wilson's 95 % score interval for `successes` out of `trials` (E. B. Wilson, 1927). It stays inside [0, 1] and is honest
 * for small samples and extreme rates. Without trials nothing is known: [0, 1].
 */
export function wilsonInterval(successes: number, trials: number): readonly [low: number, high: number] {
  if (trials <= 0) return [0, 1];
  const z = Z95;
  const rate = successes / trials;
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  const center = rate + (z * z) / (2 * trials);
  return [Math.max(0, (center - spread) / scale), Math.min(1, (center + spread) / scale)];
}
