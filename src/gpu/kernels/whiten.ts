// Whitening of advantages over the policy's tokens of a whole batch: moments first, then every token.
import whitenApplyCode from "#shaders/whiten_apply.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/**
 * x (n) = (x − mean) / √(variance + 1e-8) inside mask, 0 outside, with the moments (8) of `axisStats`; without any or with one
 * token inside, all 0.
 */
export const whitenApply = defineKernel({
  label: "whiten_apply",
  code: [whitenApplyCode],
  uniforms: { n: "u32" },
  bindings: { x: "read_write", mask: "read", moments: "read" },
  grid: ({ n }) => grid1d(n, 64),
});
