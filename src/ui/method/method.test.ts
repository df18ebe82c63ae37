// The numbers that the panels draw are those of the estimators.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { biLevelGae } from "../../rl/advantage/bi-level-gae.ts";
import type { AdvantageParams } from "../../rl/advantage/estimator.ts";
import { maskedGae } from "../../rl/advantage/masked-gae.ts";
import {
  innerRewards,
  policyPositions,
  randomBatch,
  twoTurns,
  workedExamples,
} from "../../rl/advantage/testing.ts";
import { fakeReplay, WHITENED } from "../testing/fake-replay.ts";
import { stageAt } from "./bi-level-panel.tsx";
import { advantageTokens, hasValues, methodEpisode, paramsOf } from "./episode-tokens.ts";
import { differenceOf, isRounding, whyMaskedIsBiLevel, whyMaskedIsNotBiLevel } from "./identical.ts";
import { countSentence, maskCounts } from "./masks-panel.tsx";
import { bracketed, signed, written } from "./numbers.tsx";
import { fitRecorded } from "./recorded.ts";
import { contributionsByTurn, maskedSteps, type Step, turnSteps, withinTurnSteps } from "./recursion.ts";
import { extentWithZero, linear } from "./scale.ts";
import { plainMeaning, TERMS, type TermId } from "./terms.ts";
import { runsOf, tokenAxis } from "./token-axis.tsx";
import { lastJump, nearest } from "./token-gae-panel.tsx";
import { ghostText, identicalText, runAdvantages, turnWiseText } from "./what-if-panel.tsx";

const params: AdvantageParams = { gamma: 0.99, lambda: 0.95, turnGamma: 0.9 };
const ONES: AdvantageParams = { gamma: 1, lambda: 1, turnGamma: 1 };
const episode = methodEpisode(fakeReplay({ seed: 5, skill: 0.4 }));
const batchOf = (seed: number) => {
  const batch = randomBatch(seed, 1);
  return { ...batch, starts: [0, batch.gaeMask.length] };
};

/** A step's terms give its δ and its advantage. */
function expectConsistent(
  { reward, value, nextValue, delta, nextAdvantage, advantage }: Step,
  g: number,
  gl: number,
) {
  expect(delta).toBeCloseTo(reward + g * nextValue - value, 12);
  expect(advantage).toBeCloseTo(delta + gl * nextAdvantage, 12);
}

describe("the steps of masked GAE", () => {
  it.each(workedExamples.filter((one) => one.estimator === "masked_gae"))("are those of %o", (example) => {
    const steps = maskedSteps(twoTurns, example.params);
    expect(steps.map(({ index }) => index)).toEqual(policyPositions);
    for (const [k, step] of steps.entries()) expect(step.advantage).toBeCloseTo(example.advantages[k]!, 5);
  });
  it("add up, on any episode: what the formula shows is what the estimator returns", () => {
    for (let seed = 1; seed < 30; seed++)
      for (const step of maskedSteps(batchOf(seed), params)) expectConsistent(step, 0.99, 0.99 * 0.95);
  });
  it("jump over given tokens, and end after the last", () => {
    const steps = maskedSteps(twoTurns, params);
    expect(steps.map(({ next }) => next)).toEqual([3, 4, 8, 9, null]);
    expect(lastJump(steps)).toBe(2);
    expect(nearest(steps, 6)).toBe(2);
    expect(nearest(steps, 7)).toBe(3);
  });
  it("are the sum of what each turn adds", () => {
    const steps = maskedSteps(innerRewards, params);
    const parts = contributionsByTurn(steps, 1, 0.99 * 0.95, (index) => (index < 5 ? 1 : 2));
    expect(parts.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(parts[0]!.sum + parts[1]!.sum).toBeCloseTo(steps[1]!.advantage, 12);
  });
});

describe("the steps of Bi-Level GAE", () => {
  it.each(workedExamples.filter((one) => one.estimator === "bi_level_gae"))("are those of %o", (example) => {
    const steps = withinTurnSteps(twoTurns, example.params);
    for (const [k, step] of steps.entries()) expect(step.advantage).toBeCloseTo(example.advantages[k]!, 5);
  });
  it("give the last token of a turn the turn's advantage, and no successor", () => {
    const turns = turnSteps(innerRewards, params);
    const last = withinTurnSteps(innerRewards, params).filter(({ next }) => next === null);
    expect(last.map(({ index }) => index)).toEqual([4, 9]);
    expect(last.map(({ advantage }) => advantage)).toEqual(
      turns.map(({ advantage }) => expect.closeTo(advantage, 12)),
    );
  });
  it.each(["end", "start"] as const)("add up on both levels with values at turn %ss", (turnAnchor) => {
    for (let seed = 1; seed < 30; seed++) {
      const [tokens, settings] = [batchOf(seed), { ...params, turnAnchor, turnLambda: 0.8 }];
      for (const turn of turnSteps(tokens, settings)) expectConsistent(turn, 0.9, 0.9 * 0.8);
      for (const step of withinTurnSteps(tokens, settings)) expectConsistent(step, 0.99, 0.99 * 0.95);
    }
  });
  it("walk over the turns from the last, then over their tokens", () => {
    const stages = Array.from({ length: 6 }, (_, step) => stageAt(step, 3));
    expect(stages.map(({ level }) => level)).toEqual([...Array(3).fill("turns"), ...Array(3).fill("tokens")]);
    expect(stages.map(({ turn }) => turn)).toEqual([2, 1, 0, 2, 1, 0]);
  });
});

describe("whether masked and Bi-Level GAE are identical", () => {
  const isSame = (tokens: typeof twoTurns, settings: AdvantageParams) =>
    isRounding(differenceOf(maskedGae, biLevelGae, tokens, settings), tokens);

  it("is so with every discount at 1 and rewards at turn ends, and the reason says why", () => {
    expect(isSame(twoTurns, ONES)).toBe(true);
    expect(whyMaskedIsBiLevel(twoTurns, ONES)).toContain("All discounts and λ are 1");
    for (let seed = 1; seed < 50; seed++) expect(isSame(batchOf(seed), ONES), `${seed}`).toBe(true);
  });
  it("is so with a final reward only, and no longer once γ_turn is below 1", () => {
    const final = { ...twoTurns, rewards: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0] };
    expect(isSame(final, ONES)).toBe(true);
    const discounted = differenceOf(maskedGae, biLevelGae, final, { ...ONES, turnGamma: 0.95 });
    // The first turn's return is 0.95 in place of 1; the second is the same.
    expect(discounted.largest).toBeCloseTo(0.05, 12);
    expect(discounted.at).toBeLessThan(5);
    expect(discounted.perToken[9]).toBe(0);
  });
  it.each([
    [{ ...ONES, gamma: 0.999 }, "at every token on the way"],
    [{ ...ONES, lambda: 0.99 }, "at every token on the way"],
    [{ ...ONES, turnGamma: 0.999 }, "once at each turn boundary"],
  ])("is not so with %o", (settings, reason) => {
    expect(isSame(twoTurns, settings)).toBe(false);
    expect(whyMaskedIsNotBiLevel(settings)).toContain(reason);
  });
  it("is not so where γ_turn is γ, as long as that is below 1", () => {
    const alike = { ...ONES, gamma: 0.99, turnGamma: 0.99 };
    expect(isSame(twoTurns, alike)).toBe(false);
    expect(whyMaskedIsNotBiLevel(alike)).toContain("the same number does not make them equal");
    expect(whyMaskedIsNotBiLevel({ ...alike, turnGamma: 0.9 })).not.toContain("the same number");
  });
  it("is not so with rewards inside turns, which stay in their turn", () => {
    expect(isSame(innerRewards, ONES)).toBe(false);
    expect(whyMaskedIsNotBiLevel(ONES)).toContain("rewards inside turns");
  });
  it("is so with one turn, whatever the discounts", () => {
    const one = {
      ...twoTurns,
      gaeMask: [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0],
      turnEndMask: [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
    };
    expect(isSame(one, params)).toBe(true);
    expect(whyMaskedIsBiLevel(one, params)).toContain("one turn");
  });
  it("blames the episode when numbers agree by chance", () => {
    const empty = { ...twoTurns, values: new Float64Array(11), rewards: new Float64Array(11) };
    expect(isSame(empty, params)).toBe(true);
    expect(whyMaskedIsBiLevel(empty, params)).toContain("happen to");
  });
  it("is said in the panel with the numbers of the episode", () => {
    expect(identicalText(episode, ONES)).toMatch(
      /are identical on this episode, to within rounding\. All discounts/,
    );
    const settings = { ...ONES, turnGamma: 0.5 };
    const { largest, at } = differenceOf(maskedGae, biLevelGae, episode.tokens, settings);
    expect(identicalText(episode, settings)).toContain(
      `differ by up to ${written(largest)}, most at token ${at! + 1} `,
    );
    expect(turnWiseText(episode, settings)).toMatch(
      /^Turn-wise GAE agrees with Bi-Level GAE at the last token of every turn/,
    );
    const flat = { ...episode, tokens: { ...episode.tokens, values: new Float64Array(episode.count) } };
    expect(turnWiseText(flat, ONES)).toContain("identical to Bi-Level GAE here, too");
  });
});

describe("what the run recorded", () => {
  it("is recovered from whitened advantages", () => {
    const { advantages } = episode.replay.trajectory.tokens;
    const fit = fitRecorded(advantages, runAdvantages(episode)!, episode.kept)!;
    expect(fit.mean).toBeCloseTo(WHITENED.mean, 5);
    expect(fit.deviation).toBeCloseTo(WHITENED.deviation, 5);
    expect(fit.error).toBeLessThan(1e-6);
    expect(ghostText(episode)).toContain("matches the recorded advantages once whitening is undone");
  });
  it("needs no undoing where nothing was whitened", () => {
    expect(fitRecorded([0, 1, 2], [9, 1, 2], [1, 2])).toEqual({ mean: 0, deviation: 1, error: 0 });
  });
  it("needs none either where a mean of 0.000 and a deviation of 1.000 would be undone", () => {
    const fit = fitRecorded([1.0003, 2, 3.0003], [1, 2, 3], [0, 1, 2])!;
    expect(fit).toEqual({ mean: 0, deviation: 1, error: expect.closeTo(3e-4, 8) });
    expect(fitRecorded([1.003, 2.003, 3.003], [1, 2, 3], [0, 1, 2])!.mean).toBeCloseTo(-0.003, 8);
  });
  it("is reported as different when another estimator made it", () => {
    const other = { ...episode.replay, config: fakeReplay({ algorithm: { gamma: 0.8, lam: 0.8 } }).config };
    expect(ghostText(methodEpisode(other))).toContain("differ from it by up to");
  });
  it("may be nothing at all", () => {
    expect(fitRecorded(new Float32Array(3), [1, 2, 3], [0, 1, 2])).toBeNull();
    const grpo = {
      ...episode.replay,
      config: {
        ...episode.replay.config,
        algorithm: { ...episode.replay.config.algorithm, adv_estimator: "grpo" },
      },
    };
    expect(ghostText(methodEpisode(grpo as typeof episode.replay))).toContain("compares several episodes");
  });
});

describe("an episode", () => {
  it("is what the estimators take: trained rewards, and the response mask", () => {
    const { tokens } = episode.replay.trajectory;
    expect(advantageTokens(tokens)).toMatchObject({
      starts: [0, tokens.ids.length],
      rewards: tokens.rewards,
    });
    const trainRewards = Float32Array.from(tokens.rewards, (x) => 2 * x);
    expect(advantageTokens({ ...tokens, trainRewards }).rewards).toBe(trainRewards);
    expect(hasValues(episode)).toBe(true);
  });
  it("has the part of every token", () => {
    for (const i of episode.kept) expect(episode.kinds[i]).not.toBe("environment");
    expect(episode.kinds.filter((kind) => kind === "environment")).toHaveLength(
      episode.count - episode.kept.length,
    );
  });
  it("uses the run's discounts", () => {
    const { config } = fakeReplay({ algorithm: { lam: 0.9, use_high_level_lam: true, high_level_lam: 0.7 } });
    expect(paramsOf(config)).toMatchObject({
      gamma: 1,
      lambda: 0.9,
      turnGamma: 0.95,
      turnLambda: 0.7,
      turnAnchor: "end",
    });
    expect(paramsOf(fakeReplay({ algorithm: { lam: 0.9 } }).config).turnLambda).toBe(0.9);
  });
  it("is counted by mask", () => {
    const counts = maskCounts(episode);
    const { responseMask, turnEndMask, imagePatch } = episode.replay.trajectory.tokens;
    const sum = (mask: Uint8Array) => mask.reduce((a, b) => a + b, 0);
    expect(counts).toEqual({
      all: responseMask.length,
      written: sum(responseMask),
      given: responseMask.length - sum(responseMask),
      pictures: imagePatch.filter((patch) => patch >= 0).length,
      turnEnds: sum(turnEndMask),
    });
    expect(countSentence(counts, true)).toContain(`trains on ${counts.written} of ${counts.all} tokens`);
    expect(countSentence(counts, false)).toContain(`trains on all ${counts.all} tokens`);
  });
});

describe("drawing", () => {
  it("fills the width, but no column is too narrow to hit", () => {
    expect(tokenAxis(100, 1000).column).toBe(10);
    expect(tokenAxis(500, 600)).toMatchObject({ column: 4, width: 2000 });
    expect(tokenAxis(500, 300)).toMatchObject({ column: 2, width: 1000 });
  });
  it("merges neighbours of one look", () => {
    expect(runsOf(5, (i) => i > 2)).toEqual([
      { from: 0, to: 3, look: false },
      { from: 3, to: 5, look: true },
    ]);
  });
  it("scales upwards, with zero in view", () => {
    const extent = extentWithZero([2, -1], [0.5]);
    expect(extent).toEqual([-1, 2]);
    const scale = linear(extent, 10, 40);
    expect([scale(2), scale(0), scale(-1)]).toEqual([10, 30, 40]);
    expect(linear([0, 0], 10, 40)(0)).toBe(25);
  });
  it("writes zero without a sign, and negative factors in brackets", () => {
    expect([signed(-0.0001), signed(0.5), signed(-0.5)]).toEqual(["0.000", "+0.500", "−0.500"]);
    expect([bracketed(-0.25), bracketed(0.25), bracketed(-1e-9)]).toEqual(["(−0.250)", "0.250", "0.000"]);
  });
});

it("terms mean what docs/glossary.md says", () => {
  const glossary = readFileSync(join(import.meta.dirname, "../../../docs/glossary.md"), "utf8");
  for (const { meaning } of Object.values(TERMS)) expect(glossary).toContain(meaning.replace(/^1 on /, ""));
  for (const id of Object.keys(TERMS) as TermId[]) expect(plainMeaning(id)).toMatch(/^[A-Z1][^*`]+\.$/);
});
