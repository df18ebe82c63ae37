// CPU twin of ppo_loss, in f64.
import { klEstimateRef } from "./kl.ref.ts";
import type { KL_KIND } from "./ppo-loss.ts";
import { inverseTemperatureRef, softmaxRowRef } from "./softmax-row.ref.ts";

export interface PpoLossRefInput {
  readonly logits: ArrayLike<number>;
  readonly ref_logits: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly src: ArrayLike<number>;
  /** (Nb, 4): old log-probability, advantage, ref policy log-probability, weight. */
  readonly facts: ArrayLike<number>;
  readonly sequence_log_ratio: ArrayLike<number>;
}

export interface PpoLossRefSettings {
  readonly r: number;
  readonly vocab: number;
  readonly stride: number;
  readonly scale: number;
  readonly temperature: number;
  readonly clip_low: number;
  readonly clip_high: number;
  readonly clip_c: number;
  readonly entropy_coef: number;
  readonly kl_coef: number;
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/**
 * Twin of ppo_loss: its gradient (R, stride), its stats (R, 8), and the scaled loss summed over rows. With `sequence` the ratio
 * is given, and the loss is not what the gradient is that of.
 */
export function ppoLossRef(
  { logits, ref_logits, targets, src, facts, sequence_log_ratio }: PpoLossRefInput,
  settings: PpoLossRefSettings,
  kind: (typeof KL_KIND)[keyof typeof KL_KIND],
  sequence = false,
): { dlogits: Float64Array; stats: Float64Array; loss: number } {
  const { r, vocab, stride, temperature, clip_low, clip_high, clip_c, entropy_coef, kl_coef } = settings;
  const dlogits = new Float64Array(r * stride);
  const stats = new Float64Array(r * 8);
  let loss = 0;
  for (let row = 0; row < r; row++) {
    const at = src[row] as number;
    const target = targets[row] as number;
    const { logProbs, probs, entropy } = softmaxRowRef(logits, row, vocab, stride, temperature);
    const logp = logProbs[target] as number;
    const [old, advantage, refLogp, weight] = [0, 1, 2, 3].map((i) => facts[at * 4 + i]) as [
      number,
      number,
      number,
      number,
    ];
    const scale = settings.scale * weight;

    const difference = sequence ? (sequence_log_ratio[at] as number) : logp - old;
    const logRatio = clamp(difference, -20, sequence ? 10 : 20);
    const ratio = Math.exp(logRatio);
    const plain = -advantage * ratio;
    const bounded = -advantage * clamp(ratio, 1 - clip_low, 1 + clip_high);
    const clipped = bounded > plain;
    const cap = -advantage * clip_c;
    const capped = clip_c > 0 && advantage < 0 && Math.max(plain, bounded) > cap;
    let dLogp = clipped || capped || difference !== logRatio ? 0 : plain;

    let kl = 0;
    let refLogProbs: Float64Array | null = null;
    if (kind === 4) {
      const ref = softmaxRowRef(ref_logits, row, vocab, stride, temperature).logProbs;
      kl = probs.reduce((sum, p, i) => sum + p * ((logProbs[i] as number) - (ref[i] as number)), 0);
      refLogProbs = ref;
    } else if (kind !== 0) {
      const { estimate, derivative } = klEstimateRef(kind, logp - refLogp);
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
    const pgLoss = capped ? cap : Math.max(plain, bounded);
    loss += scale * (pgLoss - entropy_coef * entropy + kl_coef * kl);
    stats.set([pgLoss, -logRatio, clipped ? 1 : 0, entropy, kl, ratio, logp, capped ? 1 : 0], row * 8);
  }
  return { dlogits, stats, loss };
}
