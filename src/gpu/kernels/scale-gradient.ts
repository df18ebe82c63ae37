// How much of a loss's gradient reaches the layers before.
import scale from "#shaders/scale_gradient.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** grad (N, C) *= scale. */
export const scaleGradient = defineKernel({
  label: "scale_gradient",
  code: [scale],
  uniforms: { n: "u32", c: "u32", scale: "f32" },
  bindings: { grad: "read_write" },
  grid: ({ n, c }) => grid1d((n * c) / 4, 64),
});
