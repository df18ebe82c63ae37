// Which tokens Clip-Cov and KL-Cov treat apart: those whose log-probability and advantage vary together most, because they lower
// the entropy most (Cui et al. 2025, "The Entropy Mechanism of Reinforcement Learning for Reasoning Language Models"). The numbers
// are those of a minibatch's trained tokens. veRL chooses within each micro-batch, whose size is a matter of its hardware.
import { mean } from "../../core/statistics.ts";

export interface CovarianceTokens {
  readonly advantages: readonly number[];
  /** Under the policy that is being trained, and under the old one. */
  readonly logprobs: readonly number[];
  readonly oldLogprobs: readonly number[];
}

/** Each token's part of the covariance: (A − mean A)·(log π − mean log π). */
export function covariances({ advantages, logprobs }: CovarianceTokens): number[] {
  const [a, l] = [mean(advantages), mean(logprobs)];
  return advantages.map((advantage, i) => (advantage - a) * ((logprobs[i] as number) - l));
}

/** How many tokens a share of them is; at least one where there are any. */
const shareOf = (ratio: number, tokens: number) => Math.max(1, Math.floor(ratio * tokens));

interface ClipCovOptions {
  readonly ratio: number;
  /** Both exclusive. */
  readonly low: number;
  readonly high: number;
  readonly clipLow: number;
  readonly clipHigh: number;
  readonly shuffle: (indices: number[]) => readonly number[];
}

/** Clip-Cov: a random share of the tokens whose covariance is between two bounds and whose ratio PPO does not clip. */
export function clipCovTokens(tokens: CovarianceTokens, options: ClipCovOptions): readonly number[] {
  const { ratio, low, high, clipLow, clipHigh, shuffle } = options;
  const isClipped = (i: number) => {
    const rho = Math.exp((tokens.logprobs[i] as number) - (tokens.oldLogprobs[i] as number));
    const advantage = tokens.advantages[i] as number;
    return (advantage > 0 && rho > 1 + clipHigh) || (advantage < 0 && rho < 1 - clipLow);
  };
  const between = covariances(tokens).flatMap((c, i) => (c > low && c < high && !isClipped(i) ? [i] : []));
  return shuffle(between).slice(0, shareOf(ratio, tokens.advantages.length));
}

/** KL-Cov: the share of tokens with the highest covariance. */
export function klCovTokens(tokens: CovarianceTokens, ratio: number): readonly number[] {
  if (ratio === 0 || tokens.advantages.length === 0) return [];
  const all = covariances(tokens);
  const order = all.map((_, i) => i).sort((i, j) => (all[j] as number) - (all[i] as number));
  return order.slice(0, shareOf(ratio, all.length));
}
