// Medians: on a shared machine a mean says more about the neighbours than about the code.

interface Spread {
  median: number;
  /** First and third quartile. */
  low: number;
  high: number;
  count: number;
}

/** Linear interpolation between the two nearest ranks. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    count: sorted.length,
  };
}

/** Median of the ratios of measurements that were taken side by side: a slow minute slows both. */
export function pairedRatio(slow: readonly number[], fast: readonly number[]): number {
  return spread(slow.slice(0, fast.length).map((x, i) => x / (fast[i] as number))).median;
}
