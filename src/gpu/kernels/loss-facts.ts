// What the policy loss reads about each token, and the ratio of whole sequences.
import lossFactsCode from "#shaders/loss_facts.wgsl?raw";
import sequenceLogRatioCode from "#shaders/sequence_log_ratio.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";

/** Values of the constant BEHAVIOUR of `lossFacts`. */
export const BEHAVIOUR = { off: 0, mask: 1, clamp: 2 } as const;

/**
 * facts (Nb, 4) = old log-probability, advantage · advantage_scale · correction, ref policy log-probability, weight.
 * BEHAVIOUR is one of `BEHAVIOUR`; REF_POLICY 0 leaves the ref policy out. What is not read may be bound to any other buffer.
 */
export const lossFacts = defineKernel({
  label: "loss_facts",
  code: [lossFactsCode],
  uniforms: { n: "u32", advantage_scale: "f32", cap: "f32" },
  bindings: {
    old_logprobs: "read",
    advantages: "read",
    ref_logprobs: "read",
    weights: "read",
    rollout_logprobs: "read",
    facts: "read_write",
  },
  constants: { BEHAVIOUR: 0, REF_POLICY: 0 },
  grid: ({ n }) => grid1d(n, 64),
});

/** Which tokens share a ratio, with the constants of `sequenceLogRatio`; `token`: none do. */
export const RATIO = {
  token: {},
  sequence: { TURNS: 0, PRODUCT: 0, CLIPPED: 0 },
  clipped_sequence: { TURNS: 0, PRODUCT: 0, CLIPPED: 1 },
  turn: { TURNS: 1, PRODUCT: 0, CLIPPED: 0 },
  turn_product: { TURNS: 1, PRODUCT: 1, CLIPPED: 0 },
} as const;

/** The log-ratio that the policy tokens of a sequence or turn share and their mean advantage, at all of its tokens: (Nb, 2). */
export const sequenceLogRatio = defineKernel({
  label: "sequence_log_ratio",
  code: [sequenceLogRatioCode],
  uniforms: { s: "u32", clip_low: "f32", clip_high: "f32" },
  bindings: {
    new_logprobs: "read",
    facts: "read",
    mask: "read",
    turn_end_mask: "read",
    starts: "read",
    group_ratio: "read_write",
  },
  constants: { TURNS: 0, PRODUCT: 0, CLIPPED: 0 },
  grid: ({ s }) => [Math.ceil(s / 16)],
});
