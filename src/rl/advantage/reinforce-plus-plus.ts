// REINFORCE++: rewards to come, whitened over the batch, without a critic.
import { type AdvantageEstimator, trajectoriesOf, zeroAdvantages } from "./estimator.ts";

/**
 * The discounted sum of rewards from each policy token on (Hu 2025). The sum starts again at 0 behind every token that the
 * policy did not write, as in veRL 0.8: a reward reaches its own turn only. With `carry` it reaches the turns before it too,
 * as in veRL 0.10: observation tokens are stepped over, which is masked GAE with λ = 1 and a critic that says 0.
 * Twin: shaders/masked_gae.wgsl, CRITIC 0.
 */
export const reinforcePlusPlus: AdvantageEstimator = {
  id: "reinforce_plus_plus",
  title: "REINFORCE++",
  help: "The discounted rewards still to come, by default within the same turn, whitened over the batch; no critic.",
  usesLambda: false,
  usesTurnGamma: false,
  usesCarry: true,
  valueTokens: "none",
  whitenOver: "policy",
  estimate(tokens, { gamma, carry = false }) {
    const out = zeroAdvantages(tokens);
    for (const [from, to] of trajectoriesOf(tokens)) {
      let running = 0;
      for (let i = to - 1; i >= from; i--) {
        if (!tokens.gaeMask[i]) {
          if (!carry) running = 0;
          continue;
        }
        running = (tokens.rewards[i] as number) + gamma * running;
        out.advantages[i] = running;
        out.returns[i] = running;
      }
    }
    return out;
  },
};
