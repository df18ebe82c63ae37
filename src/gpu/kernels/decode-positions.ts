import code from "#shaders/decode_positions.wgsl?raw";
import { defineKernel } from "../kernel.ts";

/** positions (B) = first component of the decoding state (B, 4). */
export const decodePositions = defineKernel({
  label: "decode_positions",
  code: [code],
  uniforms: { b: "u32" },
  bindings: { state: "read", positions: "read_write" },
  grid: ({ b }) => [Math.ceil(b / 64)],
});
