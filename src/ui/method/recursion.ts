// The recursions of the estimators, step by step, with the numbers that each step uses. The advantages themselves come from
// `src/rl/advantage`; what is added here are the terms of each step, for formulas.
import { biLevelGae } from "../../rl/advantage/bi-level-gae.ts";
import type { AdvantageParams, AdvantageTokens } from "../../rl/advantage/estimator.ts";
import { maskedGae } from "../../rl/advantage/masked-gae.ts";
import { anchorOf, turnAdvantages, turnSpans } from "../../rl/advantage/turns.ts";

/** One step of a recursion: δ = reward + γ·nextValue − value, A = δ + γλ·nextAdvantage. */
export interface Step {
  readonly reward: number;
  readonly value: number;
  /** 0 where the chain ends. */
  readonly nextValue: number;
  readonly delta: number;
  /** 0 where the chain ends. */
  readonly nextAdvantage: number;
  readonly advantage: number;
}

/** A step at a token that the policy wrote. */
export interface TokenStep extends Step {
  readonly index: number;
  /** The kept token that it looks ahead to; null at the end of the chain. */
  readonly next: number | null;
}

const at = (numbers: ArrayLike<number>, index: number | null): number =>
  index === null ? 0 : (numbers[index] as number);

/** The steps of masked GAE over the kept tokens, in the order of the tokens. */
export function maskedSteps(tokens: AdvantageTokens, params: AdvantageParams): TokenStep[] {
  const { advantages } = maskedGae.estimate(tokens, params);
  const kept = keptPositions(tokens);
  return kept.map((index, k) => {
    const next = kept[k + 1] ?? null;
    const [value, nextValue] = [at(tokens.values, index), at(tokens.values, next)];
    const reward = at(tokens.rewards, index);
    const delta = reward + params.gamma * nextValue - value;
    const step = { reward, value, nextValue, delta };
    return { index, next, ...step, nextAdvantage: at(advantages, next), advantage: at(advantages, index) };
  });
}

/** Every advantage of masked and of Bi-Level GAE, whose charts have one scale. */
export const bothAdvantages = (tokens: AdvantageTokens, params: AdvantageParams): number[] =>
  [maskedGae, biLevelGae].flatMap((one) => [...one.estimate(tokens, params).advantages]);

/** Positions inside the GAE mask. */
export const keptPositions = ({ gaeMask }: Pick<AdvantageTokens, "gaeMask">): number[] =>
  Array.from({ length: gaeMask.length }, (_, i) => i).filter((i) => gaeMask[i]);

/** One turn at the first level of Bi-Level GAE. */
export interface TurnStep extends Step {
  /** Tokens [start, end] that the policy wrote. */
  readonly start: number;
  readonly end: number;
  /** The token before which the turn's value is read. */
  readonly anchor: number;
  /** advantage + value: it replaces the reward of the turn's last token. */
  readonly turnReturn: number;
}

/** The first level of Bi-Level GAE: a step for each turn, in order. */
export function turnSteps(tokens: AdvantageTokens, params: AdvantageParams): TurnStep[] {
  const { turnGamma: gamma, lambda, turnLambda = lambda, turnAnchor: anchor = "end" } = params;
  const spans = turnSpans(tokens, 0, tokens.gaeMask.length);
  const advantages = turnAdvantages(tokens, spans, 0, { gamma, lambda: turnLambda, anchor });
  const anchors = spans.map((span) => anchorOf(span, anchor));
  return spans.map(({ start, end }, k) => {
    const [value, nextValue] = [at(tokens.values, anchors[k]!), at(tokens.values, anchors[k + 1] ?? null)];
    const reward = at(tokens.rewards, end);
    const advantage = advantages[k]!;
    const step = { reward, value, nextValue, delta: reward + gamma * nextValue - value };
    const nextAdvantage = advantages[k + 1] ?? 0;
    return {
      start,
      end,
      anchor: anchors[k]!,
      ...step,
      nextAdvantage,
      advantage,
      turnReturn: advantage + value,
    };
  });
}

/** The second level: a step for each kept token. A turn's last token has the turn's return as its reward and no successor. */
export function withinTurnSteps(tokens: AdvantageTokens, params: AdvantageParams): TokenStep[] {
  const { advantages } = biLevelGae.estimate(tokens, params);
  const returns = new Map(turnSteps(tokens, params).map(({ end, turnReturn }) => [end, turnReturn]));
  const kept = keptPositions(tokens);
  return kept.map((index, k) => {
    const turnReturn = returns.get(index);
    const next = turnReturn === undefined ? (kept[k + 1] ?? null) : null;
    const reward = turnReturn ?? at(tokens.rewards, index);
    const [value, nextValue] = [at(tokens.values, index), at(tokens.values, next)];
    const step = { reward, value, nextValue, delta: reward + params.gamma * nextValue - value };
    return { index, next, ...step, nextAdvantage: at(advantages, next), advantage: at(advantages, index) };
  });
}

/** What every turn adds to the advantage of one token: Σ (γλ)^d·δ over the tokens of the turn from that token on. */
export function contributionsByTurn(
  steps: readonly TokenStep[],
  from: number,
  decay: number,
  turnOf: (index: number) => number,
): { turn: number; sum: number }[] {
  const sums = new Map<number, number>();
  for (const [d, { index, delta }] of steps.slice(from).entries()) {
    const turn = turnOf(index);
    sums.set(turn, (sums.get(turn) ?? 0) + decay ** d * delta);
  }
  return [...sums].map(([turn, sum]) => ({ turn, sum }));
}
