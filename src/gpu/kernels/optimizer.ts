// Gradient norm, of all parameters or of policy and critic each, clipping and AdamW. Nothing is read back: scales, validity and
// step counts of policy and critic stay in a state buffer each.
import adamwCode from "#shaders/adamw.wgsl?raw";
import gradNormFinishCode from "#shaders/grad_norm_finish.wgsl?raw";
import gradNormPartialsCode from "#shaders/grad_norm_partials.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { rowKernel } from "./rows.ts";

/** Length of the buffer between the two stages of the norm. */
export const GRAD_NORM_PARTIALS = 1024;

/** Steps in a row that are skipped for non-finite gradients before a run is stopped; STOP of grad_norm_finish.wgsl. */
export const MAX_SKIPPED_IN_A_ROW = 3;

/** Places in a state buffer of 8 floats. */
export const OPTIMIZER_STATE = {
  /** Norm of the last gradient; 0 when it was not finite. */
  norm: 0,
  /** Factor that clipping applied to it. */
  scale: 1,
  /** 1 when the step was taken, 0 when it was skipped: for a gradient that is not finite, or a norm above the threshold. */
  finite: 2,
  /** Skipped steps since the buffer was cleared. */
  skipped: 3,
  /** Steps taken, t of the bias corrections 1 − β1^t and 1 − β2^t that follow it. */
  t: 4,
  bias1: 5,
  bias2: 6,
  /** Steps in a row whose gradient was not finite, the last one included; 0 after another, unless there were `MAX_SKIPPED_IN_A_ROW`. */
  skippedInARow: 7,
} as const;

/** Contents of a state buffer after `t` steps, to continue from a checkpoint; t = 0 gives the zeros of a fresh start. */
export function optimizerState(t: number, beta1: number, beta2: number): Float32Array<ArrayBuffer> {
  const state = new Float32Array(8);
  state[OPTIMIZER_STATE.t] = t;
  state[OPTIMIZER_STATE.bias1] = 1 - beta1 ** t;
  state[OPTIMIZER_STATE.bias2] = 1 - beta2 ** t;
  return state;
}

/** Values of the constant OF of `gradNormPartials` and `adamw`: whose parameters. */
export const NORM_OF = { all: 0, policy: 1, critic: 2 } as const;

/** Values of the constant OF of `gradNormFinish`: one norm of all, one each of policy and critic, or that of one of them alone. */
export const CLOCKS_OF = { together: 0, apart: 1, alone: 2 } as const;

/** First stage: partials (GRAD_NORM_PARTIALS) of Σ g² over grads (n), n a multiple of 64; −1 marks a non-finite part. */
export const gradNormPartials = rowKernel({
  label: "grad_norm_partials",
  code: [gradNormPartialsCode],
  uniforms: { n: "u32" },
  bindings: { grads: "read", block_table: "read", partials: "read_write" },
  constants: { PARTIALS: GRAD_NORM_PARTIALS, OF: 0 },
  rows: (_, { PARTIALS }) => PARTIALS,
});

/**
 * Second stage: writes the state buffers (8) that `adamw` reads and advances their clocks when the step is taken. Which of
 * `state` and `critic_state` is written is CLOCKS_OF; for a step of the critic alone bind its buffer as `state`. A norm of at least
 * `threshold` skips the step; 0: none.
 */
export const gradNormFinish = rowKernel({
  label: "grad_norm_finish",
  code: [gradNormFinishCode],
  uniforms: { clip: "f32", beta1: "f32", beta2: "f32", critic_clip: "f32", threshold: "f32" },
  bindings: { partials: "read", critic_partials: "read", state: "read_write", critic_state: "read_write" },
  constants: { PARTIALS: GRAD_NORM_PARTIALS, OF: CLOCKS_OF.together },
  rows: () => 1,
});

/**
 * One AdamW step over params (n) with moments m and v (n), n a multiple of 64. `block_table` (n / 64, 2) gives each block
 * of 64 parameters its learning rate (0 actor, 1 critic) and whether it decays (1) or not (0). The critic's have their scale and
 * clock from `critic_state`. OF leaves out the parameters of the other (NORM_OF).
 */
export const adamw = defineKernel({
  label: "adamw",
  code: [adamwCode],
  uniforms: {
    n: "u32",
    actor_lr: "f32",
    critic_lr: "f32",
    beta1: "f32",
    beta2: "f32",
    eps: "f32",
    weight_decay: "f32",
  },
  bindings: {
    params: "read_write",
    grads: "read",
    m: "read_write",
    v: "read_write",
    block_table: "read",
    state: "read",
    critic_state: "read",
  },
  constants: { OF: NORM_OF.all },
  grid: ({ n }) => grid1d(n / 4, 64),
});
