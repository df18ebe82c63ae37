// Masked GAE, the base estimator of VAGEN.
import { type AdvantageEstimator, trajectoriesOf, zeroAdvantages } from "./estimator.ts";

/** GAE over the policy's own tokens; 0 elsewhere. Twin of shaders/masked_gae.wgsl. */
export const maskedGae: AdvantageEstimator = {
  id: "masked_gae",
  title: "Masked GAE",
  help: "Over the policy's own tokens only.",
  usesTurnGamma: false,
  valueTokens: "trained",
  whitenOver: "policy",
  estimate(tokens, { gamma, lambda }) {
    const out = zeroAdvantages(tokens);
    for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
      let nextValue = bootstrap;
      let advantage = 0;
      for (let i = to - 1; i >= from; i--) {
        // Observation tokens carry no advantage: skip them, so the next *policy* token is the successor.
        if (!tokens.gaeMask[i]) continue;
        const value = tokens.values[i] as number;
        const delta = (tokens.rewards[i] as number) + gamma * nextValue - value;
        advantage = delta + gamma * lambda * advantage;
        out.advantages[i] = advantage;
        out.returns[i] = advantage + value;
        nextValue = value;
      }
    }
    return out;
  },
};
