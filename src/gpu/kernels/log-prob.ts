// Log-probabilities, entropies and values of rows, scattered to the batch axis.
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import logProb from "#shaders/log_prob.wgsl?raw";
import { rowKernel } from "./rows.ts";

/**
 * From logits (R, stride) and values (R, 4): logprobs, entropy and values_out (Nb), each written at src[row].
 * Only those indices are written; the rest of the batch axis stays as it is.
 */
export const logProbRows = rowKernel({
  label: "log_prob",
  code: [logProb, softmaxRow],
  uniforms: { r: "u32", vocab: "u32", stride: "u32", temperature: "f32" },
  bindings: {
    logits: "read",
    targets: "read",
    src: "read",
    values: "read",
    logprobs: "read_write",
    entropy: "read_write",
    values_out: "read_write",
  },
  rows: ({ r }) => r,
});
