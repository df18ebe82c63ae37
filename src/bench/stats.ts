// Medians: on a shared machine, other processes distort a mean.
import { quantile } from "../core/quantile.ts";

interface Spread {
  median: number;
  /** First and third quartile. */
  low: number;
  high: number;
  count: number;
}

export function spread(values: readonly number[]): Spread {
  return {
    median: quantile(values, 0.5),
    low: quantile(values, 0.25),
    high: quantile(values, 0.75),
    count: values.length,
  };
}

/** Median of the ratios of measurements that were taken side by side: a slow minute slows both. */
export function pairedRatio(slow: readonly number[], fast: readonly number[]): number {
  return spread(slow.slice(0, fast.length).map((x, i) => x / (fast[i] as number))).median;
}
