import { softmaxRowRef } from "./softmax-row.ref.ts";

/** Twin of log_prob, before the scatter: log π(target) and entropy (R) at the given temperature. */
export function logProbRowsRef(
  logits: ArrayLike<number>,
  targets: ArrayLike<number>,
  r: number,
  vocab: number,
  stride: number,
  temperature: number,
): { logprobs: Float64Array; entropy: Float64Array } {
  const logprobs = new Float64Array(r);
  const entropy = new Float64Array(r);
  for (let row = 0; row < r; row++) {
    const softmax = softmaxRowRef(logits, row, vocab, stride, temperature);
    logprobs[row] = softmax.logProbs[targets[row] as number] as number;
    entropy[row] = softmax.entropy;
  }
  return { logprobs, entropy };
}
