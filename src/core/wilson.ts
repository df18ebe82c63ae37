// A confidence interval for a success rate.

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
