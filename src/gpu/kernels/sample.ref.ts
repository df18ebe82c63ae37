// CPU twin of sample, in f64: sorts, where the kernel bisects.
import { gumbelRef, pcg4dRef } from "./rng.ref.ts";
import { inverseTemperatureRef, softmaxRowRef } from "./softmax-row.ref.ts";

export interface SampleRefSettings {
  readonly vocab: number;
  readonly stride: number;
  readonly seed: number;
  readonly temperature: number;
  readonly top_p: number;
  readonly top_k: number;
}

/** The smallest logit that top-k and top-p keep in row `row`; ties with it are kept as well. */
export function keptLogitRef(
  logits: ArrayLike<number>,
  row: number,
  { vocab, stride, temperature, top_p, top_k }: SampleRefSettings,
): number {
  if (temperature <= 0) return Number.NEGATIVE_INFINITY;
  const { probs } = softmaxRowRef(logits, row, vocab, stride, temperature);
  const sorted = Array.from(probs, (p, i) => ({ p, logit: logits[row * stride + i] as number })).sort(
    (a, b) => b.logit - a.logit,
  );
  let kept = sorted;
  if (top_k > 0 && top_k < vocab) {
    const last = (sorted[top_k - 1] as { logit: number }).logit;
    kept = sorted.filter(({ logit }) => logit >= last);
  }
  if (top_p < 1) {
    const wanted = top_p * kept.reduce((sum, { p }) => sum + p, 0);
    let mass = 0;
    const last = kept.find(({ p }) => {
      mass += p;
      return mass >= wanted;
    });
    if (last) return last.logit;
  }
  return (kept.at(-1) as { logit: number }).logit;
}

/** Twin of one draw: the token of row `row` for a sequence at `position`; its log-probability and the entropy, both unfiltered. */
export function sampleRef(
  logits: ArrayLike<number>,
  row: number,
  rngKey: number,
  position: number,
  settings: SampleRefSettings,
): { token: number; logprob: number; entropy: number } {
  const { vocab, stride, seed, temperature } = settings;
  const kept = keptLogitRef(logits, row, settings);
  let best = Number.NEGATIVE_INFINITY;
  let token = 0;
  for (let i = 0; i < vocab; i++) {
    const logit = logits[row * stride + i] as number;
    if (logit < kept) continue;
    const noise = temperature > 0 ? gumbelRef(pcg4dRef([seed, rngKey, position, i])[0]) : 0;
    const score = logit * inverseTemperatureRef(temperature) + noise;
    if (score > best) {
      best = score;
      token = i;
    }
  }
  const { logProbs, entropy } = softmaxRowRef(logits, row, vocab, stride, temperature);
  return { token, logprob: logProbs[token] as number, entropy };
}
