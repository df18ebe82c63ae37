// Linear layers in the three transposes. Which shader and tile runs is chosen by the adapter.

import tileProduct from "#shaders/lib/tile_product.wgsl?raw";
import backwardInput from "#shaders/linear_backward_input.wgsl?raw";
import backwardInputLarge from "#shaders/linear_backward_input_large.wgsl?raw";
import backwardInputStaged from "#shaders/linear_backward_input_staged.wgsl?raw";
import backwardWeight from "#shaders/linear_backward_weight.wgsl?raw";
import backwardWeightLarge from "#shaders/linear_backward_weight_large.wgsl?raw";
import backwardWeightStaged from "#shaders/linear_backward_weight_staged.wgsl?raw";
import forward from "#shaders/linear_forward.wgsl?raw";
import forwardLarge from "#shaders/linear_forward_large.wgsl?raw";
import forwardStaged from "#shaders/linear_forward_staged.wgsl?raw";
import { defineKernel } from "../kernel.ts";

const forwardBindings = {
  inp: "read",
  weight: "read",
  bias: "read",
  residual: "read",
  out: "read_write",
} as const;

/** out (M, N) = inp (M, K) · weight (K, N) (+ bias) (+ residual); register tiles, any adapter. */
export const linearForwardDirect = defineKernel({
  label: "linear_forward",
  code: [forward],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: forwardBindings,
  constants: { ROWS: 8, COLS: 2, HAS_BIAS: 0, HAS_RESIDUAL: 0 },
  grid: ({ m, n }, { ROWS, COLS }) => [Math.ceil(n / 4 / COLS / 8), Math.ceil(m / ROWS / 8)],
});

/** As `linearForwardDirect`, with tiles staged in workgroup memory: for real GPUs. */
export const linearForwardStaged = defineKernel({
  label: "linear_forward_staged",
  code: [forwardStaged, tileProduct],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: forwardBindings,
  constants: { HAS_BIAS: 0, HAS_RESIDUAL: 0 },
  grid: ({ m, n }) => [Math.ceil(n / 64), Math.ceil(m / 64)],
});

/** As `linearForwardStaged`, with tiles of 128 × 64 and the same bits. */
export const linearForwardLarge = defineKernel({
  label: "linear_forward_large",
  code: [forwardLarge, tileProduct],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: forwardBindings,
  constants: { HAS_BIAS: 0, HAS_RESIDUAL: 0 },
  grid: ({ m, n }) => [Math.ceil(n / 64), Math.ceil(m / 128)],
});

/** dinp (M, K) = dout (M, N) · weight (K, N)ᵀ, overwriting or adding (ACCUMULATE). */
export const linearBackwardInputDirect = defineKernel({
  label: "linear_backward_input",
  code: [backwardInput],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: { dout: "read", weight: "read", dinp: "read_write" },
  constants: { ROWS: 8, COLS: 2, ACCUMULATE: 0 },
  grid: ({ m, k }, { ROWS, COLS }) => [Math.ceil(k / 4 / COLS / 8), Math.ceil(m / ROWS / 8)],
});

/** As `linearBackwardInputDirect`, with tiles of 64 × 64 staged in workgroup memory: for real GPUs. */
export const linearBackwardInputStaged = defineKernel({
  label: "linear_backward_input_staged",
  code: [backwardInputStaged, tileProduct],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: { dout: "read", weight: "read", dinp: "read_write" },
  constants: { ACCUMULATE: 0 },
  grid: ({ m, k }) => [Math.ceil(k / 64), Math.ceil(m / 64)],
});

/** As `linearBackwardInputStaged`, with tiles of 128 × 64 and the same bits. */
export const linearBackwardInputLarge = defineKernel({
  label: "linear_backward_input_large",
  code: [backwardInputLarge, tileProduct],
  uniforms: { m: "u32", k: "u32", n: "u32" },
  bindings: { dout: "read", weight: "read", dinp: "read_write" },
  constants: { ACCUMULATE: 0 },
  grid: ({ m, k }) => [Math.ceil(k / 64), Math.ceil(m / 128)],
});

/** dweight (K, N) += inp (M, K)ᵀ · dout (M, N); with `splits` > 1 and ACCUMULATE 0 one partial product per split. */
export const linearBackwardWeightDirect = defineKernel({
  label: "linear_backward_weight",
  code: [backwardWeight],
  uniforms: { m: "u32", k: "u32", n: "u32", splits: "u32" },
  bindings: { inp: "read", dout: "read", dweight: "read_write" },
  constants: { ROWS: 2, COLS: 2, ACCUMULATE: 1 },
  grid: ({ k, n, splits }, { ROWS, COLS }) => [
    Math.ceil(n / 4 / COLS / 8),
    Math.ceil(k / 4 / ROWS / 8),
    splits,
  ],
});

/** As `linearBackwardWeightDirect`, with tiles of 64 × 64 staged in workgroup memory: for real GPUs. */
export const linearBackwardWeightStaged = defineKernel({
  label: "linear_backward_weight_staged",
  code: [backwardWeightStaged],
  uniforms: { m: "u32", k: "u32", n: "u32", splits: "u32" },
  bindings: { inp: "read", dout: "read", dweight: "read_write" },
  constants: { ACCUMULATE: 1 },
  grid: ({ k, n, splits }) => [Math.ceil(n / 64), Math.ceil(k / 64), splits],
});

/** As `linearBackwardWeightStaged`, with tiles of 128 × 64 and the same bits. */
export const linearBackwardWeightLarge = defineKernel({
  label: "linear_backward_weight_large",
  code: [backwardWeightLarge],
  uniforms: { m: "u32", k: "u32", n: "u32", splits: "u32" },
  bindings: { inp: "read", dout: "read", dweight: "read_write" },
  constants: { ACCUMULATE: 1 },
  grid: ({ k, n, splits }) => [Math.ceil(n / 64), Math.ceil(k / 128), splits],
});
