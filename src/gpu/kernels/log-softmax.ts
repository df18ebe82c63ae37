// Distributions of rows, scattered to the batch axis.
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import logSoftmax from "#shaders/log_softmax.wgsl?raw";
import { rowKernel } from "./rows.ts";

/**
 * From logits (R, stride): out (Nb, stride), whose row src[row] has the log-probability of every id; padded columns become 0.
 * Only those rows are written.
 */
export const logSoftmaxRows = rowKernel({
  label: "log_softmax",
  code: [logSoftmax, softmaxRow],
  uniforms: { r: "u32", vocab: "u32", stride: "u32", temperature: "f32" },
  bindings: { logits: "read", src: "read", out: "read_write" },
  rows: ({ r }) => r,
});
