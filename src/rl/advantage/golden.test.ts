// What the reference implementations compute on the same batches (golden/estimators.json says which, and how it was made).
import { describe, expect, test } from "vitest";
import {
  GOLDEN_BATCHES,
  goldenBatches,
  goldenCases,
  numbersFor,
  paramsFor,
  tokensFor,
  tokensOf,
} from "./golden-testing.ts";
import { estimators } from "./index.ts";
import { whiten } from "./whiten.ts";

/** Tolerances that the file states: the reference whitens in single precision. */
function expectNear(got: readonly number[], want: readonly number[] | undefined, tolerance = 1e-6): void {
  if (!want) return;
  expect(got).toHaveLength(want.length);
  for (const [i, x] of want.entries()) expect(Math.abs((got[i] as number) - x)).toBeLessThan(tolerance);
}

test("a case without numbers is refused", () => {
  const nothing = { ...goldenCases.rloo!, expected: () => ({ places: [0] }) };
  expect(() => numbersFor(nothing, goldenBatches[0]!)).toThrow("The case of rloo has no numbers");
  expect(() =>
    numbersFor({ ...nothing, expected: () => ({ places: [], returns: [] }) }, goldenBatches[0]!),
  ).toThrow();
});

test(`there are ${GOLDEN_BATCHES} batches of several rows`, () => {
  expect(goldenBatches).toHaveLength(GOLDEN_BATCHES);
  for (const { rows } of goldenBatches) expect(rows.length).toBeGreaterThan(1);
});

describe.each(goldenBatches.map((batch, i) => [i, batch] as const))("batch %i", (_, batch) => {
  test.each(Object.keys(goldenCases))("%s", (name) => {
    const one = goldenCases[name]!;
    const tokens = tokensFor(one, batch);
    const { places, ...want } = numbersFor(one, batch);
    const { advantages, returns } = estimators.get(one.estimator).estimate(tokens, paramsFor(one, batch));
    const pick = (x: ArrayLike<number>) => places.map((place) => x[place] as number);
    expectNear(pick(advantages), want.advantages);
    expectNear(pick(returns), want.returns);
    expectNear(pick(whiten(advantages, tokens.gaeMask)), want.whitened, 1e-5);
  });

  test.each(["no_concat_gae", "no_concat_gae_last", "turn_level_gae"])("%s is one number a turn", (name) => {
    const one = goldenCases[name]!;
    const tokens = tokensFor(one, batch);
    const { places } = one.expected(batch);
    const { advantages, returns } = estimators.get(one.estimator).estimate(tokens, paramsFor(one, batch));
    // What is not listed has no return, and the tokens between two turn ends have the advantage of the second.
    expect([...returns].filter((x, i) => x !== 0 && !places.includes(i))).toEqual([]);
    let next = 0;
    for (let i = advantages.length - 1; i >= 0; i--) {
      if (!tokens.gaeMask[i]) continue;
      if (tokens.turnEndMask[i]) next = advantages[i] as number;
      expect(advantages[i]).toBe(next);
    }
  });

  test("reads nothing of tokens that the policy did not write", () => {
    const tokens = tokensOf(batch);
    expect(Array.from(tokens.gaeMask).filter(Boolean).length).toBeGreaterThan(3);
    const noise = (x: ArrayLike<number>) => Array.from(x, (y, i) => (tokens.gaeMask[i] ? y : 7));
    const seen = { ...tokens, values: noise(tokens.values), rewards: noise(tokens.rewards) };
    const one = goldenCases.masked_gae!;
    const { advantages } = estimators.get("masked_gae").estimate(seen, paramsFor(one, batch));
    expectNear([...advantages], one.expected(batch).advantages);
  });
});
