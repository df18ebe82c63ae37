// LayerNorm: normalises each row to mean 0 and variance 1. Each kernel exists per row and per workgroup.

import backward from "#shaders/layernorm_backward.wgsl?raw";
import backwardGroup from "#shaders/layernorm_backward_group.wgsl?raw";
import backwardWeight from "#shaders/layernorm_backward_weight.wgsl?raw";
import backwardWeightGroup from "#shaders/layernorm_backward_weight_group.wgsl?raw";
import forward from "#shaders/layernorm_forward.wgsl?raw";
import forwardGroup from "#shaders/layernorm_forward_group.wgsl?raw";
import reduce from "#shaders/lib/reduce.wgsl?raw";
import reduceColumns from "#shaders/lib/reduce_columns.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { byAdapter } from "./variant.ts";

const forwardFields = {
  uniforms: { n: "u32", c: "u32", eps: "f32" },
  bindings: {
    inp: "read",
    weight: "read",
    bias: "read",
    out: "read_write",
    mean: "read_write",
    rstd: "read_write",
  },
} as const;

/** out (N, C) = (inp − mean) · rstd · weight + bias, and mean, rstd (N); one invocation per row. */
export const layernormForwardRows = defineKernel({
  label: "layernorm_forward",
  code: [forward],
  ...forwardFields,
  grid: ({ n }) => grid1d(n, 64),
});

/** As `layernormForwardRows`, one workgroup per row. */
export const layernormForwardGroup = defineKernel({
  label: "layernorm_forward_group",
  code: [forwardGroup, reduce],
  ...forwardFields,
  grid: ({ n }) => grid1d(n, 1),
});

const backwardFields = {
  uniforms: { n: "u32", c: "u32" },
  bindings: {
    inp: "read",
    weight: "read",
    mean: "read",
    rstd: "read",
    dout: "read",
    dinp: "read_write",
  },
  constants: { ACCUMULATE: 1 },
} as const;

/** dinp (N, C) += gradient of the input (ACCUMULATE 0 overwrites); one invocation per row. */
export const layernormBackwardRows = defineKernel({
  label: "layernorm_backward",
  code: [backward],
  ...backwardFields,
  grid: ({ n }) => grid1d(n, 64),
});

/** As `layernormBackwardRows`, one workgroup per row. */
export const layernormBackwardGroup = defineKernel({
  label: "layernorm_backward_group",
  code: [backwardGroup, reduce],
  ...backwardFields,
  grid: ({ n }) => grid1d(n, 1),
});

const weightFields = {
  uniforms: { n: "u32", c: "u32" },
  bindings: {
    inp: "read",
    mean: "read",
    rstd: "read",
    dout: "read",
    dweight: "read_write",
    dbias: "read_write",
  },
} as const;

/** dweight (C) += Σ over rows of dout · x̂, dbias (C) += Σ over rows of dout; one invocation per four columns. */
export const layernormBackwardWeightRows = defineKernel({
  label: "layernorm_backward_weight",
  code: [backwardWeight],
  ...weightFields,
  grid: ({ c }) => grid1d(c / 4, 8),
});

/** As `layernormBackwardWeightRows`, one workgroup per sixteen columns. */
export const layernormBackwardWeightGroup = defineKernel({
  label: "layernorm_backward_weight_group",
  code: [backwardWeightGroup, reduceColumns],
  ...weightFields,
  grid: ({ c }) => [Math.ceil(c / 16)],
});

export const layernormForward = byAdapter(layernormForwardRows, layernormForwardGroup);
export const layernormBackward = byAdapter(layernormBackwardRows, layernormBackwardGroup);
export const layernormBackwardWeight = byAdapter(layernormBackwardWeightRows, layernormBackwardWeightGroup);
