// Statistics that stay on the GPU until one small read-back per update.
import statsAxis from "#shaders/stats_axis.wgsl?raw";
import statsSum from "#shaders/stats_sum.wgsl?raw";
import { rowKernel } from "./rows.ts";

/** totals (COLS) += column sums of stats (R, COLS). Clear `totals` when a new sum begins. */
export const sumStats = rowKernel({
  label: "stats_sum",
  code: [statsSum],
  uniforms: { r: "u32" },
  bindings: { stats: "read", totals: "read_write" },
  constants: { COLS: 8 },
  rows: (_, { COLS }) => COLS,
});

/** Floats of the moments of `axisStats`, the last two of which are 0. */
export const MOMENTS_LENGTH = 8;

/** Places in the moments of `axisStats`; all 0 when nothing is inside the mask. The variance is unbiased. */
export const MOMENTS = { count: 0, mean: 1, variance: 2, min: 3, max: 4, sum: 5 } as const;

/**
 * Moments (8) of x (n) over mask (n, f32 0 or 1). The explained variance needs two: that of the returns and that of the
 * advantages before whitening, which are returns − values.
 */
export const axisStats = rowKernel({
  label: "stats_axis",
  code: [statsAxis],
  uniforms: { n: "u32" },
  bindings: { x: "read", mask: "read", moments: "read_write" },
  rows: () => 1,
});
