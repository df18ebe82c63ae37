// Clipped policy loss of PPO with entropy bonus and KL to the ref policy, gradient in place.
import klCode from "#shaders/lib/kl.wgsl?raw";
import policyLossCode from "#shaders/lib/policy_loss.wgsl?raw";
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import ppoLossCode from "#shaders/ppo_loss.wgsl?raw";
import { rowKernel } from "./rows.ts";

/** Values of the constants KL of `ppoLoss` and KIND of `klReward` (which knows k1, k2, k3 and abs only). */
export const KL_KIND = { off: 0, k1: 1, k2: 2, k3: 3, full: 4, abs: 5, "k1+": 6, "k3+": 7 } as const;

/** Values of the constant OBJECTIVE of `ppoLoss`, see lib/policy_loss.wgsl. */
export const OBJECTIVE = {
  clipped: 0,
  gpg: 1,
  cispo: 2,
  sapo: 3,
  clip_cov: 4,
  kl_cov: 5,
  geo_mean: 6,
} as const;

/** In place of a teacher's log-probability, which is never above 0: the token has no teacher. */
export const NO_TEACHER = 1;

/**
 * logits (R, stride) become scale·w·∂loss/∂logits; stats (R, 8), neither scaled nor weighted, in the order of `PPO_STATS`.
 * facts (Nb, 4) are those of `lossFacts`. KL is one of `KL_KIND`: `full` reads ref_logits (R, stride), or with
 * KEPT_REF 1 what `logSoftmaxRows` left on the batch axis (Nb, stride).
 * OBJECTIVE is one of `OBJECTIVE`. GROUPED 1 reads the ratio from groups (Nb, 2). OWN_MEAN 1 multiplies the policy's part by
 * policy_scale·policy_weights (Nb) in place of scale·w. PIVOT 1 imitates a teacher whose log-probabilities (Nb) are in
 * policy_weights from teacher_from on, `NO_TEACHER` where a token has none. What is not read may be bound to any buffer that this dispatch does not write.
 */
export const ppoLoss = rowKernel({
  label: "ppo_loss",
  code: [ppoLossCode, policyLossCode, softmaxRow, klCode],
  uniforms: {
    r: "u32",
    vocab: "u32",
    stride: "u32",
    scale: "f32",
    temperature: "f32",
    clip_low: "f32",
    clip_high: "f32",
    clip_c: "f32",
    entropy_coef: "f32",
    kl_coef: "f32",
    policy_scale: "f32",
    tau_pos: "f32",
    tau_neg: "f32",
    cov_kl_coef: "f32",
    teacher_from: "u32",
    pivot_coef: "f32",
    pivot_beta: "f32",
  },
  bindings: {
    logits: "read_write",
    ref_logits: "read",
    targets: "read",
    src: "read",
    facts: "read",
    groups: "read",
    policy_weights: "read",
    stats: "read_write",
  },
  constants: { KL: 0, OBJECTIVE: 0, GROUPED: 0, OWN_MEAN: 0, PIVOT: 0, KEPT_REF: 0 },
  rows: ({ r }) => r,
});

/** Columns of the statistics of `ppoLoss`. */
export const PPO_STATS = {
  pgLoss: 0,
  /** Estimate of KL(old ‖ new): old − new log-probability. */
  ppoKl: 1,
  clipped: 2,
  entropy: 3,
  /** KL to the ref policy as the constant KL defines it; 0 when off. */
  kl: 4,
  ratio: 5,
  logp: 6,
  /** 1 where the second clip of negative advantages won. */
  capped: 7,
} as const;
