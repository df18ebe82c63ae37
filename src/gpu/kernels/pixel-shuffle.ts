// Merging of neighbouring patches into fewer, wider tokens.
import backward from "#shaders/pixel_shuffle_backward.wgsl?raw";
import forward from "#shaders/pixel_shuffle_forward.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

const uniforms = { p: "u32", c: "u32", grid_rows: "u32", grid_cols: "u32", s: "u32" } as const;

/** out (P / s², C · s²) from inp (P, C): column (dy · s + dx) · C + c holds channel c of the neighbour (dy, dx). */
export const pixelShuffleForward = defineKernel({
  label: "pixel_shuffle_forward",
  code: [forward],
  uniforms,
  bindings: { inp: "read", out: "read_write" },
  grid: ({ p, c }) => grid1d((p * c) / 4, 64),
});

/** dinp (P, C), overwritten, from dout (P / s², C · s²). */
export const pixelShuffleBackward = defineKernel({
  label: "pixel_shuffle_backward",
  code: [backward],
  uniforms,
  bindings: { dout: "read", dinp: "read_write" },
  grid: ({ p, c }) => grid1d((p * c) / 4, 64),
});
