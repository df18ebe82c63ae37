// The contract of every registered estimator, extensions included: what it may read, where it may answer, and that what it says
// of itself is true. Losses, rules, forms and layouts rely on it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replaceExtensions } from "../../extension/index.ts";
import type { AdvantageEstimator, AdvantageParams, AdvantageTokens } from "./estimator.ts";
import { layout } from "./generations.examples.ts";
import { estimators } from "./index.ts";
import { innerRewards, randomBatch } from "./testing.ts";
import { valueMask, valueTokensAt } from "./value-mask.ts";
import { whiten } from "./whiten.ts";

const builtIn = estimators.ids;
const path = new URL("../../../docs/examples/extension.mjs", import.meta.url).href;
const { default: extension } = (await import(/* @vite-ignore */ path)) as { default: unknown };
const EXTENSION = { name: "docs/examples/extension.mjs", factory: extension };
// The ids are needed now, to name the tests; the extension must not stay for the files that run in between.
const added = replaceExtensions([EXTENSION])[0]!.provides.flatMap(
  (one) => one.match(/^estimator (.*)/)?.[1] ?? [],
);
replaceExtensions([]);
beforeAll(() => void replaceExtensions([EXTENSION]));
afterAll(() => void replaceExtensions([]));

const join = (...parts: readonly ArrayLike<number>[]) => parts.flatMap((part) => Array.from(part));
const { rewards, values, gaeMask, turnEndMask } = innerRewards;

/** Two episodes of one level, the second longer by a turn and without its last reward. */
const pair: AdvantageTokens = {
  starts: [0, 11, 24],
  rewards: [...join(rewards), ...join(rewards).fill(0, 9), 0, 0.25],
  values: [...join(values, values), 9, 0.6],
  gaeMask: [...join(gaeMask, gaeMask), 0, 1],
  turnEndMask: [...join(turnEndMask, turnEndMask), 0, 1],
  baselines: [0.3, 0.4],
};
const params: AdvantageParams = { gamma: 0.9, lambda: 0.8, turnGamma: 0.7, turnAnchor: "end" };

/** `numbers` with other ones where the mask is 0. */
const disturbed = (numbers: ArrayLike<number>, mask: ArrayLike<number>) =>
  Array.from(numbers, (x, i) => (mask[i] ? x : x + 3 + i));

/** The batch with `more` observation tokens after every one that it has, and at its end, where padding would be. */
function stretched(tokens: AdvantageTokens, more: number): { tokens: AdvantageTokens; places: number[] } {
  const places: number[] = [];
  const out = {
    rewards: [0].slice(1),
    values: [0].slice(1),
    gaeMask: [0].slice(1),
    turnEndMask: [0].slice(1),
  };
  const starts = [0];
  const push = (reward: number, value: number, own: number, end: number) => {
    out.rewards.push(reward);
    out.values.push(value);
    out.gaeMask.push(own);
    out.turnEndMask.push(end);
  };
  for (let s = 0; s + 1 < tokens.starts.length; s++) {
    for (let i = tokens.starts[s]!; i < tokens.starts[s + 1]!; i++) {
      places.push(out.rewards.length);
      push(tokens.rewards[i]!, tokens.values[i]!, tokens.gaeMask[i]!, tokens.turnEndMask[i]!);
      if (!tokens.gaeMask[i]) for (let k = 0; k < more; k++) push(0, 5, 0, 0);
    }
    for (let k = 0; k < more; k++) push(0, 5, 0, 0);
    starts.push(out.rewards.length);
  }
  return { tokens: { ...tokens, ...out, starts }, places };
}

describe.each([...builtIn, ...added])("%s", (id) => {
  const estimator = (): AdvantageEstimator => estimators.get(id);
  const estimate = (others: Partial<AdvantageParams> = {}, tokens: AdvantageTokens = pair) =>
    estimator().estimate(tokens, { ...params, ...others });
  const differs = (a: object, b: object) => JSON.stringify(a) !== JSON.stringify(b);
  const isRead = (others: Partial<AdvantageParams>) => differs(estimate(others), estimate());
  const reads = (others: Partial<AdvantageTokens>) =>
    differs(estimate({}, { ...pair, ...others }), estimate());
  const ownTokens = (tokens: AdvantageTokens) =>
    Array.from(tokens.gaeMask, (own, i) => (own ? i : -1)).filter((i) => i >= 0);

  test("says which parameters it reads", () => {
    const { usesGamma, usesLambda, usesTurnGamma, ...said } = estimator();
    const clock = { gammaTurn: 0.5, lambdaTurn: 0.5, lambdaToken: 0.5, mix: 0.5 };
    // What an extension does not say of the first three is true of it for forms only, which then offer them.
    const isOwn = estimators.added.some((one) => one.id === id);
    const expected = (is: boolean, saidOf: boolean) => (isOwn && saidOf ? is : saidOf);
    const read = {
      gamma: isRead({ gamma: 0.5 }),
      lambda: isRead({ lambda: 0.5 }),
      turnGamma: isRead({ turnGamma: 0.5 }),
    };
    expect({
      ...read,
      turnAnchor: isRead({ turnAnchor: "start" }),
      groupStd: isRead({ groupStd: false }),
      carry: isRead({ carry: true }),
      clock: isRead({ clock }),
      lambdaByLength: isRead({ lambdaByLength: { kind: "relative_position", value: 0.5 } }),
      baselines: reads({ baselines: [1, 2] }),
    }).toEqual({
      gamma: expected(read.gamma, usesGamma !== false),
      lambda: expected(read.lambda, usesLambda !== false),
      turnGamma: expected(read.turnGamma, usesTurnGamma),
      turnAnchor: said.usesTurnAnchor === true,
      groupStd: said.usesGroupStd === true,
      carry: said.usesCarry === true,
      clock: said.usesClock === true,
      lambdaByLength: said.usesLambdaByLength === true,
      baselines: said.usesBaselines === true,
    });
    expect(said.undiscounted === true && usesGamma !== false).toBe(false);
  });

  test("reads λ only between turns, where it reads γ only there", () => {
    const own = { turnLambda: 0.6 };
    if (estimator().usesTurnGamma && estimator().usesGamma === false)
      expect(estimate({ ...own, lambda: 0.5 })).toEqual(estimate(own));
    else expect(estimator().usesGamma === false && estimator().usesLambda !== false).toBe(false);
  });

  test("reads values, and what comes after a cut episode, if it has a critic", () => {
    const hasCritic = estimator().valueTokens !== "none";
    expect(reads({ bootstrap: [3, 4] })).toBe(hasCritic);
    expect(reads({ values: new Float64Array(24) })).toBe(hasCritic);
  });

  test("gives observations no advantage, and reads none of their rewards and values", () => {
    if (estimator().usesEveryToken) return;
    const seen = {
      rewards: disturbed(pair.rewards, pair.gaeMask),
      values: disturbed(pair.values, pair.gaeMask),
    };
    expect(reads(seen)).toBe(false);
    const { advantages, returns } = estimate();
    const outside = (x: ArrayLike<number>) => Array.from(x).filter((_, i) => !pair.gaeMask[i]);
    expect(new Set([...outside(advantages), ...outside(returns)])).toEqual(new Set([0]));
    expect(reads({ rewards: disturbed(pair.rewards, pair.gaeMask), gaeMask: pair.gaeMask })).toBe(false);
  });

  test("says whether a score can sum the rewards of observations too", () => {
    if (estimator().usesEveryToken) return;
    const everywhere = { ...pair, rewards: disturbed(pair.rewards, pair.gaeMask) };
    const isSummed = differs(estimate({ scoreEveryToken: true }, everywhere), estimate({}, everywhere));
    expect(isSummed).toBe(estimator().usesScores === true);
  });

  test.each([1, 7])(
    "means the same in every layout: %i more tokens between turns, and at the end",
    (more) => {
      if (estimator().usesEveryToken) return;
      const { tokens, places } = stretched(pair, more);
      const [short, long] = [estimate(), estimate({}, tokens)];
      for (const key of ["advantages", "returns"] as const)
        expect(places.map((place) => long[key][place])).toEqual([...short[key]]);
      // Padding has no share in the moments of whitening either.
      const over = (of: AdvantageTokens) =>
        estimator().whitenOver === "turn_end" ? of.turnEndMask : of.gaeMask;
      const white = whiten(long.advantages, tokens.gaeMask, over(tokens));
      expect(places.map((place) => white[place])).toEqual([
        ...whiten(short.advantages, pair.gaeMask, over(pair)),
      ]);
    },
  );

  test("means the same where nothing lies between turns, unless observations restart it", () => {
    if (estimator().usesEveryToken) return;
    const others = estimator().usesCarry ? { carry: true } : {};
    const together = layout(0);
    const [conversation, rows] = [estimate(others, layout(1)), estimate(others, together)];
    for (const key of ["advantages", "returns"] as const)
      expect([...rows[key]]).toEqual(ownTokens(layout(1)).map((i) => conversation[key][i]));
  });

  test("declares where it has returns", () => {
    for (const turnAnchor of ["end", "start"] as const) {
      const own = Uint8Array.from(pair.gaeMask);
      const masks = { lossMask: own, gaeMask: own, turnEndMask: Uint8Array.from(pair.turnEndMask) };
      const trained = valueMask(valueTokensAt(estimator(), turnAnchor), masks);
      const { returns, advantages, valueMask: told } = estimate({ turnAnchor });
      if (told) expect([...told].every((mark, i) => !mark || own[i])).toBe(true);
      else if (estimator().valueTokens === "none") expect(trained.every((mark) => mark === 0)).toBe(true);
      else if (!estimator().usesEveryToken)
        expect([...returns].map((x) => Number(x !== 0))).toEqual([...trained]);
      expect([...returns, ...advantages].every(Number.isFinite)).toBe(true);
    }
  });

  test("compares trajectories of one group exactly if it says so", () => {
    const moved = { ...pair, rewards: Array.from(pair.rewards, (x, i) => (i === 23 ? x + 1 : x)) };
    const first = (tokens: AdvantageTokens) => estimate({}, tokens).advantages.slice(0, 11);
    expect(differs(first(moved), first(pair))).toBe(estimator().comparesGroups === true);
    const apart = { groups: [4, 2] };
    expect(first({ ...moved, ...apart })).toEqual(first({ ...pair, ...apart }));
  });

  test("counts no trajectory without a token of the policy, and no order of the batch", () => {
    const empty = {
      ...pair,
      starts: [0, 11, 24, 26],
      rewards: [...join(pair.rewards), 0, 0],
      values: [...join(pair.values), 1, 1],
      gaeMask: [...join(pair.gaeMask), 0, 0],
      turnEndMask: [...join(pair.turnEndMask), 0, 0],
      groups: [0, 0, 1],
      baselines: [0.3, 0.4, 0.5],
    };
    expect(estimate({}, empty).advantages.slice(0, 24)).toEqual(estimate().advantages);
    const swap = (x: ArrayLike<number>) => [...Array.from(x).slice(11), ...Array.from(x).slice(0, 11)];
    const swapped = {
      starts: [0, 13, 24],
      rewards: swap(pair.rewards),
      values: swap(pair.values),
      gaeMask: swap(pair.gaeMask),
      turnEndMask: swap(pair.turnEndMask),
      baselines: [0.4, 0.3],
    };
    const back = estimate({}, swapped).advantages;
    for (const [i, x] of swap(estimate().advantages).entries()) expect(back[i]).toBeCloseTo(x, 12);
  });

  test("leaves its input as it is, and repeats", () => {
    const batch = randomBatch(7, 5, { inner: true, bootstrap: true });
    const before = JSON.stringify(batch);
    const first = estimate({}, batch);
    expect(JSON.stringify(batch)).toBe(before);
    expect(estimate({}, batch)).toEqual(first);
  });
});

test("the contract covers an extension's estimator", () => {
  expect(added).toEqual(["reward_to_go"]);
});
