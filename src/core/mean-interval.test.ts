import { describe, expect, test } from "vitest";
import { meanOverRuns, meanWithHalfWidth, normalHalfWidth95 } from "./mean-interval.ts";

test("the mean of many values has a normal interval", () => {
  // Mean 0.2, variance 0.04, so 1.96 · √(0.04 / 3).
  expect(normalHalfWidth95([0.2, 0, 0.4])).toBeCloseTo(0.226321, 6);
  expect(meanWithHalfWidth([0.2, 0, 0.4])).toBe("0.200 ± 0.226");
  expect(normalHalfWidth95([1])).toBeNaN();
});

describe("the mean over runs", () => {
  // Mean 0.8, standard deviation 0.1, so 4.303 · 0.1 / √3.
  test("three runs have t with two degrees of freedom", () => {
    const { mean, halfWidth } = meanOverRuns([0.7, 0.8, 0.9]);
    expect(mean).toBeCloseTo(0.8, 12);
    expect(halfWidth).toBeCloseTo(0.248434, 5);
  });

  test("two runs are hardly any evidence", () => {
    expect(meanOverRuns([0, 1]).halfWidth).toBeCloseTo(6.353, 3);
  });

  test("many runs approach the normal distribution", () => {
    const values = Array.from({ length: 100 }, (_, i) => i % 2);
    expect(meanOverRuns(values).halfWidth).toBeCloseTo((1.96 * 0.502519) / 10, 5);
  });

  test("a single run has no interval", () => {
    expect(meanOverRuns([0.5])).toEqual({ mean: 0.5, halfWidth: null });
  });
});
