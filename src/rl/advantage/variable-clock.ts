// Bi-Level GAE of VAGEN 2026: one chain over the policy's tokens whose clock ticks where a turn ends.
import {
  type AdvantageEstimator,
  type Advantages,
  type AdvantageTokens,
  type TurnClock,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";

/** The reference's defaults. */
export const DEFAULT_CLOCK: TurnClock = { gammaTurn: 0.95, lambdaTurn: 0.95, lambdaToken: 1, mix: 0.75 };

/** One step back of GAE: δ = r + γ·V' − V, A = δ + γλ·A'. */
const step = (reward: number, value: number, [gamma, lambda]: Discounts, next: Next): number =>
  reward + gamma * next.value - value + gamma * lambda * next.advantage;
type Discounts = readonly [gamma: number, lambda: number];
type Next = { value: number; advantage: number };

function mixedChains(
  tokens: AdvantageTokens,
  { gammaTurn, lambdaTurn, lambdaToken, mix }: TurnClock,
): Advantages {
  const out = zeroAdvantages(tokens);
  const within: Discounts = [1, lambdaToken];
  const across: Discounts = [gammaTurn, lambdaTurn];
  for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
    let nextValue = bootstrap;
    let [biLevel, token] = [0, 0];
    for (let i = to - 1; i >= from; i--) {
      if (!tokens.gaeMask[i]) continue;
      const reward = tokens.rewards[i] as number;
      const value = tokens.values[i] as number;
      const discounts = tokens.turnEndMask[i] ? across : within;
      biLevel = step(reward, value, discounts, { value: nextValue, advantage: biLevel });
      token = step(reward, value, within, { value: nextValue, advantage: token });
      const advantage = token + mix * (biLevel - token);
      out.advantages[i] = advantage;
      out.returns[i] = advantage + value;
      nextValue = value;
    }
  }
  return out;
}

/**
 * GAE over the policy's tokens with `gammaTurn` and `lambdaTurn` at the last token of a turn, and 1 and `lambdaToken` elsewhere,
 * mixed with token-level GAE. A reward inside a turn stays where it was earned. Twin of shaders/variable_clock_gae.wgsl.
 */
export const biLevelGaeVariableClock: AdvantageEstimator = {
  id: "bi_level_gae_variable_clock",
  title: "Bi-Level GAE, variable clock",
  help: "Over the policy's own tokens, discounted where one turn ends and the next begins; VAGEN 2026's version of Bi-Level GAE.",
  usesGamma: false,
  usesLambda: false,
  usesTurnGamma: false,
  usesClock: true,
  undiscounted: true,
  valueTokens: "trained",
  whitenOver: "policy",
  estimate: (tokens, { clock = DEFAULT_CLOCK }) => mixedChains(tokens, clock),
};
