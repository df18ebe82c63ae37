// Sums over rows: gradients of biases.
import columnSumCode from "#shaders/column_sum.wgsl?raw";
import { columnKernel } from "./columns.ts";

/** out (C) += Σ over rows of inp (N, C). */
export const columnSum = columnKernel({
  label: "column_sum",
  code: [columnSumCode],
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", out: "read_write" },
});
