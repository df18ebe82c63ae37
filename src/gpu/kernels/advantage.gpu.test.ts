import { describe, expect, it } from "vitest";
import type { AdvantageParams, AdvantageTokens } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import {
  fourScores,
  groupExamples,
  innerRewards,
  innerRewardsExample,
  policyPositions,
  randomBatch,
  twoTurns,
  workedExamples,
} from "../../rl/advantage/testing.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import {
  biLevelGae,
  GROUP_KIND,
  gae,
  groupAdvantage,
  maskedGae,
  trajectoryScore,
  turnGae,
} from "./advantage.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** Runs the kernels of an estimator; what they do not write keeps the noise it finds. */
async function estimate(id: string, tokens: AdvantageTokens, params: AdvantageParams) {
  const { gamma, lambda, turnGamma, turnLambda = lambda, turnAnchor = "end", groupStd = true } = params;
  const n = tokens.rewards.length;
  const s = tokens.starts.length - 1;
  const f32 = (x: ArrayLike<number>) => Float32Array.from(x);
  const starts = Uint32Array.from(tokens.starts);
  const rewards = f32(tokens.rewards);
  const mask = f32(tokens.gaeMask);
  const out = { advantages: noise(n, 91), returns: noise(n, 92) };
  if (id === "grpo" || id === "rloo") {
    const summed = await runKernel(trajectoryScore, { rewards, mask, starts, scores: noise(s, 93) }, { s });
    const groups = Uint32Array.from(tokens.groups ?? new Uint32Array(s));
    const kind = id === "grpo" && !groupStd ? "grpo_without_std" : id;
    const bound = { scores: summed.scores, groups, starts, mask, ...out };
    return runKernel(groupAdvantage, bound, { s }, { KIND: GROUP_KIND[kind] });
  }
  const bootstrap = f32(tokens.bootstrap ?? new Float32Array(s));
  const common = { rewards, values: f32(tokens.values), starts, bootstrap, ...out };
  if (id === "gae") return runKernel(gae, common, { s, gamma, lam: lambda });
  const masked = { ...common, mask };
  if (id === "masked_gae") return runKernel(maskedGae, masked, { s, gamma, lam: lambda });
  if (id === "reinforce_plus_plus") return runKernel(maskedGae, masked, { s, gamma, lam: 1 }, { CRITIC: 0 });
  const turns = { ...masked, end_mask: f32(tokens.turnEndMask) };
  const bySize = { s, turn_gamma: turnGamma, turn_lam: turnLambda };
  const anchor = { START: turnAnchor === "start" ? 1 : 0 };
  if (id === "bi_level_gae") return runKernel(biLevelGae, turns, { ...bySize, gamma, lam: lambda }, anchor);
  if (id === "turn_wise_gae") return runKernel(turnGae, turns, bySize, anchor);
  const START = id === "no_concat_gae" ? 1 : 0;
  return runKernel(turnGae, turns, { s, turn_gamma: gamma, turn_lam: lambda }, { START });
}

const at = (x: ArrayLike<number>) => policyPositions.map((i) => x[i] as number);

describe("advantage kernels", () => {
  it("have specs that agree with their shaders", () => {
    for (const spec of [gae, maskedGae, biLevelGae, turnGae, trajectoryScore, groupAdvantage])
      expectSpecAgrees(spec as unknown as typeof gae);
  });

  it.each(workedExamples)("give the worked numbers of $estimator at $params", async (example) => {
    const got = await estimate(example.estimator, twoTurns, example.params);
    expectClose(at(got.advantages), example.advantages, { rtol: 0, atol: 1e-5 });
    expectClose(at(got.returns), example.returns, { rtol: 0, atol: 1e-5 });
  });

  it.each(groupExamples)("compare scores within groups: $estimator $params", async (example) => {
    const tokens = { ...fourScores, ...("groups" in example && { groups: example.groups }) };
    const params = { gamma: 1, lambda: 1, turnGamma: 1, ...example.params };
    const got = await estimate(example.estimator, tokens, params);
    const firsts = [1, 5, 7, 9].map((i) => got.advantages[i] as number);
    expectClose(firsts, example.advantages, { rtol: 0, atol: 1e-5 });
  });

  it("keep penalties on inner tokens inside their turn in Bi-Level GAE", async () => {
    const got = await estimate("bi_level_gae", innerRewards, innerRewardsExample.params);
    expectClose(at(got.advantages), innerRewardsExample.advantages, { rtol: 0, atol: 1e-5 });
  });

  it.each([1, 15, 17, 40])("equal the CPU estimators on %i random trajectories", async (episodes) => {
    const batch = randomBatch(episodes, episodes, { inner: true, bootstrap: true });
    // The smallest batches may be all observation; there must be something to compare in the others.
    if (episodes > 1) expect(batch.rewards.length).toBeGreaterThan(20);
    const usual = { gamma: 0.98, lambda: 0.93, turnGamma: 0.9 };
    const others = { ...usual, turnLambda: 0.6, turnAnchor: "start", groupStd: false } as const;
    for (const estimator of estimators.all) {
      for (const params of [usual, others]) {
        const want = estimator.estimate(batch, params);
        const got = await estimate(estimator.id, batch, params);
        expectClose(got.advantages, want.advantages, { rtol: 1e-5, atol: 1e-5 });
        expectClose(got.returns, want.returns, { rtol: 1e-5, atol: 1e-5 });
      }
    }
  });

  it("agree without discounts when rewards lie on turn ends only", async () => {
    const batch = randomBatch(77, 30, { bootstrap: true });
    const params = { gamma: 1, lambda: 1, turnGamma: 1 };
    const masked = await estimate("masked_gae", batch, params);
    const biLevel = await estimate("bi_level_gae", batch, params);
    // The sums are formed in a different order.
    expectClose(biLevel.advantages, masked.advantages, { rtol: 0, atol: 1e-5 });
  });
});
