// KL penalty inside the reward.
import klRewardCode from "#shaders/kl_reward.wgsl?raw";
import klCode from "#shaders/lib/kl.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** rewards (n) −= kl_coef·KL(old ‖ ref) where mask is 1; KIND is one of `KL_KIND`: k1, k2, k3 or abs. */
export const klReward = defineKernel({
  label: "kl_reward",
  code: [klRewardCode, klCode],
  uniforms: { n: "u32", kl_coef: "f32" },
  bindings: { rewards: "read_write", old_logprobs: "read", ref_logprobs: "read", mask: "read" },
  // EVERY 1: at every token, whatever the mask says.
  constants: { KIND: 1, EVERY: 0 },
  grid: ({ n }) => grid1d(n, 64),
});
