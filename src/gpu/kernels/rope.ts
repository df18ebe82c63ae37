// Rotary position embedding of the query and key heads.
import rotation from "#shaders/lib/rotation.wgsl?raw";
import forward from "#shaders/rope.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/**
 * Rotates the first heads · head_dim columns of qkv (N, stride) in place; direction −1 rotates back (the gradient).
 * `frequencies` comes from `ropeFrequencies`, AHEAD from `readsAhead`.
 */
export const rope = defineKernel({
  label: "rope",
  code: [forward, rotation],
  uniforms: { n: "u32", heads: "u32", stride: "u32", head_dim: "u32", direction: "f32" },
  bindings: { qkv: "read_write", positions: "read", frequencies: "read" },
  constants: { AHEAD: 1 },
  grid: ({ n, head_dim }) => grid1d((n * head_dim) / 8, 64),
});

/**
 * theta^(−2i / headDim) radians per position for i < headDim / 2, as 32-bit fractions of a turn.
 * Integers, because a product of position and frequency in f32 is off by 5e-4 at position 4096 already.
 */
export function ropeFrequencies(theta: number, headDim: number): Uint32Array {
  return Uint32Array.from({ length: headDim / 2 }, (_, i) =>
    Math.round((theta ** ((-2 * i) / headDim) / (2 * Math.PI)) * 2 ** 32),
  );
}
