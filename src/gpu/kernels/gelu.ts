// GELU in its tanh approximation.
import backward from "#shaders/gelu_backward.wgsl?raw";
import forward from "#shaders/gelu_forward.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** out (N, C) = gelu(inp). */
export const geluForward = defineKernel({
  label: "gelu_forward",
  code: [forward],
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", out: "read_write" },
  grid: ({ n, c }) => grid1d((n * c) / 4, 64),
});

/** dinp (N, C), overwritten, from the inp of the forward pass and dout. */
export const geluBackward = defineKernel({
  label: "gelu_backward",
  code: [backward],
  uniforms: { n: "u32", c: "u32" },
  bindings: { inp: "read", dout: "read", dinp: "read_write" },
  grid: ({ n, c }) => grid1d((n * c) / 4, 64),
});
