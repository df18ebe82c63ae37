// CPU twin of ppo_loss, in f64.
import { klEstimateRef } from "./kl.ref.ts";
import { inverseTemperatureRef, softmaxRowRef } from "./softmax-row.ref.ts";

export interface PpoLossRefInput {
  readonly logits: ArrayLike<number>;
  readonly ref_logits: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly src: ArrayLike<number>;
  readonly old_logprobs: ArrayLike<number>;
  readonly advantages: ArrayLike<number>;
  readonly ref_logprobs: ArrayLike<number>;
}

export interface PpoLossRefSettings {
  readonly r: number;
  readonly vocab: number;
  readonly stride: number;
  readonly scale: number;
  readonly temperature: number;
  readonly clip_low: number;
  readonly clip_high: number;
  readonly entropy_coef: number;
  readonly kl_coef: number;
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** Twin of ppo_loss: its gradient (R, stride), its stats (R, 8), and the scaled loss summed over rows. */
export function ppoLossRef(
  { logits, ref_logits, targets, src, old_logprobs, advantages, ref_logprobs }: PpoLossRefInput,
  { r, vocab, stride, scale, temperature, clip_low, clip_high, entropy_coef, kl_coef }: PpoLossRefSettings,
  kind: 0 | 1 | 2 | 3 | 4,
): { dlogits: Float64Array; stats: Float64Array; loss: number } {
  const dlogits = new Float64Array(r * stride);
  const stats = new Float64Array(r * 8);
  let loss = 0;
  for (let row = 0; row < r; row++) {
    const at = src[row] as number;
    const target = targets[row] as number;
    const { logProbs, probs, entropy } = softmaxRowRef(logits, row, vocab, stride, temperature);
    const logp = logProbs[target] as number;
    const advantage = advantages[at] as number;

    const difference = logp - (old_logprobs[at] as number);
    const logRatio = clamp(difference, -20, 20);
    const ratio = Math.exp(logRatio);
    const plain = -advantage * ratio;
    const bounded = -advantage * clamp(ratio, 1 - clip_low, 1 + clip_high);
    const clipped = bounded > plain;
    let dLogp = clipped || difference !== logRatio ? 0 : plain;

    let kl = 0;
    let refLogProbs: Float64Array | null = null;
    if (kind === 4) {
      const ref = softmaxRowRef(ref_logits, row, vocab, stride, temperature).logProbs;
      kl = probs.reduce((sum, p, i) => sum + p * ((logProbs[i] as number) - (ref[i] as number)), 0);
      refLogProbs = ref;
    } else if (kind !== 0) {
      const { estimate, derivative } = klEstimateRef(kind, logp - (ref_logprobs[at] as number));
      kl = estimate;
      dLogp += kl_coef * derivative;
    }

    for (let i = 0; i < vocab; i++) {
      const p = probs[i] as number;
      const lp = logProbs[i] as number;
      let dx = dLogp * ((i === target ? 1 : 0) - p) + entropy_coef * p * (lp + entropy);
      if (refLogProbs) dx += kl_coef * p * (lp - (refLogProbs[i] as number) - kl);
      dlogits[row * stride + i] = scale * dx * inverseTemperatureRef(temperature);
    }
    const pgLoss = Math.max(plain, bounded);
    loss += scale * (pgLoss - entropy_coef * entropy + kl_coef * kl);
    stats.set([pgLoss, -logRatio, clipped ? 1 : 0, entropy, kl, ratio, logp, 0], row * 8);
  }
  return { dlogits, stats, loss };
}
