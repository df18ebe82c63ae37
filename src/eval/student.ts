// A confidence interval for the mean of a few runs: the variation between seeds, not between levels.
import { mean, variance } from "../core/statistics.ts";

/** Two-sided 95 % quantiles of Student's t distribution for 1 … 30 degrees of freedom (any statistical table). */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** The quantile of the normal distribution, which t approaches from above. */
const Z95 = 1.96;

/** Mean of one value per run, and the half-width of its 95 % interval; null for a single run. */
export function meanOverRuns(values: readonly number[]): { mean: number; halfWidth: number | null } {
  const n = values.length;
  const halfWidth = n < 2 ? null : (T95[n - 2] ?? Z95) * Math.sqrt(variance(values) / n);
  return { mean: mean(values), halfWidth };
}
