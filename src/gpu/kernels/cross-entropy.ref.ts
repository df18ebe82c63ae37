import { softmaxRowRef } from "./softmax-row.ref.ts";

/** What each row imitates, and what it counts. */
interface ImitatedRows {
  /** (R) */
  targets: ArrayLike<number>;
  /** (R), places on the batch axis. */
  src: ArrayLike<number>;
  /** (Nb) */
  weights: ArrayLike<number>;
}

/**
 * Twin of cross_entropy: gradient (R, stride) of scale·Σ −w·log p(target), and stats (R, 8) = −log p, 1 if the target is the
 * arg max (first of equals), 0 …
 */
export function crossEntropyRef(
  logits: ArrayLike<number>,
  { targets, src, weights }: ImitatedRows,
  { r, vocab, stride, scale }: { r: number; vocab: number; stride: number; scale: number },
): { dlogits: Float64Array; stats: Float64Array } {
  const dlogits = new Float64Array(r * stride);
  const stats = new Float64Array(r * 8);
  for (let row = 0; row < r; row++) {
    const { logProbs, probs } = softmaxRowRef(logits, row, vocab, stride);
    const target = targets[row] as number;
    const factor = scale * (weights[src[row] as number] as number);
    for (let i = 0; i < vocab; i++)
      dlogits[row * stride + i] = factor * ((probs[i] as number) - (i === target ? 1 : 0));
    const argMax = logProbs.indexOf(logProbs.reduce((max, x) => Math.max(max, x)));
    stats[row * 8] = -(logProbs[target] as number);
    stats[row * 8 + 1] = argMax === target ? 1 : 0;
  }
  return { dlogits, stats };
}
