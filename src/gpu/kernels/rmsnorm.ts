// RMSNorm: normalises each row by its root mean square. Each kernel exists per row and per workgroup.

import reduce from "#shaders/lib/reduce.wgsl?raw";
import reduceColumns from "#shaders/lib/reduce_columns.wgsl?raw";
import backward from "#shaders/rmsnorm_backward.wgsl?raw";
import backwardGroup from "#shaders/rmsnorm_backward_group.wgsl?raw";
import backwardWeight from "#shaders/rmsnorm_backward_weight.wgsl?raw";
import backwardWeightGroup from "#shaders/rmsnorm_backward_weight_group.wgsl?raw";
import forward from "#shaders/rmsnorm_forward.wgsl?raw";
import forwardGroup from "#shaders/rmsnorm_forward_group.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { byAdapter } from "./variant.ts";

const forwardFields = {
  uniforms: { n: "u32", c: "u32", eps: "f32" },
  bindings: { inp: "read", weight: "read", out: "read_write", rstd: "read_write" },
} as const;

/** out (N, C) = inp · rstd · weight, and rstd (N); one invocation per row. */
export const rmsnormForwardRows = defineKernel({
  label: "rmsnorm_forward",
  code: [forward],
  ...forwardFields,
  grid: ({ n }) => grid1d(n, 64),
});

/** As `rmsnormForwardRows`, one workgroup per row. */
export const rmsnormForwardGroup = defineKernel({
  label: "rmsnorm_forward_group",
  code: [forwardGroup, reduce],
  ...forwardFields,
  grid: ({ n }) => grid1d(n, 1),
});

const backwardFields = {
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", weight: "read", rstd: "read", dout: "read", dinp: "read_write" },
  constants: { ACCUMULATE: 1 },
} as const;

/** dinp (N, C) += gradient of the input (ACCUMULATE 0 overwrites); one invocation per row. */
export const rmsnormBackwardRows = defineKernel({
  label: "rmsnorm_backward",
  code: [backward],
  ...backwardFields,
  grid: ({ n }) => grid1d(n, 64),
});

/** As `rmsnormBackwardRows`, one workgroup per row. */
export const rmsnormBackwardGroup = defineKernel({
  label: "rmsnorm_backward_group",
  code: [backwardGroup, reduce],
  ...backwardFields,
  grid: ({ n }) => grid1d(n, 1),
});

const weightFields = {
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", rstd: "read", dout: "read", dweight: "read_write" },
} as const;

/** dweight (C) += Σ over rows of dout · inp · rstd; one invocation per four columns. */
export const rmsnormBackwardWeightRows = defineKernel({
  label: "rmsnorm_backward_weight",
  code: [backwardWeight],
  ...weightFields,
  grid: ({ c }) => grid1d(c / 4, 8),
});

/** As `rmsnormBackwardWeightRows`, one workgroup per sixteen columns. */
export const rmsnormBackwardWeightGroup = defineKernel({
  label: "rmsnorm_backward_weight_group",
  code: [backwardWeightGroup, reduceColumns],
  ...weightFields,
  grid: ({ c }) => [Math.ceil(c / 16)],
});

export const rmsnormForward = byAdapter(rmsnormForwardRows, rmsnormForwardGroup);
export const rmsnormBackward = byAdapter(rmsnormBackwardRows, rmsnormBackwardGroup);
export const rmsnormBackwardWeight = byAdapter(rmsnormBackwardWeightRows, rmsnormBackwardWeightGroup);
