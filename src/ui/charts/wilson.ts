// How sure a success rate is.

/** 95 % Wilson score interval of a rate. Unlike ±1.96σ it stays inside [0, 1] and is honest at 0 and 1. */
export function wilson(successes: number, n: number, z = 1.959964): readonly [low: number, high: number] {
  if (n <= 0) return [0, 1];
  const p = successes / n;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
