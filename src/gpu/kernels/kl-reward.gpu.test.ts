import { describe, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { klEstimateRef } from "./kl.ref.ts";
import { klReward } from "./kl-reward.ts";
import { expectSpecAgrees } from "./test-specs.ts";

describe("kl_reward", () => {
  it("has a spec that agrees with its shader", () => expectSpecAgrees(klReward));

  it.each([
    [1, 0],
    [63, 0],
    [130, 0],
    [130, 1],
  ])("takes the penalty from %i rewards inside the mask, or from all with EVERY %i", async (n, EVERY) => {
    const rewards = noise(n, 1);
    const old_logprobs = noise(n, 2, 2);
    const ref_logprobs = noise(n, 3, 2);
    const mask = Float32Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 1 : 0));
    for (const KIND of [1, 2, 3, 5] as const) {
      const want = Array.from(rewards, (reward, i) => {
        const d = (old_logprobs[i] as number) - (ref_logprobs[i] as number);
        return reward - (mask[i] || EVERY ? 0.05 * klEstimateRef(KIND, d).estimate : 0);
      });
      const got = await runKernel(
        klReward,
        { rewards, old_logprobs, ref_logprobs, mask },
        { n, kl_coef: 0.05 },
        { KIND, EVERY },
      );
      expectClose(got.rewards, want, { rtol: 1e-5, atol: 1e-6 });
    }
  });
});
