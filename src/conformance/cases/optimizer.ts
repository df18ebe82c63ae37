// Cases of the gradient norm and of AdamW.
import { adamwRef, gradNormPartialsRef, gradNormRef, groupNormRef } from "../../gpu/kernels/optimizer.ref.ts";
import {
  adamw,
  CLOCKS_OF,
  GRAD_NORM_PARTIALS,
  gradNormFinish,
  gradNormPartials,
  NORM_OF,
  OPTIMIZER_STATE,
  optimizerState,
} from "../../gpu/kernels/optimizer.ts";
import { both, casesOf, close, type KernelCase, only } from "../case.ts";
import { noise } from "../numbers.ts";

/** Blocks of 64 parameters by turns the policy's and the critic's. */
const alternating = (n: number) => Float32Array.from({ length: n / 32 }, (_, i) => (i % 4 === 2 ? 1 : 0));

/** Where a gradient is not finite, if anywhere. */
const SPOILED = { none: null, NaN: Number.NaN, infinity: Number.POSITIVE_INFINITY } as const;

function gradients(n: number, spoiled: keyof typeof SPOILED) {
  const grads = noise(n, 5);
  const value = SPOILED[spoiled];
  if (value !== null) grads[n - 3] = value;
  return grads;
}

const partials = (n: number, of: keyof typeof NORM_OF, spoiled: keyof typeof SPOILED): KernelCase[] =>
  [gradNormPartials.serial, gradNormPartials.workgroup].flatMap((spec) =>
    casesOf(
      `${n} gradients of ${of}${spoiled === "none" ? "" : `, one of them ${spoiled}`}`,
      only(spec, { OF: NORM_OF[of] }),
      () => {
        const [grads, block_table] = [gradients(n, spoiled), alternating(n)];
        const lanes = spec === gradNormPartials.serial ? 1 : spec.constants.BLOCK;
        return {
          uniforms: { n },
          arrays: { grads, block_table, partials: new Float32Array(GRAD_NORM_PARTIALS) },
          want: { partials: close(gradNormPartialsRef(grads, block_table, of, lanes), 1e-5, 1e-9) },
        };
      },
    ),
  );

/** One second stage over all gradients, or those of one part alone, whose clock is the only one to advance. */
const finish = (n: number, spoiled: keyof typeof SPOILED, of: "together" | "alone"): KernelCase[] =>
  casesOf(
    `${n} gradients${of === "alone" ? " of one part" : ""}${spoiled === "none" ? "" : `, one of them ${spoiled}`}`,
    both(gradNormFinish, { OF: CLOCKS_OF[of] }),
    () => {
      const grads = gradients(n, spoiled);
      const [state, critic_state] = [optimizerState(3, 0.9, 0.98), optimizerState(7, 0.9, 0.98)];
      // The critic's own steps before were skipped.
      critic_state[OPTIMIZER_STATE.skippedInARow] = 2;
      const found = Float32Array.from(gradNormPartialsRef(grads, [], "all", 1));
      const want = gradNormRef(grads, state, 1, 0.9, 0.98);
      // A step of both that is skipped counts in the policy's state alone; one that is taken ends the critic's row, too.
      const critic = gradNormRef(grads, critic_state, 1, 0.9, 0.98);
      critic[OPTIMIZER_STATE.skipped] = 0;
      if (spoiled !== "none") critic[OPTIMIZER_STATE.skippedInARow] = 2;
      return {
        uniforms: { clip: 1, beta1: 0.9, beta2: 0.98, critic_clip: 0, threshold: 0 },
        arrays: { partials: found, critic_partials: found, state, critic_state },
        want: {
          state: close(want, 5e-6, 1e-7),
          critic_state: close(of === "alone" ? critic_state : critic, 5e-6, 1e-7),
        },
      };
    },
  );

const apart = (n: number): KernelCase[] =>
  casesOf(`${n} gradients, policy and critic apart`, both(gradNormFinish, { OF: CLOCKS_OF.apart }), () => {
    const [grads, blocks] = [gradients(n, "none"), alternating(n)];
    const of = (group: "policy" | "critic") =>
      Float32Array.from(gradNormPartialsRef(grads, blocks, group, 1));
    const [policy, critic] = [groupNormRef(grads, blocks, "policy"), groupNormRef(grads, blocks, "critic")];
    const scaleOf = (norm: number, clip: number) => Math.min(1, clip / (norm + 1e-6));
    const first = [1, 0, 1, 1 - 0.9, 1 - 0.98, 0];
    return {
      uniforms: { clip: 0.5, beta1: 0.9, beta2: 0.98, critic_clip: 2, threshold: 0 },
      arrays: {
        partials: of("policy"),
        critic_partials: of("critic"),
        state: new Float32Array(8),
        critic_state: new Float32Array(8),
      },
      want: {
        state: close([policy, scaleOf(policy, 0.5), ...first], 5e-6, 1e-7),
        critic_state: close([critic, scaleOf(critic, 2), ...first], 5e-6, 1e-7),
      },
    };
  });

/** The critic has taken more steps, and its gradient has another scale. */
const step = (n: number, of: keyof typeof NORM_OF): KernelCase[] =>
  casesOf(`${n} parameters, a step of ${of}`, only(adamw, { OF: NORM_OF[of] }), () => {
    const settings = { actorLr: 1e-2, criticLr: 3e-2, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0.1 };
    const [params, grads, m] = [noise(n, 1), noise(n, 2, 0.1), noise(n, 3, 0.1)];
    const v = noise(n, 4, 0.1).map((x) => x * x + 1e-3);
    const block_table = Float32Array.from({ length: n / 32 }, (_, i) => [0, 1, 1, 0, 1, 1][i % 6] as number);
    const after = (t: number, clip: number) =>
      Float32Array.from(gradNormRef(grads, optimizerState(t, 0.9, 0.98), clip, 0.9, 0.98));
    const [state, critic_state] = [after(4, 1), after(9, 0.25)];
    const want = adamwRef(params, grads, m, v, block_table, state, settings, critic_state, of);
    return {
      uniforms: {
        n,
        actor_lr: settings.actorLr,
        critic_lr: settings.criticLr,
        beta1: settings.beta1,
        beta2: settings.beta2,
        eps: settings.eps,
        weight_decay: settings.weightDecay,
      },
      arrays: { params, grads, m, v, block_table, state, critic_state },
      // v is a square, so a gradient's rounding counts twice; the step itself is far under the tolerance.
      want: {
        params: close(want.params, 1e-6, 1e-6),
        m: close(want.m, 1e-5, 1e-8),
        v: close(want.v, 1e-5, 1e-10),
      },
    };
  });

const LENGTHS = [64, 4096, 4096 * 4 + 64, 70_016] as const;

export const optimizerCases: readonly KernelCase[] = [
  ...LENGTHS.flatMap((n) => [...partials(n, "all", "none"), ...finish(n, "none", "together")]),
  ...partials(16_448, "policy", "none"),
  ...partials(16_448, "critic", "none"),
  ...(["NaN", "infinity"] as const).flatMap((spoiled) => [
    ...partials(8192, "all", spoiled),
    ...finish(8192, spoiled, "together"),
    ...finish(8192, spoiled, "alone"),
  ]),
  ...finish(16_448, "none", "alone"),
  ...apart(128),
  ...apart(16_448),
  ...step(64, "all"),
  ...[192, 16_448].flatMap((n) => (["all", "policy", "critic"] as const).flatMap((of) => step(n, of))),
];
