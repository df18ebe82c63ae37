// Pictures to rows of patches.
import forward from "#shaders/patchify.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** out (P, 3 · patch²) in −1…1 from RGBA pixels, one u32 each; frames of grid_rows × grid_cols patches. */
export const patchify = defineKernel({
  label: "patchify",
  code: [forward],
  uniforms: { p: "u32", grid_rows: "u32", grid_cols: "u32", patch_size: "u32" },
  bindings: { pixels: "read", out: "read_write" },
  grid: ({ p, patch_size }) => grid1d(p * patch_size * patch_size, 64),
});
