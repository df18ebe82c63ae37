// The two generations of VAGEN's estimators: worked numbers, and where they are the same algorithm.
import { describe, expect, test } from "vitest";
import { biLevelGae } from "./bi-level-gae.ts";
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens, TurnClock } from "./estimator.ts";
import {
  fixtureExamples,
  fixturePositions,
  layout,
  publishedExamples,
  publishedFixture,
} from "./generations.examples.ts";
import { estimators } from "./index.ts";
import { lambdaOf } from "./lambda.ts";
import { defaultGae, tokenLevelGae } from "./masked-gae.ts";
import { remax } from "./remax.ts";
import { policyPositions, randomBatch, twoTurns } from "./testing.ts";
import { arealTurnGae } from "./turn-wise-gae.ts";
import { turnSpans } from "./turns.ts";
import { biLevelGaeVariableClock, DEFAULT_CLOCK } from "./variable-clock.ts";
import { whiten } from "./whiten.ts";

const at = (x: ArrayLike<number>, positions: readonly number[]) => positions.map((i) => x[i] as number);

function expectNear(got: ArrayLike<number>, want: ArrayLike<number>, digits = 6) {
  expect(got.length).toBe(want.length);
  for (let i = 0; i < want.length; i++) expect(got[i]).toBeCloseTo(want[i] as number, digits);
}

describe.each([
  ["a conversation", 1, fixturePositions],
  ["a conversation with long observations", 4, [0, 1, 2, 7, 8, 9]],
  ["rows that touch", 0, [0, 1, 2, 3, 4, 5]],
] as const)("the fixture as %s", (_, between, positions) => {
  test.each(fixtureExamples)("$estimator at $params", ({ estimator: id, params, ...want }) => {
    const tokens = layout(between);
    const { advantages, returns } = estimators.get(id).estimate(tokens, params);
    expectNear(at(advantages, positions), want.advantages);
    expectNear(at(returns, positions), want.returns);
    expectNear(at(whiten(advantages, tokens.gaeMask), positions), want.whitened, 5);
  });
});

test.each(publishedExamples)("the published Bi-Level GAE at $params", ({ params, ...want }) => {
  const { advantages, returns } = estimators.get("bi_level_gae_published").estimate(publishedFixture, params);
  expectNear(at(advantages, fixturePositions), want.advantages);
  expectNear(at(returns, fixturePositions), want.returns);
});

/** Three turns of three, two and one tokens, with VAGEN's own numbers. */
const repository: AdvantageTokens = {
  starts: [0, 8],
  rewards: [0, 0, 0.3, 0, 0, -0.2, 0, 1],
  values: [0.1, 0.25, 0.4, 9.9, 0.55, 0.7, 9.9, 0.85],
  gaeMask: [1, 1, 1, 0, 1, 1, 0, 1],
  turnEndMask: [0, 0, 1, 0, 0, 1, 0, 1],
};

test.each([
  [1, [1, 0.85, 0.7, 0.25, 0.1, 0.15]],
  [0.99, [0.9821, 0.8321, 0.6821, 0.24, 0.09, 0.15]],
  [0.9, [0.83, 0.68, 0.53, 0.15, 0, 0.15]],
])("the published Bi-Level GAE of three turns at γ turn %f", (turnGamma, want) => {
  const { advantages } = biLevelGae.estimate(repository, { gamma: 1, lambda: 1, turnGamma });
  expectNear(at(advantages, [0, 1, 2, 4, 5, 7]), want);
});

test("whitened, it leaves token-level GAE by 0.0177 at γ turn 0.99 and by 0.2067 at 0.9", () => {
  const gap = (turnGamma: number) => {
    const [a, b] = [biLevelGae, tokenLevelGae].map((one) =>
      whiten(one.estimate(repository, { gamma: 1, lambda: 1, turnGamma }).advantages, repository.gaeMask),
    ) as [Float64Array, Float64Array];
    return Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));
  };
  expect(gap(1)).toBeLessThan(1e-14);
  expect(gap(0.99)).toBeCloseTo(0.0177, 4);
  expect(gap(0.9)).toBeCloseTo(0.2067, 4);
});

const SEEDS = Array.from({ length: 200 }, (_, i) => i + 1);

/** Largest difference of two estimators' advantages and returns over many random batches, each with its own rewards. */
function largestGap(
  [first, firstParams]: readonly [AdvantageEstimator, AdvantageParams],
  [second, secondParams]: readonly [AdvantageEstimator, AdvantageParams],
  batches: readonly AdvantageTokens[],
): number {
  let gap = 0;
  for (const batch of batches) {
    const a = first.estimate(batch, firstParams);
    const b = second.estimate(batch, secondParams);
    for (const key of ["advantages", "returns"] as const)
      for (const [i, x] of a[key].entries()) gap = Math.max(gap, Math.abs(x - b[key][i]!));
  }
  return gap;
}

const paidAtTurnEnds = SEEDS.map((seed) => randomBatch(seed, 5));
const paidInside = SEEDS.map((seed) => randomBatch(seed, 5, { inner: true }));

/** The rewards of each turn on its last token. */
function byTurn(batch: AdvantageTokens): AdvantageTokens {
  const rewards = new Float64Array(batch.rewards.length);
  for (const { start, end } of turnSpans(batch, 0, rewards.length))
    for (let i = start; i <= end; i++) rewards[end]! += batch.rewards[i]!;
  return { ...batch, rewards };
}

describe("published Bi-Level GAE and token-level GAE", () => {
  const params = (gamma: number, lambda: number, turnGamma: number) => ({ gamma, lambda, turnGamma });
  const gap = (of: AdvantageParams, batches: readonly AdvantageTokens[]) =>
    largestGap([biLevelGae, of], [tokenLevelGae, of], batches);

  test("are the same where γ, γ turn and λ are 1 and rewards lie on turn ends", () => {
    expect(gap(params(1, 1, 1), paidAtTurnEnds)).toBeLessThan(1e-12);
    expect(gap(params(1, 1, 1), paidInside.map(byTurn))).toBeLessThan(1e-12);
  });

  test("are not the same for rewards inside turns", () => {
    expect(gap(params(1, 1, 1), paidInside)).toBeGreaterThan(0.5);
  });

  test("are not the same where γ turn equals γ below 1, since a turn costs one γ turn and many γ", () => {
    expect(gap(params(0.99, 1, 0.99), paidAtTurnEnds)).toBeGreaterThan(0.05);
    expect(gap(params(0.9, 1, 0.9), paidAtTurnEnds)).toBeGreaterThan(0.5);
  });

  test.each([
    [1, 0.95, 1],
    [1, 1, 0.95],
    [0.95, 1, 1],
  ])("are not the same at γ %f, λ %f, γ turn %f", (...discounts) => {
    expect(gap(params(...discounts), paidAtTurnEnds)).toBeGreaterThan(0.05);
  });
});

describe("the variable clock", () => {
  const plain = { gamma: 1, lambda: 1, turnGamma: 1 };
  const withClock = (clock: Partial<TurnClock>): AdvantageParams => ({
    ...plain,
    clock: { ...DEFAULT_CLOCK, ...clock },
  });

  test("is the published estimator at mix 1 and both λ 1, for rewards on turn ends", () => {
    const clock = withClock({ gammaTurn: 0.9, lambdaTurn: 1, lambdaToken: 1, mix: 1 });
    const published = { ...plain, turnGamma: 0.9 };
    const pairOf = [
      [biLevelGaeVariableClock, clock],
      [biLevelGae, published],
    ] as const;
    expect(largestGap(...pairOf, paidAtTurnEnds)).toBeLessThan(1e-12);
    expect(largestGap(...pairOf, paidInside)).toBeGreaterThan(0.05);
  });

  test.each([
    ["turns cost nothing", { gammaTurn: 1, lambdaTurn: 1, lambdaToken: 1 }, 1],
    ["λ is the same everywhere", { gammaTurn: 1, lambdaTurn: 0.9, lambdaToken: 0.9 }, 0.9],
    ["nothing is mixed in", { lambdaToken: 0.9, mix: 0 }, 0.9],
  ])("is token-level GAE where %s", (_, clock, lambda) => {
    expect(
      largestGap(
        [biLevelGaeVariableClock, withClock(clock)],
        [tokenLevelGae, { ...plain, lambda }],
        paidInside,
      ),
    ).toBeLessThan(1e-12);
  });

  test("counts every end of a turn", () => {
    const three: AdvantageTokens = {
      starts: [0, 3],
      rewards: [0, 0, 1],
      values: [0, 0, 0],
      gaeMask: [1, 1, 1],
      turnEndMask: [1, 1, 1],
    };
    const { advantages } = biLevelGaeVariableClock.estimate(three, withClock({ mix: 1 }));
    expectNear(advantages, [0.95 ** 4, 0.95 ** 2, 1]);
    expect(advantages[0]).toBeCloseTo(0.8145, 4);
  });

  test.each([
    [
      [0, 1, 0, 0],
      [1, 1, 0, 0],
      [0.866025, 0.866025, -0.866025, -0.866025],
    ],
    [
      [0, 0, 0, 1],
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
  ])("leaves rewards %j of one turn where they were earned", (rewards, returns, whitened) => {
    const one = {
      starts: [0, 4],
      rewards,
      values: [0, 0, 0, 0],
      gaeMask: [1, 1, 1, 1],
      turnEndMask: [0, 0, 0, 1],
    };
    const got = biLevelGaeVariableClock.estimate(one, plain);
    expectNear(got.returns, returns);
    expectNear(whiten(got.advantages, one.gaeMask), whitened);
  });
});

test("default GAE is indifferent to when an episode is paid", () => {
  const params = { gamma: 0.9, lambda: 0.8, turnGamma: 1 };
  const early = { ...twoTurns, rewards: [0, 0, 10.5, 0, 0, 0, 0, 0, 0, 0, 0] };
  const [first, second] = [early, twoTurns].map((tokens) => defaultGae.estimate(tokens, params));
  expect(first).toEqual(second);
  const { returns } = defaultGae.estimate(twoTurns, { gamma: 1, lambda: 1, turnGamma: 1 });
  expectNear(at(returns, policyPositions), [10.5, 10.5, 10.5, 10.5, 10.5]);
});

describe("AReaL's turn as the time step", () => {
  test("spreads advantages and returns over a turn", () => {
    const tokens = {
      starts: [0, 4],
      rewards: [0, 1, 0, 2],
      values: [0, 0, 0, 0],
      gaeMask: [1, 1, 1, 1],
      turnEndMask: [0, 1, 0, 1],
    };
    const { advantages } = arealTurnGae.estimate(tokens, { gamma: 1, lambda: 0.5, turnGamma: 1 });
    expectNear(advantages, [2, 2, 2, 2]);
  });

  test("begins with the value after a truncated episode", () => {
    const tokens = {
      starts: [0, 5],
      rewards: [0, 3, 0, 0, 4],
      values: [1, 5, 9, 2, 8],
      gaeMask: [1, 1, 0, 1, 1],
      turnEndMask: [0, 1, 0, 0, 1],
      bootstrap: [8],
    };
    const got = arealTurnGae.estimate(tokens, { gamma: 0.5, lambda: 0.25, turnGamma: 1 });
    expectNear(got.advantages, [3.75, 3.75, 0, 6, 6]);
    expectNear(at(got.returns, [0, 1, 3, 4]), [4.75, 4.75, 8, 8]);
    const cut = { ...layout(1), bootstrap: [0.8] };
    const { advantages, returns } = arealTurnGae.estimate(cut, { gamma: 1, lambda: 0.9, turnGamma: 1 });
    expectNear(at(advantages, [0, 4]), [1.71, 1.9]);
    expectNear(at(returns, [2, 6]), [2.21, 2.1]);
  });
});

describe("λ by length", () => {
  test.each([
    ["vapo", 1, [4, 2, 0], [0.75, 0.5, 0]],
    ["vapo", 0.05, [10, 20, 40, 100], [0, 0, 0.5, 0.8]],
    ["relative_position", 0.5, [0, 1, 2, 5, 100], [0, 1, 0.5, 0.840896, 0.993023]],
    ["relative_position", 1, [1, 3], [1, 1]],
  ] as const)("%s %f", (kind, value, lengths, want) => {
    const got = lengths.map((length) => lambdaOf({ lambda: 7, lambdaByLength: { kind, value } }, length));
    expectNear(got, want);
  });

  test("counts the policy's tokens, or the turns where turns are the steps", () => {
    const lambdaByLength = { kind: "vapo", value: 0.5 } as const;
    const params = { gamma: 1, lambda: 0.1, turnGamma: 1 };
    for (const [id, lambda] of [
      ["masked_gae", 1 - 1 / 2.5],
      ["areal_turn_gae", 0],
      ["turn_level_gae", 0],
    ] as const)
      expect(estimators.get(id).estimate(twoTurns, { ...params, lambdaByLength })).toEqual(
        estimators.get(id).estimate(twoTurns, { ...params, lambda }),
      );
  });
});

test("ReMax takes what the greedy policy earned off the rewards to come", () => {
  const tokens = { ...twoTurns, baselines: [4] };
  const { advantages, returns } = remax.estimate(tokens, { gamma: 0.5, lambda: 0.5, turnGamma: 0.5 });
  expectNear(at(advantages, policyPositions), [6.5, 6.5, 6.5, 6, 6]);
  expectNear(at(returns, policyPositions), [10.5, 10.5, 10.5, 10, 10]);
});

test("each Bi-Level GAE has a name that can mean no other", () => {
  expect(estimators.get("bi_level_gae_published")).toBe(biLevelGae);
  expect(estimators.get("bi_level_gae_2026")).toBe(biLevelGaeVariableClock);
  expect(estimators.get("bi_level_gae")).toBe(biLevelGae);
  expect(estimators.ids).not.toContain("bi_level_gae_2026");
  expect(() => estimators.add({ ...biLevelGae, id: "bi_level_gae_2026" })).toThrow(
    'The studio has the advantage estimator "bi_level_gae_2026" already.',
  );
});
