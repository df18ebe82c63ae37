// How well the critic predicts where a turn begins and where it ends: a mean over all tokens hides both.
import { variance } from "../core/statistics.ts";
import { turnSpans } from "../rl/advantage/turns.ts";
import { explainedVariance, type Metrics } from "../rl/metrics.ts";
import type { PackedTrajectory } from "./batch.ts";

/** The values of a turn before its first and before its last token, and the returns to compare them with. */
interface TurnValues {
  /** Its number in the episode. */
  turn: number;
  start: number;
  end: number;
  returnAtStart: number;
  returnAtEnd: number;
}

/**
 * Values and returns of the turns of a trajectory, once `fillTrajectories` has run. A return is the one that the critic is trained
 * towards at that token: the sum of the turn's and all later rewards after shaping, discounted as the estimator does; below λ = 1
 * it also contains later values. An estimator that trains one value per turn has one return per turn, which then counts for
 * both ends. Turns without a trained value are left out.
 */
export function turnValues({ trajectory: { tokens }, valueMask }: PackedTrajectory): TurnValues[] {
  const { responseMask: gaeMask, turnEndMask, turnIndex, values, returns } = tokens;
  return turnSpans({ gaeMask, turnEndMask }, 0, gaeMask.length).flatMap(({ start, end }) => {
    const first = valueMask.indexOf(1, start);
    if (first < 0 || first > end) return [];
    const last = valueMask.lastIndexOf(1, end);
    return [
      {
        turn: turnIndex[end] as number,
        start: values[start] as number,
        end: values[end] as number,
        returnAtStart: returns[first] as number,
        returnAtEnd: returns[last] as number,
      },
    ];
  });
}

/**
 * Explained variance at the first and at the last token of turns, and the variance of the returns there, which is its weight in a mean over
 * updates. None without trained values.
 */
export function explainedAtTurns(packed: readonly PackedTrajectory[]): Metrics {
  const turns = packed.flatMap(turnValues);
  if (turns.length === 0) return {};
  return {
    ...explainedAt(
      "turn_start",
      turns.map(({ start }) => start),
      turns.map(({ returnAtStart }) => returnAtStart),
    ),
    ...explainedAt(
      "turn_end",
      turns.map(({ end }) => end),
      turns.map(({ returnAtEnd }) => returnAtEnd),
    ),
  };
}

const explainedAt = (
  place: "turn_start" | "turn_end",
  values: readonly number[],
  returns: readonly number[],
): Metrics => ({
  [`critic/vf_explained_var/${place}`]: explainedVariance(values, returns),
  [`critic/returns_var/${place}`]: returns.length < 2 ? 0 : variance(returns),
});
