// Two players on the same levels. What makes a level hard is the same for both, so their difference is known far better than the results of
// either.
import { normalHalfWidth95 } from "../core/mean-interval.ts";
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";

/** The mean difference over the levels, and the half-width of its 95 % interval (paired, normal). */
export interface PairedDifference {
  readonly mean: number;
  readonly half: number;
}

/**
 * How much more `ours` has of something than `theirs`, over the levels that both have played; several episodes of a level are averaged first.
 * @returns null with fewer than two such levels.
 */
export function pairedDifference(
  ours: readonly Trajectory[],
  theirs: readonly Trajectory[],
  score: (trajectory: Trajectory) => number,
): PairedDifference | null {
  const [one, other] = [ours, theirs].map((trajectories) => byLevel(trajectories, score));
  const differences = [...one!].flatMap(([seed, value]) => {
    const opposite = other!.get(seed);
    return opposite === undefined ? [] : [value - opposite];
  });
  if (differences.length < 2) return null;
  return { mean: mean(differences), half: normalHalfWidth95(differences) };
}

/** The mean of each level, by its seed. */
function byLevel(
  trajectories: readonly Trajectory[],
  score: (trajectory: Trajectory) => number,
): Map<number, number> {
  const values = new Map<number, number[]>();
  for (const trajectory of trajectories) {
    values.set(trajectory.seed, [...(values.get(trajectory.seed) ?? []), score(trajectory)]);
  }
  return new Map([...values].map(([seed, all]) => [seed, mean(all)]));
}
