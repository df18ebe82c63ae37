// Advantage estimators over the packed batch axis, one invocation per trajectory. Their CPU twins are rl/advantage/.
import biLevelGaeCode from "#shaders/bi_level_gae.wgsl?raw";
import gaeCode from "#shaders/gae.wgsl?raw";
import maskedGaeCode from "#shaders/masked_gae.wgsl?raw";
import { defineKernel } from "../kernel.ts";

/** GAE over every token of S trajectories. */
export const gae = defineKernel({
  label: "gae",
  code: [gaeCode],
  uniforms: { s: "u32", gamma: "f32", lam: "f32" },
  bindings: {
    rewards: "read",
    values: "read",
    starts: "read",
    bootstrap: "read",
    advantages: "read_write",
    returns: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** GAE over the policy's own tokens; 0 elsewhere. */
export const maskedGae = defineKernel({
  label: "masked_gae",
  code: [maskedGaeCode],
  uniforms: { s: "u32", gamma: "f32", lam: "f32" },
  bindings: {
    rewards: "read",
    values: "read",
    loss_mask: "read",
    starts: "read",
    bootstrap: "read",
    advantages: "read_write",
    returns: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** Turn-level GAE, then token-level GAE within each turn; 0 outside the policy's own tokens. */
export const biLevelGae = defineKernel({
  label: "bi_level_gae",
  code: [biLevelGaeCode],
  uniforms: { s: "u32", gamma: "f32", lam: "f32", turn_gamma: "f32" },
  bindings: {
    rewards: "read",
    values: "read",
    loss_mask: "read",
    end_mask: "read",
    starts: "read",
    bootstrap: "read",
    advantages: "read_write",
    returns: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});
