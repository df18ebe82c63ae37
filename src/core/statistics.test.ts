import { expect, test } from "vitest";
import { countMarked, mean, populationVariance } from "./statistics.ts";

test("mean, variance with the count as divisor, and marks of a mask", () => {
  expect(mean([1, 2, 6])).toBe(3);
  // (4 + 1 + 9) / 3
  expect(populationVariance([1, 2, 6])).toBeCloseTo(14 / 3, 12);
  expect(populationVariance([5])).toBe(0);
  expect(countMarked(Uint8Array.of(1, 0, 1, 1))).toBe(3);
  expect(countMarked(new Uint8Array(0))).toBe(0);
});
