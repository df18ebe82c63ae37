// Rows of a matrix by index: the rows of the loss, the patches of image tokens, and their gradients.
import forward from "#shaders/gather_rows.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** out (R, C) = inp[index], zeros where index is −1; ACCUMULATE 1 adds instead. */
export const gatherRows = defineKernel({
  label: "gather_rows",
  code: [forward],
  uniforms: { r: "u32", c: "u32" },
  bindings: { inp: "read", index: "read", out: "read_write" },
  constants: { ACCUMULATE: 0 },
  grid: ({ r, c }) => grid1d((r * c) / 4, 64),
});
