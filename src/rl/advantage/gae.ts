// Generalised advantage estimation, Schulman et al. 2016, eq. 16: A_t = δ_t + γλ·A_{t+1}, δ_t = r_t + γ·V_{t+1} − V_t.
import { type AdvantageEstimator, trajectoriesOf, zeroAdvantages } from "./estimator.ts";

/** GAE over every token, the environment's and the policy's alike. Twin of shaders/gae.wgsl. */
export const gae: AdvantageEstimator = {
  id: "gae",
  title: "GAE",
  help: "Through every token, observations included.",
  usesTurnGamma: false,
  valueTokens: "trained",
  whitenOver: "policy",
  usesEveryToken: true,
  estimate(tokens, { gamma, lambda }) {
    const out = zeroAdvantages(tokens);
    for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
      let nextValue = bootstrap;
      let advantage = 0;
      for (let i = to - 1; i >= from; i--) {
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
