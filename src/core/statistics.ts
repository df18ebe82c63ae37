// Sums that many places need.

/** Arithmetic mean; NaN of nothing. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean squared distance from the mean: divides by the count (ddof 0), as VAGEN's filters do. */
export function populationVariance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}

/** Sum of squared distances from the mean over the count less one: the unbiased variance. */
export function variance(values: readonly number[]): number {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}

/** How many positions of a mask of zeros and ones are set. */
export const countMarked = (mask: Uint8Array): number => mask.reduce((sum, mark) => sum + mark, 0);
