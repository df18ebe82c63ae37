// Clipped value loss of PPO, gradient into the value head's output.
import valueLossCode from "#shaders/value_loss.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/**
 * dvalues (R, 4) = scale·∂loss/∂values in column 0; stats (R, 4) = loss, clipped 0/1, value, return (not scaled).
 * Rows outside value_mask are 0 in both; WEIGHTED 1 multiplies the gradient by its other numbers, WEIGHTED 0 takes them for 1.
 * CLIP 0 is the plain squared error: `old_values` is then not read and `clip` is ignored.
 */
export const valueLoss = defineKernel({
  label: "value_loss",
  code: [valueLossCode],
  uniforms: { r: "u32", scale: "f32", clip: "f32" },
  bindings: {
    values: "read",
    src: "read",
    old_values: "read",
    returns: "read",
    value_mask: "read",
    dvalues: "read_write",
    stats: "read_write",
  },
  constants: { CLIP: 1, WEIGHTED: 0 },
  grid: ({ r }) => grid1d(r, 64),
});
