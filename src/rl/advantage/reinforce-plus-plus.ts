// REINFORCE++: rewards to come, whitened over the batch, without a critic.
import { type AdvantageEstimator, trajectoriesOf, zeroAdvantages } from "./estimator.ts";

/**
 * The discounted sum of rewards from each policy token on (Hu 2025). Observation tokens are stepped over, so that a reward
 * reaches the turns before it. Equal to masked GAE with λ = 1 and a critic that says 0: shaders/masked_gae.wgsl, CRITIC 0.
 */
export const reinforcePlusPlus: AdvantageEstimator = {
  id: "reinforce_plus_plus",
  title: "REINFORCE++",
  help: "The discounted rewards still to come, whitened over the batch; no critic.",
  usesLambda: false,
  usesTurnGamma: false,
  valueTokens: "none",
  whitenOver: "policy",
  estimate(tokens, { gamma }) {
    const out = zeroAdvantages(tokens);
    for (const [from, to] of trajectoriesOf(tokens)) {
      let running = 0;
      for (let i = to - 1; i >= from; i--) {
        if (!tokens.gaeMask[i]) continue;
        running = (tokens.rewards[i] as number) + gamma * running;
        out.advantages[i] = running;
        out.returns[i] = running;
      }
    }
    return out;
  },
};
