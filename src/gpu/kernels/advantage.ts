// Advantage estimators over the packed batch axis, one invocation per trajectory. Their CPU twins are rl/advantage/.
import biLevelGaeCode from "#shaders/bi_level_gae.wgsl?raw";
import gaeCode from "#shaders/gae.wgsl?raw";
import groupAdvantageCode from "#shaders/group_advantage.wgsl?raw";
import lambdaCode from "#shaders/lib/lambda.wgsl?raw";
import turnsCode from "#shaders/lib/turns.wgsl?raw";
import maskedGaeCode from "#shaders/masked_gae.wgsl?raw";
import trajectoryScoreCode from "#shaders/trajectory_score.wgsl?raw";
import turnGaeCode from "#shaders/turn_gae.wgsl?raw";
import variableClockCode from "#shaders/variable_clock_gae.wgsl?raw";
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

/** Values of the constant LAMBDA_BY: λ is the same for all, or a function of the length with `lam_param`. */
export const LAMBDA_BY = { off: 0, vapo: 1, relative_position: 2 } as const;

/**
 * GAE over the policy's own tokens; 0 elsewhere. CRITIC 0 takes every value as 0, RESET 1 starts again behind observations,
 * LUMPED 1 moves all rewards of a trajectory to its last policy token.
 */
export const maskedGae = defineKernel({
  label: "masked_gae",
  code: [maskedGaeCode, lambdaCode],
  constants: { CRITIC: 1, RESET: 0, LUMPED: 0, LAMBDA_BY: 0 },
  uniforms: { s: "u32", gamma: "f32", lam: "f32", lam_param: "f32" },
  bindings: {
    rewards: "read",
    values: "read",
    mask: "read",
    starts: "read",
    bootstrap: "read",
    advantages: "read_write",
    returns: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

const turnBindings = {
  rewards: "read",
  values: "read",
  mask: "read",
  end_mask: "read",
  starts: "read",
  bootstrap: "read",
  advantages: "read_write",
  returns: "read_write",
} as const;

/**
 * Turn-level GAE, then token-level GAE within each turn; 0 outside the policy's own tokens. START 1 reads a turn's value before
 * its first token.
 */
export const biLevelGae = defineKernel({
  label: "bi_level_gae",
  code: [biLevelGaeCode, turnsCode],
  constants: { START: 0 },
  uniforms: { s: "u32", gamma: "f32", lam: "f32", turn_gamma: "f32", turn_lam: "f32" },
  bindings: turnBindings,
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/**
 * One advantage per turn, and one return, at the token before which the turn's value is read, or with DENSE 1 at all of its
 * tokens. SUMMED 1 adds up the rewards of a turn.
 */
export const turnGae = defineKernel({
  label: "turn_gae",
  code: [turnGaeCode, turnsCode, lambdaCode],
  constants: { START: 0, SUMMED: 0, DENSE: 0, LAMBDA_BY: 0 },
  uniforms: { s: "u32", turn_gamma: "f32", turn_lam: "f32", lam_param: "f32" },
  bindings: turnBindings,
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** GAE over the policy's tokens with discounts at the ends of turns, mixed with GAE without them. */
export const variableClockGae = defineKernel({
  label: "variable_clock_gae",
  code: [variableClockCode],
  uniforms: { s: "u32", gamma_turn: "f32", lambda_turn: "f32", lambda_token: "f32", mix: "f32" },
  bindings: turnBindings,
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** Sum of rewards over the policy's tokens of each trajectory, or with EVERY 1 over all of its tokens. */
export const trajectoryScore = defineKernel({
  label: "trajectory_score",
  code: [trajectoryScoreCode],
  constants: { EVERY: 0 },
  uniforms: { s: "u32" },
  bindings: { rewards: "read", mask: "read", starts: "read", scores: "read_write" },
  grid: ({ s }) => [Math.ceil(s / 16)],
});

/** Values of the constant KIND of `groupAdvantage`. */
export const GROUP_KIND = {
  grpo: 0,
  grpo_without_std: 1,
  rloo: 2,
  trajectory_grpo: 3,
  trajectory_grpo_without_std: 4,
} as const;

/** Scores compared within groups, for every policy token of a trajectory. */
export const groupAdvantage = defineKernel({
  label: "group_advantage",
  code: [groupAdvantageCode],
  constants: { KIND: 0 },
  uniforms: { s: "u32" },
  bindings: {
    scores: "read",
    groups: "read",
    starts: "read",
    mask: "read",
    advantages: "read_write",
    returns: "read_write",
  },
  grid: ({ s }) => [Math.ceil(s / 16)],
});
