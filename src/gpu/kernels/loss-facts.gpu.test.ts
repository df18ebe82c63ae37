import { describe, expect, it } from "vitest";
import { randomBatch } from "../../rl/advantage/testing.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { lossFactsRef } from "./loss-facts.ref.ts";
import { BEHAVIOUR, lossFacts, sequenceLogRatio } from "./loss-facts.ts";
import { sequenceLogRatioRef } from "./sequence-log-ratio.ref.ts";
import { expectSpecAgrees } from "./test-specs.ts";

describe("loss_facts", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(lossFacts);
    expectSpecAgrees(sequenceLogRatio);
  });

  it.each([1, 64, 65, 300])("equals its twin for %i tokens, with and without correction", async (n) => {
    const input = {
      old_logprobs: noise(n, 1, 2),
      advantages: noise(n, 2),
      ref_logprobs: noise(n, 3),
      weights: noise(n, 4),
      rollout_logprobs: noise(n, 5, 2),
    };
    for (const behaviour of ["off", "mask", "clamp"] as const) {
      for (const refPolicy of [false, true]) {
        const want = lossFactsRef(input, { advantage_scale: 0.7, cap: 1.5, behaviour, refPolicy });
        const got = await runKernel(
          lossFacts,
          { ...input, facts: noise(n * 4, 9) },
          { n, advantage_scale: 0.7, cap: 1.5 },
          { BEHAVIOUR: BEHAVIOUR[behaviour], REF_POLICY: refPolicy ? 1 : 0 },
        );
        expectClose(got.facts, want, { rtol: 1e-5, atol: 1e-6 });
      }
    }
  });

  it("corrects tokens of another policy by the worked ratio", () => {
    const input = {
      old_logprobs: [Math.log(0.6), Math.log(0.6)],
      advantages: [2, 2],
      ref_logprobs: [0, 0],
      weights: [1, 1],
      rollout_logprobs: [Math.log(0.3), Math.log(0.1)],
    };
    const correct = (behaviour: "mask" | "clamp") => {
      const facts = lossFactsRef(input, { advantage_scale: 1, cap: 5, behaviour, refPolicy: false });
      return [facts[1] as number, facts[5] as number];
    };
    // Ratios 2 and 6: the second is beyond the cap of 5.
    expectClose(correct("mask"), [4, 0]);
    expectClose(correct("clamp"), [4, 10]);
  });
});

describe("sequence_log_ratio", () => {
  it.each([1, 17, 40])("equals its twin on %i random trajectories", async (episodes) => {
    const { gaeMask, starts } = randomBatch(episodes, episodes);
    const n = gaeMask.length;
    if (episodes > 1) expect(n).toBeGreaterThan(20);
    const [new_logprobs, facts] = [noise(n, 1), noise(n * 4, 2)];
    const want = sequenceLogRatioRef(new_logprobs, facts, gaeMask, starts);
    const got = await runKernel(
      sequenceLogRatio,
      { new_logprobs, facts, mask: gaeMask, starts, log_ratio: noise(n, 3) },
      { s: episodes },
    );
    expectClose(got.log_ratio, want, { rtol: 1e-5, atol: 1e-6 });
  });
});
