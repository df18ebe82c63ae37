// ReMax: rewards to come against what the greedy policy earned on the same level.
import { type AdvantageEstimator, trajectoriesOf, zeroAdvantages } from "./estimator.ts";

/**
 * The undiscounted sum of rewards from each policy token on, less the score of one greedy episode of the same level (Li et al.
 * 2023, as in veRL). The baseline does not depend on what was sampled, so the gradient stays unbiased. Not whitened.
 */
export const remax: AdvantageEstimator = {
  id: "remax",
  title: "ReMax",
  help: "The rewards still to come less what the greedy policy earns on the same level; no critic, one more episode per level.",
  usesGamma: false,
  usesLambda: false,
  usesTurnGamma: false,
  usesBaselines: true,
  valueTokens: "none",
  whitenOver: "none",
  estimate(tokens) {
    const out = zeroAdvantages(tokens);
    for (const [s, [from, to]] of trajectoriesOf(tokens).entries()) {
      const baseline = tokens.baselines?.[s] ?? 0;
      let toCome = 0;
      for (let i = to - 1; i >= from; i--) {
        if (!tokens.gaeMask[i]) continue;
        toCome += tokens.rewards[i] as number;
        out.advantages[i] = toCome - baseline;
        out.returns[i] = toCome;
      }
    }
    return out;
  },
};
