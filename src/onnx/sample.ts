// The draw of a token on the CPU by the rules of shaders/sample.wgsl: the same filters, and the same noise for the same key.
import type { Sampling } from "../policy/policy.ts";

/** What identifies a draw: it does not depend on the order in which tokens are drawn. */
interface DrawKey {
  seed: number;
  /** Of the conversation. */
  rngKey: number;
  /** Of the token before the drawn one. */
  position: number;
}

/**
 * Temperature, top-k, top-p, then Gumbel-max; temperature 0 takes the most likely token, the first of equal ones.
 * @param logits one per token of the vocabulary.
 * @returns the token and its log-probability under the whole distribution at this temperature (greedy: at 1).
 */
export function sampleToken(
  logits: Float32Array,
  sampling: Pick<Sampling, "temperature" | "topP" | "topK">,
  { seed, rngKey, position }: DrawKey,
): { id: number; logprob: number } {
  const { temperature } = sampling;
  const inverse = temperature > 0 ? 1 / temperature : 1;
  const peak = logits.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const logSum = Math.log(logits.reduce((sum, x) => sum + Math.exp((x - peak) * inverse), 0));
  const logprobOf = (logit: number) => (logit - peak) * inverse - logSum;
  const least = temperature > 0 ? leastKept(logits, sampling, (x) => Math.exp(logprobOf(x))) : -Infinity;
  let id = 0;
  let best = Number.NEGATIVE_INFINITY;
  logits.forEach((logit, token) => {
    if (logit < least) return;
    const noise = temperature > 0 ? gumbel(hash(seed, rngKey, position, token)) : 0;
    const score = (logit - peak) * inverse + noise;
    if (score <= best) return;
    best = score;
    id = token;
  });
  return { id, logprob: logprobOf(logits[id]) };
}

/** The smallest logit that top-k and then top-p keep; tokens tied with it are kept, too. */
function leastKept(
  logits: Float32Array,
  { topP, topK }: Pick<Sampling, "topP" | "topK">,
  prob: (logit: number) => number,
): number {
  const hasTopK = topK > 0 && topK < logits.length;
  if (!hasTopK && topP >= 1) return Number.NEGATIVE_INFINITY;
  const sorted = logits.slice().sort().reverse();
  const floor = hasTopK ? sorted[topK - 1] : sorted[sorted.length - 1];
  if (topP >= 1) return floor;
  const kept = sorted.filter((logit) => logit >= floor);
  const wanted = topP * kept.reduce((sum, logit) => sum + prob(logit), 0);
  let mass = 0;
  const last = kept.find((logit) => {
    mass += prob(logit);
    return mass >= wanted;
  });
  return last ?? floor;
}

/** The first word of pcg4d (Jarzynski and Olano 2020, Hash Functions for GPU Rendering, JCGT 9(3)). */
function hash(...key: [number, number, number, number]): number {
  let [x, y, z, w] = key.map((k) => Math.imul(k, 1664525) + 1013904223);
  const mix = () => {
    x = (x + Math.imul(y, w)) | 0;
    y = (y + Math.imul(z, x)) | 0;
    z = (z + Math.imul(x, y)) | 0;
    w = (w + Math.imul(y, z)) | 0;
  };
  mix();
  [x, y, z, w] = [x, y, z, w].map((v) => v ^ (v >>> 16));
  mix();
  return x >>> 0;
}

/** Standard Gumbel noise from 32 random bits. */
const gumbel = (bits: number): number => -Math.log(-Math.log(((bits >>> 9) + 0.5) / 2 ** 23));
