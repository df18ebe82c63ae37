import { describe, expect, it } from "vitest";
import type { AdvantageParams, AdvantageTokens } from "../../rl/advantage/estimator.ts";
import { fixture, fixtureExamples, fixturePositions } from "../../rl/advantage/generations.examples.ts";
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
import { DEFAULT_CLOCK } from "../../rl/advantage/variable-clock.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import {
  biLevelGae,
  GROUP_KIND,
  gae,
  groupAdvantage,
  LAMBDA_BY,
  maskedGae,
  trajectoryScore,
  turnGae,
  variableClockGae,
} from "./advantage.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** Estimators whose kernel compares scores, and its kind with and without the division. */
const COMPARING: Readonly<Record<string, readonly [keyof typeof GROUP_KIND, keyof typeof GROUP_KIND]>> = {
  grpo: ["grpo", "grpo_without_std"],
  trajectory_grpo: ["trajectory_grpo", "trajectory_grpo_without_std"],
  rloo: ["rloo", "rloo"],
  reinforce_plus_plus_baseline: ["grpo_without_std", "grpo_without_std"],
};

/** Estimators that have kernels; the others run on the CPU. */
const kernelled = estimators.all.filter(({ id }) => !["remax", "opo", "grpo_passk"].includes(id));

/** Runs the kernels of an estimator; what they do not write keeps the noise it finds. */
async function estimate(id: string, tokens: AdvantageTokens, params: AdvantageParams) {
  const { gamma, lambda, turnGamma, turnLambda = lambda, turnAnchor = "end", groupStd = true } = params;
  const { clock = DEFAULT_CLOCK, carry = false, scoreEveryToken = false, lambdaByLength } = params;
  const n = tokens.rewards.length;
  const s = tokens.starts.length - 1;
  const f32 = (x: ArrayLike<number>) => Float32Array.from(x);
  const starts = Uint32Array.from(tokens.starts);
  const rewards = f32(tokens.rewards);
  const mask = f32(tokens.gaeMask);
  const out = { advantages: noise(n, 91), returns: noise(n, 92) };
  const kinds = COMPARING[id];
  if (kinds) {
    const scored = { rewards, mask, starts, scores: noise(s, 93) };
    const summed = await runKernel(trajectoryScore, scored, { s }, { EVERY: scoreEveryToken ? 1 : 0 });
    const groups = Uint32Array.from(tokens.groups ?? new Uint32Array(s));
    const bound = { scores: summed.scores, groups, starts, mask, ...out };
    return runKernel(groupAdvantage, bound, { s }, { KIND: GROUP_KIND[kinds[groupStd ? 0 : 1]] });
  }
  const bootstrap = f32(tokens.bootstrap ?? new Float32Array(s));
  const common = { rewards, values: f32(tokens.values), starts, bootstrap, ...out };
  const lam_param = lambdaByLength?.value ?? 0;
  const byTokens = { s, gamma, lam: lambda, lam_param };
  const LAMBDA_KIND = { LAMBDA_BY: LAMBDA_BY[lambdaByLength?.kind ?? "off"] };
  if (id === "gae") return runKernel(gae, common, { s, gamma, lam: lambda });
  const masked = { ...common, mask };
  if (id === "masked_gae" || id === "token_level_gae")
    return runKernel(maskedGae, masked, byTokens, LAMBDA_KIND);
  if (id === "default_gae") return runKernel(maskedGae, masked, byTokens, { LUMPED: 1, ...LAMBDA_KIND });
  if (id === "reinforce_plus_plus") {
    const constants = { CRITIC: 0, RESET: carry ? 0 : 1 };
    return runKernel(maskedGae, masked, { ...byTokens, lam: 1 }, constants);
  }
  const turns = { ...masked, end_mask: f32(tokens.turnEndMask) };
  if (id === "bi_level_gae_variable_clock") {
    const { gammaTurn: gamma_turn, lambdaTurn: lambda_turn, lambdaToken: lambda_token, mix } = clock;
    return runKernel(variableClockGae, turns, { s, gamma_turn, lambda_turn, lambda_token, mix });
  }
  const bySize = { s, turn_gamma: turnGamma, turn_lam: turnLambda };
  const anchor = { START: turnAnchor === "start" ? 1 : 0 };
  if (id === "bi_level_gae") return runKernel(biLevelGae, turns, { ...bySize, gamma, lam: lambda }, anchor);
  if (id === "turn_wise_gae") return runKernel(turnGae, turns, { ...bySize, lam_param: 0 }, anchor);
  const perTurn = { s, turn_gamma: gamma, turn_lam: lambda, lam_param };
  if (id === "turn_level_gae")
    return runKernel(turnGae, turns, perTurn, { START: 1, SUMMED: 1, ...LAMBDA_KIND });
  if (id === "areal_turn_gae")
    return runKernel(turnGae, turns, perTurn, { START: 1, SUMMED: 1, DENSE: 1, ...LAMBDA_KIND });
  if (!id.startsWith("no_concat_gae")) throw new Error(`${id} has no kernel in this test`);
  return runKernel(turnGae, turns, perTurn, { START: id === "no_concat_gae" ? 1 : 0, SUMMED: 1 });
}

const at = (x: ArrayLike<number>) => policyPositions.map((i) => x[i] as number);

describe("advantage kernels", () => {
  it("have specs that agree with their shaders", () => {
    for (const spec of [
      gae,
      maskedGae,
      biLevelGae,
      turnGae,
      variableClockGae,
      trajectoryScore,
      groupAdvantage,
    ])
      expectSpecAgrees(spec as unknown as typeof gae);
  });

  it.each(workedExamples)("give the worked numbers of $estimator at $params", async (example) => {
    const got = await estimate(example.estimator, twoTurns, example.params);
    expectClose(at(got.advantages), example.advantages, { rtol: 0, atol: 1e-5 });
    expectClose(at(got.returns), example.returns, { rtol: 0, atol: 1e-5 });
  });

  it.each(fixtureExamples)("give the numbers of the fixture by $estimator at $params", async (example) => {
    const got = await estimate(example.estimator, fixture, example.params);
    const own = (x: ArrayLike<number>) => fixturePositions.map((i) => x[i] as number);
    expectClose(own(got.advantages), example.advantages, { rtol: 0, atol: 1e-6 });
    expectClose(own(got.returns), example.returns, { rtol: 0, atol: 1e-6 });
  });

  it.each(groupExamples.filter(({ estimator: id }) => id in COMPARING))(
    "compare scores within groups: $estimator $params",
    async (example) => {
      const tokens = { ...fourScores, ...("groups" in example && { groups: example.groups }) };
      const params = { gamma: 1, lambda: 1, turnGamma: 1, ...example.params };
      const got = await estimate(example.estimator, tokens, params);
      const firsts = [1, 5, 7, 9].map((i) => got.advantages[i] as number);
      expectClose(firsts, example.advantages, { rtol: 0, atol: 1e-5 });
    },
  );

  it("keep penalties on inner tokens inside their turn in Bi-Level GAE", async () => {
    const got = await estimate("bi_level_gae", innerRewards, innerRewardsExample.params);
    expectClose(at(got.advantages), innerRewardsExample.advantages, { rtol: 0, atol: 1e-5 });
  });

  it.each([1, 15, 17, 40])("equal the CPU estimators on %i random trajectories", async (episodes) => {
    const batch = randomBatch(episodes, episodes, { inner: true, bootstrap: true });
    // The smallest batches may be all observation; there must be something to compare in the others.
    if (episodes > 1) expect(batch.rewards.length).toBeGreaterThan(20);
    const usual = { gamma: 0.98, lambda: 0.93, turnGamma: 0.9 };
    const others = { ...usual, turnLambda: 0.6, turnAnchor: "start", groupStd: false, carry: true } as const;
    const clock = { gammaTurn: 0.8, lambdaTurn: 0.7, lambdaToken: 0.9, mix: 0.6 };
    const vapo = { ...usual, clock, lambdaByLength: { kind: "vapo", value: 0.4 } } as const;
    const relative = { ...usual, lambdaByLength: { kind: "relative_position", value: 0.5 } } as const;
    for (const estimator of kernelled) {
      for (const params of [usual, others, vapo, relative]) {
        const want = estimator.estimate(batch, params);
        const got = await estimate(estimator.id, batch, params);
        expectClose(got.advantages, want.advantages, { rtol: 1e-5, atol: 1e-5 });
        expectClose(got.returns, want.returns, { rtol: 1e-5, atol: 1e-5 });
      }
    }
  });

  it("sum the rewards of every token into scores when they are asked to", async () => {
    const params = { gamma: 1, lambda: 1, turnGamma: 1, scoreEveryToken: true };
    for (const id of Object.keys(COMPARING)) {
      const want = estimators.get(id).estimate(fourScores, params);
      const got = await estimate(id, fourScores, params);
      expectClose(got.advantages, want.advantages, { rtol: 1e-5, atol: 1e-5 });
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
