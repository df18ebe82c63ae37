import { describe, expect, it } from "vitest";
import type { AdvantageParams, CreditTokens } from "../../rl/advantage/estimator.ts";
import { estimators } from "../../rl/advantage/index.ts";
import {
  innerRewards,
  innerRewardsExample,
  policyPositions,
  randomBatch,
  twoTurns,
  workedExamples,
} from "../../rl/advantage/testing.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { biLevelGae, gae, maskedGae } from "./advantage.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** Runs the kernel of an estimator; what it does not write keeps the noise it finds. */
async function estimate(id: string, tokens: CreditTokens, { gamma, lambda, turnGamma }: AdvantageParams) {
  const n = tokens.rewards.length;
  const s = tokens.starts.length - 1;
  const f32 = (x: ArrayLike<number>) => Float32Array.from(x);
  const common = {
    rewards: f32(tokens.rewards),
    values: f32(tokens.values),
    starts: Uint32Array.from(tokens.starts),
    bootstrap: f32(tokens.bootstrap ?? new Float32Array(s)),
    advantages: noise(n, 91),
    returns: noise(n, 92),
  };
  const uniforms = { s, gamma, lam: lambda };
  if (id === "gae") return runKernel(gae, common, uniforms);
  const masked = { ...common, loss_mask: f32(tokens.lossMask) };
  if (id === "masked_gae") return runKernel(maskedGae, masked, uniforms);
  return runKernel(
    biLevelGae,
    { ...masked, end_mask: f32(tokens.turnEndMask) },
    { ...uniforms, turn_gamma: turnGamma },
  );
}

const at = (x: ArrayLike<number>) => policyPositions.map((i) => x[i] as number);

describe("advantage kernels", () => {
  it("have specs that agree with their shaders", () => {
    for (const spec of [gae, maskedGae]) expectSpecAgrees(spec as typeof gae);
    expectSpecAgrees(biLevelGae);
  });

  it.each(workedExamples)("give the worked numbers of $estimator at $params", async (example) => {
    const got = await estimate(example.estimator, twoTurns, example.params);
    expectClose(at(got.advantages), example.advantages, { rtol: 0, atol: 1e-5 });
    expectClose(at(got.returns), example.returns, { rtol: 0, atol: 1e-5 });
  });

  it("keep penalties on inner tokens inside their turn in Bi-Level GAE", async () => {
    const got = await estimate("bi_level_gae", innerRewards, innerRewardsExample.params);
    expectClose(at(got.advantages), innerRewardsExample.advantages, { rtol: 0, atol: 1e-5 });
  });

  it.each([1, 15, 17, 40])("equal the CPU estimators on %i random trajectories", async (episodes) => {
    const batch = randomBatch(episodes, episodes, { inner: true, bootstrap: true });
    // The smallest batches may be all observation; there must be something to compare in the others.
    if (episodes > 1) expect(batch.rewards.length).toBeGreaterThan(20);
    const params = { gamma: 0.98, lambda: 0.93, turnGamma: 0.9 };
    for (const estimator of estimators.all) {
      const want = estimator.estimate(batch, params);
      const got = await estimate(estimator.id, batch, params);
      expectClose(got.advantages, want.advantages, { rtol: 1e-5, atol: 1e-5 });
      expectClose(got.returns, want.returns, { rtol: 1e-5, atol: 1e-5 });
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
