// Learned row and column positions of patches.
import backward from "#shaders/patch_position_backward.wgsl?raw";
import forward from "#shaders/patch_position_forward.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** x (P, C) += rows_table (grid_rows, C) + cols_table (grid_cols, C), in place. */
export const patchPositionForward = defineKernel({
  label: "patch_position_forward",
  code: [forward],
  uniforms: { p: "u32", c: "u32", grid_rows: "u32", grid_cols: "u32" },
  bindings: { x: "read_write", rows_table: "read", cols_table: "read" },
  grid: ({ p, c }) => grid1d((p * c) / 4, 64),
});

/** drows (grid_rows, C) and dcols (grid_cols, C) += sums of dx (P, C). */
export const patchPositionBackward = defineKernel({
  label: "patch_position_backward",
  code: [backward],
  uniforms: { p: "u32", c: "u32", grid_rows: "u32", grid_cols: "u32" },
  bindings: { dx: "read", drows: "read_write", dcols: "read_write" },
  grid: ({ c, grid_rows, grid_cols }) => [Math.ceil(((grid_rows + grid_cols) * c) / 4 / 16)],
});
