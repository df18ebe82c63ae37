// One advantage per turn: the estimators that give every token of a turn the same advantage.
import {
  type AdvantageEstimator,
  type Advantages,
  type AdvantageTokens,
  trajectoriesOf,
  zeroAdvantages,
} from "./estimator.ts";
import { lambdaOf } from "./lambda.ts";
import { anchorOf, type TurnDiscounts, turnAdvantages, turnSpans } from "./turns.ts";

/** How turns are discounted, and what becomes of their advantages. */
interface TurnChain extends Omit<TurnDiscounts, "lambda"> {
  /** λ of a trajectory with this many turns. */
  readonly lambda: (turns: number) => number;
  /** Whether every token of a turn has the turn's return; otherwise only the one where the turn's value is read. */
  readonly dense?: boolean;
}

/** GAE over turns, spread over their tokens. Twin: shaders/turn_gae.wgsl. */
function spreadOverTurns(
  tokens: AdvantageTokens,
  { lambda, dense = false, ...chain }: TurnChain,
): Advantages {
  const out = zeroAdvantages(tokens);
  for (const [from, to, bootstrap] of trajectoriesOf(tokens)) {
    const spans = turnSpans(tokens, from, to);
    const discounts = { ...chain, lambda: lambda(spans.length) };
    const advantages = turnAdvantages(tokens, spans, bootstrap, discounts);
    for (const [k, span] of spans.entries()) {
      const advantage = advantages[k] as number;
      const anchor = anchorOf(span, chain.anchor);
      const turnReturn = advantage + (tokens.values[anchor] as number);
      out.advantages.fill(advantage, span.start, span.end + 1);
      if (dense) out.returns.fill(turnReturn, span.start, span.end + 1);
      else out.returns[anchor] = turnReturn;
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
  readsTurnEnds: true,
  usesTurnGamma: true,
  usesTurnAnchor: true,
  valueTokens: "turn_end",
  whitenOver: "turn_end",
  estimate: (tokens, { lambda, turnGamma, turnLambda = lambda, turnAnchor: anchor = "end" }) =>
    spreadOverTurns(tokens, { gamma: turnGamma, lambda: () => turnLambda, anchor }),
};

/** VAGEN's estimator for one sequence per turn, which earns all rewards of its tokens: γ applies per turn, and a turn's value is read before its first token. */
export const noConcatGae: AdvantageEstimator = {
  id: "no_concat_gae",
  title: "Per-turn GAE, first token",
  help: "One advantage per turn with γ between turns; a turn's value is read, and trained, before its first token.",
  readsTurnEnds: true,
  usesTurnGamma: false,
  usesScoresOnly: true,
  readsTurnStart: true,
  valueTokens: "turn_start",
  whitenOver: "policy",
  estimate: (tokens, { gamma, lambda }) =>
    spreadOverTurns(tokens, { gamma, lambda: () => lambda, anchor: "start", summed: true }),
};

/** As `noConcatGae`, with a turn's value read before its last token. */
export const noConcatGaeLast: AdvantageEstimator = {
  id: "no_concat_gae_last",
  title: "Per-turn GAE, last token",
  help: "One advantage per turn with γ between turns; a turn's value is read, and trained, before its last token.",
  readsTurnEnds: true,
  usesTurnGamma: false,
  usesScoresOnly: true,
  valueTokens: "turn_end",
  whitenOver: "policy",
  estimate: (tokens, { gamma, lambda }) =>
    spreadOverTurns(tokens, { gamma, lambda: () => lambda, anchor: "end", summed: true }),
};

/**
 * VAGEN 2026's: a turn is one decision, which earns all rewards of its tokens and whose value is read, and trained, before its
 * first token; γ and λ apply per turn. The reference marks the other tokens' returns with −100; here they are 0 and outside
 * the value mask.
 */
export const turnLevelGae: AdvantageEstimator = {
  id: "turn_level_gae",
  title: "Turn-level GAE",
  help: "One advantage per turn, which earns all rewards of its tokens, with γ and λ between turns; a turn's value is read, and trained, before its first token. From VAGEN 2026.",
  usesTurnGamma: false,
  usesLambdaByLength: true,
  readsTurnStart: true,
  valueTokens: "turn_start",
  whitenOver: "policy",
  estimate: (tokens, params) =>
    spreadOverTurns(tokens, {
      gamma: params.gamma,
      lambda: (turns) => lambdaOf(params, turns),
      anchor: "start",
      summed: true,
    }),
};

/**
 * AReaL's GAE with the turn as its time step: as `turnLevelGae`, and every token of a turn learns the turn's return. A KL penalty in
 * the reward is no part of the recursion: it is subtracted from the advantage of its own token afterwards.
 */
export const arealTurnGae: AdvantageEstimator = {
  id: "areal_turn_gae",
  title: "GAE in steps of turns",
  help: "Turn-level GAE in which the critic learns a turn's return at each of its tokens, and a KL penalty is subtracted from advantages; AReaL's GAE with gae_timestep_unit turn.",
  usesTurnGamma: false,
  usesLambdaByLength: true,
  readsTurnStart: true,
  klAfterwards: true,
  valueTokens: "trained",
  whitenOver: "policy",
  estimate: (tokens, params) =>
    spreadOverTurns(tokens, {
      gamma: params.gamma,
      lambda: (turns) => lambdaOf(params, turns),
      anchor: "start",
      summed: true,
      dense: true,
    }),
};
