// Bi-Level GAE, VAGEN's estimator: first between turns, then between the tokens of each turn.
import {
  type AdvantageEstimator,
  type AdvantageParams,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";
import { anchorOf, turnAdvantages, turnSpans } from "./turns.ts";

/** Level 1, GAE from turn to turn with the turn discount: the return of each turn, keyed by its last token. */
function turnReturns(
  tokens: AdvantageTokens,
  [from, to, bootstrap]: readonly [number, number, number],
  { lambda, turnGamma: gamma, turnLambda = lambda, turnAnchor: anchor = "end" }: AdvantageParams,
): Map<number, number> {
  const spans = turnSpans(tokens, from, to);
  const advantages = turnAdvantages(tokens, spans, bootstrap, { gamma, lambda: turnLambda, anchor });
  return new Map(
    spans.map((span, k) => [
      span.end,
      (advantages[k] as number) + (tokens.values[anchorOf(span, anchor)] as number),
    ]),
  );
}

/** GAE over turns, then over the tokens of each turn; 0 outside gaeMask. Twin of shaders/bi_level_gae.wgsl. */
export const biLevelGae: AdvantageEstimator = {
  id: "bi_level_gae",
  title: "Bi-Level GAE",
  help: "Over turns first, then over the tokens within each turn.",
  readsTurnEnds: true,
  usesTurnGamma: true,
  usesTurnAnchor: true,
  valueTokens: "trained",
  whitenOver: "policy",
  estimate(tokens, params) {
    const out = zeroAdvantages(tokens);
    for (const trajectory of trajectoriesOf(tokens)) {
      const [from, to, bootstrap] = trajectory;
      const turns = turnReturns(tokens, trajectory, params);
      // Level 2: the turn's return is the reward of its last token, and the chain ends there, so nothing else crosses turns.
      let nextValue = bootstrap;
      let advantage = 0;
      for (let i = to - 1; i >= from; i--) {
        if (!tokens.gaeMask[i]) continue;
        const value = tokens.values[i] as number;
        const turnReturn = turns.get(i);
        if (turnReturn !== undefined) advantage = turnReturn - value;
        else {
          const delta = (tokens.rewards[i] as number) + params.gamma * nextValue - value;
          advantage = delta + params.gamma * params.lambda * advantage;
        }
        out.advantages[i] = advantage;
        out.returns[i] = advantage + value;
        nextValue = value;
      }
    }
    return out;
  },
};
