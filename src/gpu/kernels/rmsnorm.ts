// RMSNorm: normalises each row by its root mean square.
import backward from "#shaders/rmsnorm_backward.wgsl?raw";
import backwardWeight from "#shaders/rmsnorm_backward_weight.wgsl?raw";
import forward from "#shaders/rmsnorm_forward.wgsl?raw";
import { columnKernel } from "./columns.ts";
import { rowsKernel } from "./rows.ts";

/** out (N, C) = inp · rstd · weight, and rstd (N). */
export const rmsnormForward = rowsKernel({
  label: "rmsnorm_forward",
  code: [forward],
  uniforms: { n: "u32", c: "u32", eps: "f32" },
  bindings: { inp: "read", weight: "read", out: "read_write", rstd: "read_write" },
  rows: ({ n }) => n,
});

/** dinp (N, C) += gradient of the input; ACCUMULATE 0 overwrites. */
export const rmsnormBackward = rowsKernel({
  label: "rmsnorm_backward",
  code: [backward],
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", weight: "read", rstd: "read", dout: "read", dinp: "read_write" },
  constants: { ACCUMULATE: 1 },
  rows: ({ n }) => n,
});

/** dweight (C) += Σ over rows of dout · inp · rstd. */
export const rmsnormBackwardWeight = columnKernel({
  label: "rmsnorm_backward_weight",
  code: [backwardWeight],
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", rstd: "read", dout: "read", dweight: "read_write" },
});
