import { describe, expect, it } from "vitest";
import { biLevelGae } from "./bi-level-gae.ts";
import { gae } from "./gae.ts";
import { estimators } from "./index.ts";
import { maskedGae } from "./masked-gae.ts";
import {
  fourScores,
  groupExamples,
  innerRewards,
  innerRewardsExample,
  perTurnExamples,
  policyPositions,
  randomBatch,
  threeTurns,
  twoTurns,
  workedExamples,
} from "./testing.ts";
import { turnWiseGae } from "./turn-wise-gae.ts";
import { valueMask, valueTokensAt } from "./value-mask.ts";
import { maskedMoments, whiten } from "./whiten.ts";

const at = (x: ArrayLike<number>, positions: readonly number[]) => positions.map((i) => x[i] as number);

function expectNear(got: ArrayLike<number>, want: ArrayLike<number>, digits = 6) {
  expect(got.length).toBe(want.length);
  for (let i = 0; i < want.length; i++) expect(got[i]).toBeCloseTo(want[i] as number, digits);
}

describe("the estimators", () => {
  it.each(workedExamples)("give the worked numbers of $estimator at $params", (example) => {
    const estimator = estimators.get(example.estimator);
    const { advantages, returns } = estimator.estimate(twoTurns, example.params);
    expectNear(at(advantages, policyPositions), example.advantages, 5);
    expectNear(at(returns, policyPositions), example.returns, 5);
    const over = estimator.whitenOver === "turn_end" ? twoTurns.turnEndMask : twoTurns.gaeMask;
    expectNear(at(whiten(advantages, twoTurns.gaeMask, over), policyPositions), example.whitened, 5);
    const outside = [0, 1, 5, 6, 7, 10];
    expect(at(advantages, outside)).toEqual(new Array(6).fill(0));
    expect(at(returns, outside)).toEqual(new Array(6).fill(0));
  });

  it.each(perTurnExamples)("give a turn one advantage and one return at $params", (example) => {
    for (const [id, anchors] of [
      ["no_concat_gae", [1, 4, 7]],
      ["no_concat_gae_last", [2, 5, 8]],
    ] as const) {
      const { advantages, returns } = estimators.get(id).estimate(threeTurns, example.params);
      expectNear(at(advantages, [1, 4, 7]), example.advantages, 5);
      expectNear(at(advantages, [2, 5, 8]), example.advantages, 5);
      expectNear(at(returns, anchors), example.returns, 5);
      expect(returns.filter((x) => x !== 0)).toHaveLength(3);
    }
  });

  it("have returns where the values of turns are trained, wherever these are read", () => {
    for (const turnAnchor of ["end", "start"] as const) {
      const which = valueTokensAt(estimators.get("turn_wise_gae"), turnAnchor);
      const own = Uint8Array.from(twoTurns.gaeMask);
      const masks = { lossMask: own, gaeMask: own, turnEndMask: Uint8Array.from(twoTurns.turnEndMask) };
      const params = { gamma: 1, lambda: 1, turnGamma: 0.9, turnAnchor };
      const { returns } = estimators.get("turn_wise_gae").estimate(twoTurns, params);
      expect([...valueMask(which, masks)]).toEqual([...returns].map((x) => Number(x !== 0)));
    }
    expect(valueTokensAt(estimators.get("bi_level_gae"), "start")).toBe("trained");
    expect(valueTokensAt(estimators.get("no_concat_gae_last"), "start")).toBe("turn_end");
  });

  it.each(groupExamples)("compare scores within groups: $estimator $params", (example) => {
    const tokens = { ...fourScores, ...("groups" in example && { groups: example.groups }) };
    const params = { gamma: 1, lambda: 1, turnGamma: 1, ...example.params };
    const { advantages } = estimators.get(example.estimator).estimate(tokens, params);
    expectNear(at(advantages, [1, 5, 7, 9]), example.advantages, 5);
    expect(at(advantages, [0, 3, 6, 8])).toEqual([0, 0, 0, 0]);
  });

  it("are finite for a group of equal scores", () => {
    const tokens = { ...fourScores, rewards: [0, 0, 1, 0, 0, 1, 0, 1, 0, 1] };
    const params = { gamma: 1, lambda: 1, turnGamma: 1 };
    expect([...estimators.get("grpo").estimate(tokens, params).advantages]).toEqual(new Array(10).fill(0));
  });

  it("keep penalties on inner tokens inside their turn in Bi-Level GAE", () => {
    const { advantages } = biLevelGae.estimate(innerRewards, innerRewardsExample.params);
    expectNear(at(advantages, policyPositions), innerRewardsExample.advantages);
  });

  it("read of a penalty only what stands at turn ends in turn-wise GAE", () => {
    // Turn values 0.1 and 0.5: A₂ = 10.04 − 0.5, A₁ = 0.47 + 0.95·0.5 − 0.1 + 0.95·9.54.
    const { advantages } = turnWiseGae.estimate(innerRewards, innerRewardsExample.params);
    expectNear(at(advantages, policyPositions), [9.908, 9.908, 9.908, 9.54, 9.54]);
  });

  it("agree exactly without discounts when rewards lie on turn ends only", () => {
    const params = { gamma: 1, lambda: 1, turnGamma: 1 };
    for (let seed = 1; seed <= 200; seed++) {
      const batch = randomBatch(seed, 5, { bootstrap: seed % 2 === 0 });
      const masked = maskedGae.estimate(batch, params);
      const biLevel = biLevelGae.estimate(batch, params);
      expectNear(biLevel.advantages, masked.advantages, 10);
      expectNear(biLevel.returns, masked.returns, 10);
    }
  });

  it("differ once the turn discount is below 1", () => {
    const params = { gamma: 1, lambda: 1, turnGamma: 0.9 };
    const batch = randomBatch(3, 8);
    const difference = biLevelGae
      .estimate(batch, params)
      .advantages.map((x, i) => Math.abs(x - (maskedGae.estimate(batch, params).advantages[i] as number)));
    expect(Math.max(...difference)).toBeGreaterThan(0.01);
  });

  it("give the last token of a turn the turn's advantage", () => {
    const params = { gamma: 0.9, lambda: 0.8, turnGamma: 0.7 };
    const { advantages } = biLevelGae.estimate(twoTurns, params);
    const last = 10 - 0.5;
    expect(advantages[9]).toBeCloseTo(last, 12);
    expect(advantages[4]).toBeCloseTo(0.5 + 0.7 * 0.5 - 0.1 + 0.7 * 0.8 * last, 12);
  });

  it("let plain GAE walk every token: λ = 1 returns are discounted sums", () => {
    const { returns } = gae.estimate(
      { ...twoTurns, starts: [0, 5, 11], bootstrap: [0, 2] },
      { gamma: 0.5, lambda: 1, turnGamma: 1 },
    );
    expectNear(returns.slice(0, 5), [0.03125, 0.0625, 0.125, 0.25, 0.5]);
    expectNear(returns.slice(9), [10 + 0.25 * 2, 0.5 * 2]);
  });

  it("use the bootstrap value after the last policy token of a truncated episode only", () => {
    const params = { gamma: 1, lambda: 1, turnGamma: 0.5 };
    const cut = { ...twoTurns, bootstrap: [4] };
    expect(maskedGae.estimate(cut, params).returns[9]).toBeCloseTo(10 + 4, 12);
    expect(biLevelGae.estimate(cut, params).returns[9]).toBeCloseTo(10 + 0.5 * 4, 12);
    expect(maskedGae.estimate(cut, params).returns[10]).toBe(0);
  });

  it("never mix trajectories of different groups: a batch equals its parts", () => {
    const batch = {
      ...randomBatch(11, 6, { inner: true, bootstrap: true }),
      groups: [0, 1, 2, 3, 4, 5],
    };
    const params = { gamma: 0.97, lambda: 0.9, turnGamma: 0.8 };
    for (const estimator of estimators.all) {
      const whole = estimator.estimate(batch, params);
      for (let s = 0; s < 6; s++) {
        const [from, to] = [batch.starts[s] as number, batch.starts[s + 1] as number];
        const part = estimator.estimate(
          {
            starts: [0, to - from],
            rewards: batch.rewards.slice(from, to),
            values: batch.values.slice(from, to),
            gaeMask: batch.gaeMask.slice(from, to),
            turnEndMask: batch.turnEndMask.slice(from, to),
            bootstrap: batch.bootstrap.slice(s, s + 1),
            groups: [0],
          },
          params,
        );
        expect(part.advantages).toEqual(whole.advantages.slice(from, to));
      }
    }
  });
});

describe("whitening", () => {
  it("leaves mean 0 and variance 1 inside the mask and 0 outside", () => {
    const { values, gaeMask } = randomBatch(5, 10);
    const white = whiten(values, gaeMask);
    const { mean, variance } = maskedMoments(white, gaeMask);
    expect(mean).toBeCloseTo(0, 10);
    expect(variance).toBeCloseTo(1, 6);
    expect(white.every((x, i) => gaeMask[i] || x === 0)).toBe(true);
  });

  it("is finite for no token and for one", () => {
    expect(Array.from(whiten([3, 4], [0, 0]))).toEqual([0, 0]);
    expect(Array.from(whiten([3, 4], [0, 1]))).toEqual([0, 0]);
    expect(maskedMoments([3, 4], [0, 1])).toEqual({ count: 1, mean: 4, variance: 0, min: 4, max: 4, sum: 4 });
  });
});
