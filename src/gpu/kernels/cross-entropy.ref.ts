import { softmaxRowRef } from "./softmax-row.ref.ts";

/**
 * Twin of cross_entropy: gradient (R, stride) of scale·Σ −log p(target), and stats (R, 8) = −log p, 1 if the target is the
 * arg max (first of equals), 0 …
 */
export function crossEntropyRef(
  logits: ArrayLike<number>,
  targets: ArrayLike<number>,
  r: number,
  vocab: number,
  stride: number,
  scale: number,
): { dlogits: Float64Array; stats: Float64Array } {
  const dlogits = new Float64Array(r * stride);
  const stats = new Float64Array(r * 8);
  for (let row = 0; row < r; row++) {
    const { logProbs, probs } = softmaxRowRef(logits, row, vocab, stride);
    const target = targets[row] as number;
    for (let i = 0; i < vocab; i++)
      dlogits[row * stride + i] = scale * ((probs[i] as number) - (i === target ? 1 : 0));
    const argMax = logProbs.indexOf(logProbs.reduce((max, x) => Math.max(max, x)));
    stats[row * 8] = -(logProbs[target] as number);
    stats[row * 8 + 1] = argMax === target ? 1 : 0;
  }
  return { dlogits, stats };
}
