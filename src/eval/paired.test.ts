import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { pairedDifference } from "./paired.ts";

const played = (scores: readonly (readonly [seed: number, score: number])[]) =>
  scores.map(([seed, score]) => ({ seed, turns: [], score })) as unknown as Trajectory[];
const scoreOf = (trajectory: Trajectory) => (trajectory as unknown as { score: number }).score;

test("levels that differ a lot leave no doubt where one player is always a little better", () => {
  const theirs = played([
    [1, 0],
    [2, 0.5],
    [3, 0.9],
  ]);
  const ours = played([
    [3, 1],
    [1, 0.1],
    [2, 0.6],
  ]);
  const { mean, half } = pairedDifference(ours, theirs, scoreOf)!;
  expect(mean).toBeCloseTo(0.1, 12);
  expect(half).toBeCloseTo(0, 12);
});

test("a worked example: differences of 0.2, 0 and 0.4", () => {
  // Two episodes of level 1 count as one, and level 9 was played by one player alone.
  const ours = played([
    [1, 0.1],
    [1, 0.3],
    [2, 0.5],
    [3, 0.8],
    [9, 1],
  ]);
  const theirs = played([
    [1, 0],
    [2, 0.5],
    [3, 0.4],
  ]);
  const { mean, half } = pairedDifference(ours, theirs, scoreOf)!;
  expect(mean).toBeCloseTo(0.2, 12);
  // The variance of the differences is 0.04.
  expect(half).toBeCloseTo(1.96 * Math.sqrt(0.04 / 3), 12);
});

test("nothing is said of a single level", () => {
  expect(pairedDifference(played([[1, 1]]), played([[1, 0]]), scoreOf)).toBeNull();
});
