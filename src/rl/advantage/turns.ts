// The policy's turns on the token axis, and GAE from turn to turn.
import type { AdvantageTokens, TurnAnchor } from "./estimator.ts";

/** Tokens [start, end] that the policy wrote in one turn; `end` is its end-of-turn token. */
interface TurnSpan {
  readonly start: number;
  readonly end: number;
}

/** The turns of tokens [from, to), in order. */
export function turnSpans(
  { gaeMask, turnEndMask }: Pick<AdvantageTokens, "gaeMask" | "turnEndMask">,
  from: number,
  to: number,
): TurnSpan[] {
  const spans: TurnSpan[] = [];
  for (let end = from; end < to; end++) {
    if (!gaeMask[end] || !turnEndMask[end]) continue;
    let start = end;
    while (start > from && gaeMask[start - 1] && !turnEndMask[start - 1]) start--;
    spans.push({ start, end });
  }
  return spans;
}

/** Where the value of a turn is read. */
export const anchorOf = ({ start, end }: TurnSpan, anchor: TurnAnchor): number =>
  anchor === "end" ? end : start;

/** Discounts between turns. */
export interface TurnDiscounts {
  readonly gamma: number;
  readonly lambda: number;
  readonly anchor: TurnAnchor;
  readonly summed?: boolean;
}

/** Σ of rewards over the tokens of a turn. */
function rewardIn(rewards: ArrayLike<number>, { start, end }: TurnSpan): number {
  let sum = 0;
  for (let i = start; i <= end; i++) sum += rewards[i] as number;
  return sum;
}

/**
 * GAE over turns (VAGEN, eq. of the turn level): δ_k = r_k + γ·V_{k+1} − V_k, A_k = δ_k + γλ·A_{k+1}. The reward of a turn is
 * that of its last token, or with `summed` that of all its tokens; `bootstrap` is the value after the last turn. One advantage
 * per span, in order.
 */
export function turnAdvantages(
  { rewards, values }: AdvantageTokens,
  spans: readonly TurnSpan[],
  bootstrap: number,
  { gamma, lambda, anchor, summed = false }: TurnDiscounts,
): number[] {
  const advantages = new Array<number>(spans.length);
  let nextValue = bootstrap;
  let advantage = 0;
  for (let k = spans.length - 1; k >= 0; k--) {
    const span = spans[k] as TurnSpan;
    const value = values[anchorOf(span, anchor)] as number;
    const reward = summed ? rewardIn(rewards, span) : (rewards[span.end] as number);
    const delta = reward + gamma * nextValue - value;
    advantage = delta + gamma * lambda * advantage;
    advantages[k] = advantage;
    nextValue = value;
  }
  return advantages;
}
