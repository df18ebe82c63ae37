// SwiGLU: the gated activation of the MLP.
import backward from "#shaders/swiglu_backward.wgsl?raw";
import forward from "#shaders/swiglu_forward.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** out (N, F) = silu(gate) · up, where inp (N, 2F) holds gate, then up. */
export const swigluForward = defineKernel({
  label: "swiglu_forward",
  code: [forward],
  uniforms: { n: "u32", f: "u32" },
  bindings: { inp: "read", out: "read_write" },
  grid: ({ n, f }) => grid1d((n * f) / 4, 64),
});

/** dinp (N, 2F), overwritten, from inp (N, 2F) and dout (N, F). */
export const swigluBackward = defineKernel({
  label: "swiglu_backward",
  code: [backward],
  uniforms: { n: "u32", f: "u32" },
  bindings: { inp: "read", dout: "read", dinp: "read_write" },
  grid: ({ n, f }) => grid1d((n * f) / 4, 64),
});
