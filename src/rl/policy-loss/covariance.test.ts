import { expect, test } from "vitest";
import { expectClose } from "../../gpu/testing.ts";
import { type CovarianceTokens, clipCovTokens, covariances, klCovTokens } from "./covariance.ts";

/** Mean advantage 0.5, mean log-probability −1. */
const tokens: CovarianceTokens = {
  advantages: [1, -1, 2, 0],
  logprobs: [-1, -2, -0.5, -0.5],
  oldLogprobs: [-1, -2, -0.5, -0.5],
};
const options = { ratio: 0.5, low: 0.5, high: 1, clipLow: 0.2, clipHigh: 0.2 };
const inOrder = { ...options, shuffle: (indices: number[]) => indices };

test("a token's covariance is the product of its distances from the means", () => {
  expectClose(covariances(tokens), [0, 1.5, 0.75, -0.25]);
});

test("KL-Cov takes the highest, at least one, and none at a share of 0", () => {
  expect(klCovTokens(tokens, 0.5)).toEqual([1, 2]);
  expect(klCovTokens(tokens, 2e-4)).toEqual([1]);
  expect(klCovTokens(tokens, 0)).toEqual([]);
  expect(klCovTokens({ advantages: [], logprobs: [], oldLogprobs: [] }, 0.5)).toEqual([]);
});

test("Clip-Cov draws from those between the bounds, which are exclusive", () => {
  expect(clipCovTokens(tokens, inOrder)).toEqual([2]);
  expect(clipCovTokens(tokens, { ...inOrder, high: 5 })).toEqual([1, 2]);
  expect(clipCovTokens(tokens, { ...inOrder, low: 0.75, high: 5 })).toEqual([1]);
  expect(clipCovTokens(tokens, { ...inOrder, low: 2, high: 5 })).toEqual([]);
});

test("Clip-Cov takes a share of all tokens, whichever the shuffle puts first", () => {
  const reversed = { ...inOrder, high: 5, shuffle: (indices: number[]) => indices.toReversed() };
  expect(clipCovTokens(tokens, { ...reversed, ratio: 2e-4 })).toEqual([2]);
  expect(clipCovTokens(tokens, { ...reversed, ratio: 1 })).toEqual([2, 1]);
});

test("Clip-Cov leaves tokens alone that PPO clips already", () => {
  // Ratios of e^0.3 at a good token, and of e^−0.3 at a bad one.
  const moved = { ...tokens, oldLogprobs: [-1, -1.7, -0.8, -0.5] };
  expect(clipCovTokens(moved, { ...inOrder, high: 5 })).toEqual([]);
  const otherWay = { ...tokens, oldLogprobs: [-1, -2.3, -0.2, -0.5] };
  expect(clipCovTokens(otherWay, { ...inOrder, high: 5 })).toEqual([1, 2]);
});
