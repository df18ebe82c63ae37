// What the reference implementations compute on the same batches (golden/estimators.json says which, and how it was made).
import { describe, expect, test } from "vitest";
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens } from "./estimator.ts";
import golden from "./golden/estimators.json" with { type: "json" };
import { estimators } from "./index.ts";
import { whiten } from "./whiten.ts";

type Batch = (typeof golden.batches)[number];
type Expected = Batch["expected"];

/** The rows of a batch one after another. */
function tokensOf({ rows }: Batch): AdvantageTokens {
  const starts = [0];
  for (const { mask } of rows) starts.push((starts.at(-1) as number) + mask.length);
  return {
    starts,
    rewards: rows.flatMap((row) => row.rewards),
    values: rows.flatMap((row) => row.values),
    gaeMask: rows.flatMap((row) => row.mask),
    turnEndMask: rows.flatMap((row) => row.ends),
    groups: rows.map((row) => row.group),
  };
}

/** Tolerances that the file states: the reference whitens in single precision. */
function expectNear(got: ArrayLike<number>, want: readonly number[], tolerance = 1e-6): void {
  expect(got.length).toBe(want.length);
  for (const [i, x] of want.entries()) expect(Math.abs((got[i] as number) - x)).toBeLessThan(tolerance);
}

const paramsOf = (batch: Batch): AdvantageParams => ({
  gamma: batch.gamma,
  lambda: batch.lambda,
  turnGamma: 0.5,
});

/** Legacy's plain GAE lets every token take part, and whitens over every token. */
const everyToken = (tokens: AdvantageTokens): AdvantageTokens => ({
  ...tokens,
  gaeMask: Array.from(tokens.gaeMask, () => 1),
});

describe.each(golden.batches.map((batch, i) => [i, batch] as const))("batch %i", (_, batch) => {
  const tokens = tokensOf(batch);
  const params = paramsOf(batch);
  const policy = Array.from(tokens.gaeMask, (own, i) => (own ? i : -1)).filter((i) => i >= 0);

  test.each(["masked_gae", "token_level_gae", "gae"] as const)("%s", (id) => {
    const seen = id === "gae" ? everyToken(tokens) : tokens;
    const want = batch.expected[id === "gae" ? "gae" : "masked_gae"];
    const { advantages, returns } = estimators.get(id).estimate(seen, params);
    expectNear(advantages, want.advantages.flat());
    expectNear(returns, want.returns.flat());
    expectNear(whiten(advantages, seen.gaeMask), want.whitened.flat(), 1e-5);
  });

  test("reinforce_plus_plus", () => {
    const { advantages, returns } = estimators.get("reinforce_plus_plus").estimate(tokens, params);
    expectNear(returns, batch.expected.reinforce_plus_plus.returns.flat());
    expectNear(whiten(advantages, tokens.gaeMask), batch.expected.reinforce_plus_plus.whitened.flat(), 1e-5);
  });

  test.each(["grpo", "grpo_without_std", "rloo"] as const)("%s", (id) => {
    const estimator = estimators.get(id === "rloo" ? id : "grpo");
    const { advantages } = estimator.estimate(tokens, { ...params, groupStd: id === "grpo" });
    const perRow = batch.rows.map((row, s) => row.mask.map((own) => own * (batch.expected[id][s] as number)));
    expectNear(advantages, perRow.flat());
  });

  test.each(["no_concat_gae", "no_concat_gae_last"] as const)("%s", (id) => {
    expectTurns(estimators.get(id), tokens, params, batch.expected[id]);
    // One reward a turn: then the estimator of VAGEN 2026 is the same.
    if (id === "no_concat_gae")
      expectTurns(estimators.get("turn_level_gae"), tokens, params, batch.expected[id]);
  });

  test("reads nothing of tokens that the policy did not write", () => {
    expect(policy.length).toBeGreaterThan(3);
    const noise = (x: ArrayLike<number>) => Array.from(x, (y, i) => (tokens.gaeMask[i] ? y : 7));
    const seen = { ...tokens, values: noise(tokens.values), rewards: noise(tokens.rewards) };
    const { advantages } = estimators.get("masked_gae").estimate(seen, params);
    expectNear(advantages, batch.expected.masked_gae.advantages.flat());
  });
});

/** One advantage per turn for all of its tokens, and one return. */
function expectTurns(
  estimator: AdvantageEstimator,
  tokens: AdvantageTokens,
  params: AdvantageParams,
  turns: Expected["no_concat_gae"],
): void {
  const { advantages, returns } = estimator.estimate(tokens, params);
  const white = whiten(advantages, tokens.gaeMask);
  const places = turns.map(({ row, at }) => (tokens.starts[row] as number) + at);
  const pick = (x: ArrayLike<number>) => places.map((place) => x[place] as number);
  expectNear(
    pick(advantages),
    turns.map(({ advantage }) => advantage),
  );
  expectNear(
    pick(returns),
    turns.map((turn) => turn.return),
  );
  expectNear(
    pick(white),
    turns.map(({ whitened }) => whitened),
    1e-5,
  );
  // What is not listed has no return, and the tokens between two turn ends have the advantage of the second.
  expect([...returns].filter((x, i) => x !== 0 && !places.includes(i))).toEqual([]);
  let next = 0;
  for (let i = advantages.length - 1; i >= 0; i--) {
    if (!tokens.gaeMask[i]) continue;
    if (tokens.turnEndMask[i]) next = advantages[i] as number;
    expect(advantages[i]).toBe(next);
  }
}
