// Cross-entropy over rows of logits, gradient in place.
import crossEntropyCode from "#shaders/cross_entropy.wgsl?raw";
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import { rowKernel } from "./rows.ts";

/**
 * logits (R, stride) become scale·w·(softmax − onehot(target)), padded columns 0; stats (R, 8) = −log p, 1 if the target is
 * the arg max, 0 … `scale` is 1 / tokens of the minibatch; a row's weight w is read at `src` on the batch axis; stats are neither
 * scaled nor weighted.
 */
export const crossEntropy = rowKernel({
  label: "cross_entropy",
  code: [crossEntropyCode, softmaxRow],
  uniforms: { r: "u32", vocab: "u32", stride: "u32", scale: "f32" },
  bindings: { logits: "read_write", targets: "read", src: "read", weights: "read", stats: "read_write" },
  rows: ({ r }) => r,
});
