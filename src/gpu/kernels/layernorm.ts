// LayerNorm: normalises each row to mean 0 and variance 1.
import backward from "#shaders/layernorm_backward.wgsl?raw";
import backwardWeight from "#shaders/layernorm_backward_weight.wgsl?raw";
import forward from "#shaders/layernorm_forward.wgsl?raw";
import { columnKernel } from "./columns.ts";
import { NARROW_ROWS, rowKernel } from "./rows.ts";

/** out (N, C) = (inp − mean) · rstd · weight + bias, and mean, rstd (N). */
export const layernormForward = rowKernel({
  label: "layernorm_forward",
  code: [forward],
  uniforms: { n: "u32", c: "u32", eps: "f32" },
  bindings: {
    inp: "read",
    weight: "read",
    bias: "read",
    out: "read_write",
    mean: "read_write",
    rstd: "read_write",
  },
  rows: ({ n }) => n,
  blocks: NARROW_ROWS,
});

/** dinp (N, C) += gradient of the input; ACCUMULATE 0 overwrites. */
export const layernormBackward = rowKernel({
  label: "layernorm_backward",
  code: [backward],
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
  rows: ({ n }) => n,
  blocks: NARROW_ROWS,
});

/** dweight (C) += Σ over rows of dout · x̂, dbias (C) += Σ over rows of dout. */
export const layernormBackwardWeight = columnKernel({
  label: "layernorm_backward_weight",
  code: [backwardWeight],
  uniforms: { n: "u32", c: "u32" },
  bindings: {
    inp: "read",
    mean: "read",
    rstd: "read",
    dout: "read",
    dweight: "read_write",
    dbias: "read_write",
  },
});
