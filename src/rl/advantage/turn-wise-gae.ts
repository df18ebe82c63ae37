// One advantage per turn: the estimators that give every token of a turn the same advantage.
import {
  type AdvantageEstimator,
  type Advantages,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";
import { anchorOf, type TurnDiscounts, turnAdvantages, turnSpans } from "./turns.ts";

/** GAE over turns, spread over their tokens; a return only where the turn's value is read. Twin: shaders/turn_gae.wgsl. */
function spreadOverTurns(tokens: AdvantageTokens, discounts: TurnDiscounts): Advantages {
  const out = zeroAdvantages(tokens);
  for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
    const spans = turnSpans(tokens, from, to);
    const advantages = turnAdvantages(tokens, spans, bootstrap, discounts);
    for (const [k, span] of spans.entries()) {
      const advantage = advantages[k] as number;
      out.advantages.fill(advantage, span.start, span.end + 1);
      const anchor = anchorOf(span, discounts.anchor);
      out.returns[anchor] = advantage + (tokens.values[anchor] as number);
    }
  }
  return out;
}

/**
 * Turn-PPO: the turn discount between turns, values at turn ends (or, by the turn anchor, starts), whitened over turns so that a
 * long reply weighs no more than a short one. The critic learns at these tokens only, since no other has a return. As in VAGEN,
 * of a KL penalty in the reward only that of each turn's last token counts.
 */
export const turnWiseGae: AdvantageEstimator = {
  id: "turn_wise_gae",
  title: "Turn-wise GAE",
  help: "One advantage per turn, the same for all of its tokens; the critic learns at one token of each turn only.",
  usesGamma: false,
  usesTurnGamma: true,
  usesTurnAnchor: true,
  valueTokens: "turn_end",
  whitenOver: "turn_end",
  estimate: (tokens, { lambda, turnGamma, turnLambda = lambda, turnAnchor: anchor = "end" }) =>
    spreadOverTurns(tokens, { gamma: turnGamma, lambda: turnLambda, anchor }),
};

/** VAGEN's estimator for one sequence per turn: γ applies per turn, and a turn's value is read before its first token. */
export const noConcatGae: AdvantageEstimator = {
  id: "no_concat_gae",
  title: "Per-turn GAE, first token",
  help: "One advantage per turn with γ between turns; a turn's value is read, and trained, before its first token.",
  usesTurnGamma: false,
  usesScoresOnly: true,
  valueTokens: "turn_start",
  whitenOver: "policy",
  estimate: (tokens, { gamma, lambda }) => spreadOverTurns(tokens, { gamma, lambda, anchor: "start" }),
};

/** As `noConcatGae`, with a turn's value read before its last token. */
export const noConcatGaeLast: AdvantageEstimator = {
  id: "no_concat_gae_last",
  title: "Per-turn GAE, last token",
  help: "One advantage per turn with γ between turns; a turn's value is read, and trained, before its last token.",
  usesTurnGamma: false,
  usesScoresOnly: true,
  valueTokens: "turn_end",
  whitenOver: "policy",
  estimate: (tokens, { gamma, lambda }) => spreadOverTurns(tokens, { gamma, lambda, anchor: "end" }),
};
