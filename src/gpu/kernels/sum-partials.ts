// Second stage of sums that were computed in parts.
import sum from "#shaders/sum_partials.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/**
 * out (length) += Σ over splits of partials (splits, length), in the order of the splits. With few splits of many elements
 * one kernel is right for every adapter; AHEAD comes from `readsAhead`.
 */
export const sumPartials = defineKernel({
  label: "sum_partials",
  code: [sum],
  uniforms: { splits: "u32", length: "u32" },
  bindings: { partials: "read", out: "read_write" },
  constants: { AHEAD: 1 },
  grid: ({ length }) => grid1d(length / 4, 64),
});
