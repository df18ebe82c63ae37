import { describe, expect, it } from "vitest";
import { expectClose, type Numbers, noise, runKernel } from "../testing.ts";
import { adamwRef, gradNormRef, groupNormRef } from "./optimizer.ref.ts";
import {
  adamw,
  CLOCKS_OF,
  GRAD_NORM_PARTIALS,
  gradNormFinish,
  gradNormPartials,
  NORM_OF,
  OPTIMIZER_STATE,
  optimizerState,
} from "./optimizer.ts";

const SETTINGS = { clip: 1, beta1: 0.9, beta2: 0.98, critic_clip: 0, threshold: 0 };
const VARIANTS = ["serial", "workgroup"] as const;

type Variant = (typeof VARIANTS)[number];

async function partialsOf(
  grads: Float32Array,
  variant: Variant,
  of: keyof typeof NORM_OF,
  block_table: Numbers,
) {
  const { partials } = await runKernel(
    gradNormPartials[variant],
    { grads, block_table, partials: new Float32Array(GRAD_NORM_PARTIALS) },
    { n: grads.length },
    { OF: NORM_OF[of] },
  );
  return partials;
}

async function gradNorm(grads: Float32Array, before: Numbers, variant: Variant, settings = SETTINGS) {
  const partials = await partialsOf(grads, variant, "all", new Float32Array(2));
  const unread = { critic_partials: partials, critic_state: new Float32Array(8) };
  const { state } = await runKernel(
    gradNormFinish[variant],
    { partials, state: before, ...unread },
    settings,
  );
  return state;
}

/** Blocks of 64 parameters by turns the policy's and the critic's. */
const alternating = (n: number) => Float32Array.from({ length: n / 32 }, (_, i) => (i % 4 === 2 ? 1 : 0));

describe("grad_norm", () => {
  it.each([
    ["NaN", Number.NaN, 77],
    ["infinity", Number.POSITIVE_INFINITY, 0],
    ["−infinity", Number.NEGATIVE_INFINITY, 8191],
    ["overflow of the square", 3e38, 4000],
  ])("marks %s as not finite and leaves the clock alone", async (_, value, at) => {
    const grads = noise(8192, 1);
    grads[at] = value;
    const before = optimizerState(3, 0.9, 0.98);
    before[OPTIMIZER_STATE.skipped] = 2;
    before[OPTIMIZER_STATE.skippedInARow] = 1;
    for (const variant of VARIANTS) {
      const state = await gradNorm(grads, before, variant);
      expect(Array.from(state)).toEqual([0, 0, 0, 3, ...before.slice(4, 7), 2]);
    }
  });

  it("forgets one or two skipped steps after a good one, but not three", async () => {
    for (const [before, after] of [
      [2, 0],
      [3, 3],
    ] as const) {
      const state = optimizerState(3, 0.9, 0.98);
      state[OPTIMIZER_STATE.skippedInARow] = before;
      for (const variant of VARIANTS)
        expect((await gradNorm(noise(64, 1), state, variant))[OPTIMIZER_STATE.skippedInARow]).toBe(after);
      expect(gradNormRef(noise(64, 1), state, 1, 0.9, 0.98)[OPTIMIZER_STATE.skippedInARow]).toBe(after);
    }
  });

  it("skips a step whose norm reaches the threshold, but does not count it as not finite", async () => {
    const grads = noise(128, 1, 10);
    const { norm } = OPTIMIZER_STATE;
    const size = gradNormRef(grads, new Float32Array(8), 1, 0.9, 0.98)[norm] as number;
    for (const [threshold, skips] of [
      [size * 0.99, true],
      [size * 1.01, false],
    ] as const) {
      const before = optimizerState(3, 0.9, 0.98);
      before[OPTIMIZER_STATE.skippedInARow] = 2;
      const want = gradNormRef(grads, before, 1, 0.9, 0.98, threshold);
      expect([want[OPTIMIZER_STATE.finite], want[OPTIMIZER_STATE.skipped]]).toEqual(skips ? [0, 1] : [1, 0]);
      expect([want[OPTIMIZER_STATE.t], want[OPTIMIZER_STATE.skippedInARow]]).toEqual([skips ? 3 : 4, 0]);
      for (const variant of VARIANTS)
        expectClose(await gradNorm(grads, before, variant, { ...SETTINGS, threshold }), want, { rtol: 2e-6 });
    }
  });

  it.each([128, 4096 * 4 + 64])(
    "clips policy and critic by norms of their own over %i gradients",
    async (n) => {
      const grads = noise(n, 5);
      const blocks = alternating(n);
      const [policy, critic] = [groupNormRef(grads, blocks, "policy"), groupNormRef(grads, blocks, "critic")];
      expect(Math.abs(policy - critic)).toBeGreaterThan(1e-3);
      for (const variant of VARIANTS) {
        const partials = await partialsOf(grads, variant, "policy", blocks);
        const critic_partials = await partialsOf(grads, variant, "critic", blocks);
        const { state, critic_state } = await runKernel(
          gradNormFinish[variant],
          { partials, critic_partials, state: new Float32Array(8), critic_state: new Float32Array(8) },
          { ...SETTINGS, clip: 0.5, critic_clip: 2 },
          { OF: CLOCKS_OF.apart },
        );
        expectClose(state.slice(0, 3), [policy, 0.5 / policy, 1], { rtol: 5e-6 });
        expectClose(critic_state.slice(0, 2), [critic, Math.min(1, 2 / critic)], { rtol: 5e-6 });
      }
    },
  );

  it("takes no step when either gradient is not finite", async () => {
    const blocks = alternating(128);
    for (const at of [3, 70]) {
      const grads = noise(128, 1);
      grads[at] = Number.NaN;
      for (const variant of VARIANTS) {
        const { state } = await runKernel(
          gradNormFinish[variant],
          {
            partials: await partialsOf(grads, variant, "policy", blocks),
            critic_partials: await partialsOf(grads, variant, "critic", blocks),
            state: new Float32Array(8),
            critic_state: new Float32Array(8),
          },
          SETTINGS,
          { OF: CLOCKS_OF.apart },
        );
        expect(Array.from(state)).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
      }
    }
  });

  it("keeps the bias corrections exact over many steps", async () => {
    const partials = new Float32Array(GRAD_NORM_PARTIALS).fill(1e-3);
    let state = new Float32Array(8);
    for (let t = 1; t <= 40; t++) {
      const settings = { ...SETTINGS, beta2: 0.999 };
      const unread = { critic_partials: partials, critic_state: new Float32Array(8) };
      ({ state } = (await runKernel(gradNormFinish.serial, { partials, state, ...unread }, settings)) as {
        state: Float32Array<ArrayBuffer>;
      });
      // 0.999 as f32 differs from 0.999 by 1.3e-8, which is 1.3e-5 of 1 − 0.999; every β of the kernels is that f32.
      expectClose(state.slice(4), optimizerState(t, Math.fround(0.9), Math.fround(0.999)).slice(4), {
        rtol: 2e-6,
        atol: 0,
      });
    }
  });
});

describe("adamw", () => {
  const settings = { actorLr: 1e-2, criticLr: 3e-2, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0.1 };
  const uniforms = {
    actor_lr: settings.actorLr,
    critic_lr: settings.criticLr,
    beta1: settings.beta1,
    beta2: settings.beta2,
    eps: settings.eps,
    weight_decay: settings.weightDecay,
  };

  it.each(["all", "policy", "critic"] as const)(
    "takes a step of %s, policy and critic by scales and clocks of their own",
    async (of) => {
      const n = 192;
      const [params, grads] = [noise(n, 1), noise(n, 2)];
      const zeros = new Float32Array(n);
      const block_table = Float32Array.of(0, 1, 1, 0, 1, 1);
      const state = Float32Array.from(gradNormRef(grads, new Float32Array(8), 1, 0.9, 0.98));
      const critic_state = optimizerState(30, 0.9, 0.98);
      critic_state[OPTIMIZER_STATE.scale] = 0.25;
      critic_state[OPTIMIZER_STATE.finite] = 1;
      const want = adamwRef(params, grads, zeros, zeros, block_table, state, settings, critic_state, of);
      const got = await runKernel(
        adamw,
        { params, grads, m: zeros.slice(), v: zeros.slice(), block_table, state, critic_state },
        { n, ...uniforms },
        { OF: NORM_OF[of] },
      );
      expectClose(got.m, want.m, { rtol: 1e-5, atol: 1e-9 });
      const critics = of === "policy" ? 0 : 0.025;
      expectClose(
        got.m.slice(64),
        grads.slice(64).map((g) => g * critics),
        { rtol: 1e-5, atol: 1e-9 },
      );
      expectClose(got.params, want.params, { rtol: 1e-6, atol: 1e-6 });
      if (of === "critic") expect(got.params.slice(0, 64)).toEqual(params.slice(0, 64));
      if (of === "policy") expect(got.params.slice(64)).toEqual(params.slice(64));
    },
  );

  it("moves every parameter by its own learning rate on the first step, whatever the gradient's size", async () => {
    const n = 128;
    const state = gradNormRef(noise(n, 1), new Float32Array(8), 1, 0.9, 0.98);
    const got = await runKernel(
      adamw,
      {
        params: new Float32Array(n),
        grads: noise(n, 1),
        m: new Float32Array(n),
        v: new Float32Array(n),
        block_table: Float32Array.from([0, 0, 1, 0]),
        state: Float32Array.from(state),
        critic_state: Float32Array.from(state),
      },
      { n, ...uniforms },
    );
    const moved = Float32Array.from(got.params, Math.abs);
    expectClose(moved.slice(0, 64), new Float32Array(64).fill(1e-2), { rtol: 1e-4 });
    expectClose(moved.slice(64), new Float32Array(64).fill(3e-2), { rtol: 1e-4 });
  });

  it("changes nothing when the gradient was not finite", async () => {
    const before = { params: noise(64, 1), m: noise(64, 2), v: noise(64, 3).map(Math.abs) };
    const grads = new Float32Array(64).fill(Number.NaN);
    const state = new Float32Array(8);
    const got = await runKernel(
      adamw,
      { ...before, grads, block_table: new Float32Array(2), state, critic_state: state.slice() },
      { n: 64, ...uniforms },
    );
    expect(got).toEqual(before);
  });
});
