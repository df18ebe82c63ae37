/** Twin of lib/kl.wgsl: an estimate of KL(π ‖ ref) from one sampled token, d = log π − log ref (Schulman 2020). */
export function klEstimateRef(kind: 1 | 2 | 3, d: number): { estimate: number; derivative: number } {
  if (kind === 1) return { estimate: d, derivative: 1 };
  if (kind === 2) return { estimate: 0.5 * d * d, derivative: d };
  const e = Math.exp(Math.min(Math.max(-d, -20), 20));
  const estimate = e + d - 1;
  return estimate > 10 ? { estimate: 10, derivative: 0 } : { estimate, derivative: 1 - e };
}
