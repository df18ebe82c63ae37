// 95 % confidence intervals of a mean: the mean ± the half-width.
import { mean, variance } from "./statistics.ts";

/** Two-sided 95 % quantiles of Student's t distribution for 1 … 30 degrees of freedom (any statistical table). */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** The quantile of the normal distribution, which t approaches from above. */
const Z95 = 1.96;

const standardError = (values: readonly number[]): number => Math.sqrt(variance(values) / values.length);

/** Half-width of the 95 % interval of the mean of many values, by the normal distribution; NaN for fewer than two. */
export const normalHalfWidth95 = (values: readonly number[]): number => Z95 * standardError(values);

/** "0.812 ± 0.024": the mean of many values, and the half-width of its 95 % interval. */
export const meanWithHalfWidth = (values: readonly number[]): string =>
  `${mean(values).toFixed(3)} ± ${normalHalfWidth95(values).toFixed(3)}`;

/**
 * Mean of one value per run, and the half-width of its 95 % interval by Student's t; null for a single run. The variation is that
 * between seeds, not between levels.
 */
export function meanOverRuns(values: readonly number[]): { mean: number; halfWidth: number | null } {
  const n = values.length;
  const halfWidth = n < 2 ? null : (T95[n - 2] ?? Z95) * standardError(values);
  return { mean: mean(values), halfWidth };
}
