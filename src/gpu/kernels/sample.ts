// Sampling of next tokens, on the GPU, for any vocabulary.
import rng from "#shaders/lib/rng.wgsl?raw";
import sampleRow from "#shaders/lib/sample_row.wgsl?raw";
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import sampleCode from "#shaders/sample.wgsl?raw";
import { rowKernel } from "./rows.ts";

/**
 * One decoding step of B sequences: writes ids (B), and drawn (B, out_stride, 4) at `generated`, the token, its
 * log-probability, the entropy and 0, and advances state (B) vec4u = position, generated, done, rng key. `max_tokens` ≤ `out_stride` tokens are
 * generated at most.
 */
export const sample = rowKernel({
  label: "sample",
  code: [sampleCode, sampleRow, softmaxRow, rng],
  uniforms: {
    b: "u32",
    vocab: "u32",
    stride: "u32",
    max_tokens: "u32",
    out_stride: "u32",
    eos: "u32",
    seed: "u32",
    temperature: "f32",
    top_p: "f32",
    top_k: "u32",
  },
  bindings: {
    logits: "read",
    state: "read_write",
    ids: "read_write",
    drawn: "read_write",
  },
  rows: ({ b }) => b,
});
