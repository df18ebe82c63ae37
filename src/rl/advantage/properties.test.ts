// What estimators say of themselves is true: forms and rules rely on it.
import { describe, expect, test } from "vitest";
import type { AdvantageParams, AdvantageTokens } from "./estimator.ts";
import { estimators } from "./index.ts";
import { innerRewards } from "./testing.ts";

/** Two episodes of one level, the second without its last reward. */
const pair: AdvantageTokens = {
  starts: [0, 11, 22],
  rewards: [...Array.from(innerRewards.rewards), ...Array.from(innerRewards.rewards).fill(0, 9)],
  values: [...Array.from(innerRewards.values), ...Array.from(innerRewards.values)],
  gaeMask: [...Array.from(innerRewards.gaeMask), ...Array.from(innerRewards.gaeMask)],
  turnEndMask: [...Array.from(innerRewards.turnEndMask), ...Array.from(innerRewards.turnEndMask)],
};
const params: AdvantageParams = { gamma: 0.9, lambda: 0.8, turnGamma: 0.7, turnAnchor: "end" };

describe.each(estimators.all)("$id", (estimator) => {
  const estimate = (others: Partial<AdvantageParams>, tokens = pair) =>
    estimator.estimate(tokens, { ...params, ...others });
  const isRead = (others: Partial<AdvantageParams>) =>
    JSON.stringify(estimate(others)) !== JSON.stringify(estimate({}));

  test("says which parameters it reads", () => {
    expect({
      gamma: isRead({ gamma: 0.5 }),
      lambda: isRead({ lambda: 0.5 }),
      turnGamma: isRead({ turnGamma: 0.5 }),
      turnAnchor: isRead({ turnAnchor: "start" }),
    }).toEqual({
      gamma: estimator.usesGamma !== false,
      lambda: estimator.usesLambda !== false,
      turnGamma: estimator.usesTurnGamma,
      turnAnchor: estimator.usesTurnAnchor === true,
    });
  });

  test("reads values, and what comes after a cut episode, if it has a critic", () => {
    const hasCritic = estimator.valueTokens !== "none";
    const reads = (others: Partial<AdvantageTokens>) =>
      JSON.stringify(estimate({}, { ...pair, ...others })) !== JSON.stringify(estimate({}));
    expect(reads({ bootstrap: [3, 4] })).toBe(hasCritic);
    expect(reads({ values: new Float64Array(22) })).toBe(hasCritic);
  });

  test("reads λ only between turns, where it reads γ only there", () => {
    const own = { turnLambda: 0.6 };
    if (estimator.usesTurnGamma && estimator.usesGamma === false)
      expect(estimate({ ...own, lambda: 0.5 })).toEqual(estimate(own));
    else expect(estimator.usesGamma === false && estimator.usesLambda !== false).toBe(false);
  });
});
