// CPU twin of log_softmax, in f64.
import { softmaxRowRef } from "./softmax-row.ref.ts";

/** Twin of log_softmax: out (nb, stride), zeros in padded columns and in rows that no row of `src` names. */
export function logSoftmaxRowsRef(
  logits: ArrayLike<number>,
  src: ArrayLike<number>,
  { r, vocab, stride, temperature }: { r: number; vocab: number; stride: number; temperature: number },
  nb: number,
): Float64Array {
  const out = new Float64Array(nb * stride);
  for (let row = 0; row < r; row++)
    out.set(softmaxRowRef(logits, row, vocab, stride, temperature).logProbs, (src[row] as number) * stride);
  return out;
}
