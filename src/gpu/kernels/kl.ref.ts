import type { KL_KIND } from "./ppo-loss.ts";

/** Values of the constants KL and KIND that estimate from one token. */
export type SampledKlKind = Exclude<(typeof KL_KIND)[keyof typeof KL_KIND], 0 | 4>;

/**
 * Twin of lib/kl.wgsl: an estimate of KL(π ‖ ref) from one sampled token, d = log π − log ref (Schulman 2020). The derivative is
 * the estimate's own, except with k1+ and k3+, which have that of k2.
 */
export function klEstimateRef(kind: SampledKlKind, d: number): { estimate: number; derivative: number } {
  if (kind === 5) return { estimate: Math.abs(d), derivative: Math.sign(d) };
  if (kind === 6) return { estimate: d, derivative: d };
  if (kind === 7) return { ...klEstimateRef(3, d), derivative: d };
  if (kind === 1) return { estimate: d, derivative: 1 };
  if (kind === 2) return { estimate: 0.5 * d * d, derivative: d };
  const e = Math.exp(Math.min(Math.max(-d, -20), 20));
  const estimate = e + d - 1;
  return estimate > 10 ? { estimate: 10, derivative: 0 } : { estimate, derivative: 1 - e };
}
