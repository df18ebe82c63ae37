// Smoothing on the full data, before any decimation, so that zooming or resizing never changes a smoothed value.

import type { Numbers } from "../store/series.ts";

/** Up to three points there is nothing to smooth. */
export const isSmoothed = (points: number, factor: number): boolean => factor > 0 && points > 3;

/**
 * Exponential moving average with bias correction: Σ f^(xᵢ−xⱼ)·yⱼ / Σ f^(xᵢ−xⱼ) over j ≤ i. Weights go by distance in
 * x, so uneven logging is handled, and only the past counts, so more data never changes an earlier value.
 * Up to three points, or `factor` 0, pass through unchanged. Non-finite values stay where they are and weigh nothing.
 */
export function smooth(xs: Float64Array, ys: Numbers, factor: number): Float64Array {
  if (!isSmoothed(ys.length, factor)) return Float64Array.from(ys);
  const out = new Float64Array(ys.length);
  let sum = 0;
  let weight = 0;
  let previousX = 0;
  for (let i = 0; i < ys.length; i++) {
    const y = ys[i]!;
    if (!Number.isFinite(y)) {
      out[i] = y;
      continue;
    }
    const decay = weight === 0 ? 0 : factor ** (xs[i]! - previousX);
    // The mean is updated by a step towards y: a constant series stays exactly constant, which sum/weight does not.
    weight = weight * decay + 1;
    sum += (y - sum) / weight;
    previousX = xs[i]!;
    out[i] = sum;
  }
  return out;
}
