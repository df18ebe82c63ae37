// Sums over rows: gradients of biases.
import columns from "#shaders/column_sum.wgsl?raw";
import columnsGroup from "#shaders/column_sum_group.wgsl?raw";
import reduceColumns from "#shaders/lib/reduce_columns.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { byAdapter } from "./variant.ts";

const fields = {
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", out: "read_write" },
} as const;

/** out (C) += Σ over rows of inp (N, C); one invocation per four columns. */
export const columnSumRows = defineKernel({
  label: "column_sum",
  code: [columns],
  ...fields,
  grid: ({ c }) => grid1d(c / 4, 8),
});

/** As `columnSumRows`, one workgroup per sixteen columns. */
export const columnSumGroup = defineKernel({
  label: "column_sum_group",
  code: [columnsGroup, reduceColumns],
  ...fields,
  grid: ({ c }) => [Math.ceil(c / 16)],
});

export const columnSum = byAdapter(columnSumRows, columnSumGroup);
