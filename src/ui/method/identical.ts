// Whether two estimators agree on an episode, and why. The numbers decide whether they agree; the reason is looked for afterwards.
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens } from "../../rl/advantage/estimator.ts";
import { turnSpans } from "../../rl/advantage/turns.ts";
import { keptPositions } from "./recursion.ts";

/** How far two estimators are apart on an episode. */
interface Difference {
  /** Largest |difference| over the kept tokens. */
  readonly largest: number;
  /** The token where it is; null without a kept token. */
  readonly at: number | null;
  /** T entries: second less first; 0 outside the mask. */
  readonly perToken: Float64Array;
}

/**
 * Rounding of float64 sums over an episode whose recorded numbers are float32 stays far below this share of the largest
 * advantage; a discount of 0.999 on one reward is far above it.
 */
const ROUNDING = 1e-9;

/** The difference of two estimators under the same parameters. */
export function differenceOf(
  first: AdvantageEstimator,
  second: AdvantageEstimator,
  tokens: AdvantageTokens,
  params: AdvantageParams,
): Difference {
  const [a, b] = [first, second].map((one) => one.estimate(tokens, params).advantages) as [
    Float64Array,
    Float64Array,
  ];
  const perToken = Float64Array.from(a, (x, i) => (tokens.gaeMask[i] ? b[i]! - x : 0));
  const sizes = keptPositions(tokens).map((i) => [Math.abs(perToken[i]!), i] as const);
  const [largest, at] = sizes.reduce<readonly [number, number | null]>(
    (most, one) => (most[1] === null || one[0] > most[0] ? one : most),
    [0, null],
  );
  return { largest, at, perToken };
}

/** Whether the difference is rounding, measured by the size of the numbers themselves. */
export function isRounding({ largest }: Pick<Difference, "largest">, tokens: AdvantageTokens): boolean {
  const sizes = [tokens.rewards, tokens.values].flatMap((x) =>
    Array.from(x, (y, i) => (tokens.gaeMask[i] ? Math.abs(y) : 0)),
  );
  return (
    largest <=
    ROUNDING *
      Math.max(
        1,
        sizes.reduce((sum, size) => sum + size, 0),
      )
  );
}

/** Whether rewards lie on the last tokens of turns only, as without a KL penalty in the reward. */
const paysAtTurnEndsOnly = (tokens: AdvantageTokens): boolean =>
  keptPositions(tokens).every((i) => tokens.turnEndMask[i] || tokens.rewards[i] === 0);

const isOne = (...numbers: readonly number[]) => numbers.every((x) => x === 1);

/** Why masked and Bi-Level GAE agree: a property of the settings, or of this episode. */
export function whyMaskedIsBiLevel(tokens: AdvantageTokens, params: AdvantageParams): string {
  const { gamma, lambda, turnGamma, turnLambda = lambda } = params;
  const turns = turnSpans(tokens, 0, tokens.gaeMask.length);
  if (turns.length <= 1)
    return "This episode has one turn, so there is no boundary at which they could differ, whatever the discounts.";
  if (isOne(gamma, lambda, turnGamma, turnLambda) && paysAtTurnEndsOnly(tokens))
    return "All discounts and λ are 1 and rewards lie on the last tokens of turns only. Both sums telescope then: an advantage is the rewards still to come less the token's own value, and the boundary between turns leaves no trace.";
  return "Nothing in the settings makes them equal; the rewards and values of this episode happen to.";
}

/** Which settings pull masked and Bi-Level GAE apart. */
export function whyMaskedIsNotBiLevel({
  gamma,
  lambda,
  turnGamma,
  turnLambda = lambda,
}: AdvantageParams): string {
  if (isOne(gamma, lambda, turnGamma, turnLambda))
    return "All discounts are 1, so the difference comes from rewards inside turns: Bi-Level GAE keeps them in their turn.";
  const shrinks = gamma * lambda < 1;
  const discounts = turnGamma * turnLambda < 1;
  if (shrinks && discounts) {
    const reason =
      "Masked GAE shrinks a later surprise (δ) at every token on the way; Bi-Level GAE shrinks it once at each turn boundary, and by tokens only within a turn.";
    return turnGamma === gamma
      ? `${reason} That γ and γ turn are the same number does not make them equal: a turn costs one γ turn, but one γ for each of its tokens.`
      : reason;
  }
  if (shrinks)
    return "Masked GAE shrinks a later surprise (δ) at every token on the way; Bi-Level GAE carries it across turns undiminished and shrinks it by tokens only within a turn.";
  return "Masked GAE passes a later surprise (δ) back undiminished; Bi-Level GAE shrinks it once at each turn boundary.";
}
