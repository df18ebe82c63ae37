import { describe, expect, it } from "vitest";
import { expectClose, type Numbers, noise, runKernel } from "../testing.ts";
import { adamwRef, gradNormRef } from "./optimizer.ref.ts";
import {
  adamw,
  GRAD_NORM_PARTIALS,
  gradNormFinish,
  gradNormPartials,
  OPTIMIZER_STATE,
  optimizerState,
} from "./optimizer.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";

const SETTINGS = { clip: 1, beta1: 0.9, beta2: 0.98 };
const VARIANTS = ["serial", "workgroup"] as const;

async function gradNorm(grads: Float32Array, before: Numbers, variant: (typeof VARIANTS)[number]) {
  const { partials } = await runKernel(
    gradNormPartials[variant],
    { grads, partials: new Float32Array(GRAD_NORM_PARTIALS) },
    { n: grads.length },
  );
  const { state } = await runKernel(gradNormFinish[variant], { partials, state: before }, SETTINGS);
  return state;
}

describe("grad_norm", () => {
  it("has specs that agree with the shaders", () => {
    for (const spec of bothVariants(gradNormPartials)) expectSpecAgrees(spec);
    for (const spec of bothVariants(gradNormFinish)) expectSpecAgrees(spec);
  });

  it.each([64, 4096, 4096 * 4 + 64, 70_016])("equals its twin over %i gradients", async (n) => {
    for (const scale of [1e-4, 1]) {
      const grads = noise(n, 5, scale);
      const want = gradNormRef(grads, new Float32Array(8), 1, 0.9, 0.98);
      for (const variant of VARIANTS) {
        const state = await gradNorm(grads, new Float32Array(8), variant);
        expectClose(state, want, { rtol: 2e-6, atol: 1e-9 });
      }
    }
  });

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

  it("keeps the bias corrections exact over many steps", async () => {
    const partials = new Float32Array(GRAD_NORM_PARTIALS).fill(1e-3);
    let state = new Float32Array(8);
    for (let t = 1; t <= 40; t++) {
      const settings = { clip: 1, beta1: 0.9, beta2: 0.999 };
      ({ state } = (await runKernel(gradNormFinish.serial, { partials, state }, settings)) as {
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

  it("has a spec that agrees with its shader", () => expectSpecAgrees(adamw));

  it.each([64, 192, 16_448])("equals its twin over several steps of %i parameters", async (n) => {
    const block_table = Float32Array.from({ length: n / 32 }, (_, i) => [0, 1, 1, 0, 1, 1][i % 6] as number);
    let got = { params: noise(n, 1), m: new Float32Array(n), v: new Float32Array(n) };
    let want = adamwRef(got.params, got.m, got.m, got.v, block_table, new Float32Array(8), settings);
    let state = new Float64Array(8);
    for (let step = 1; step <= 3; step++) {
      const grads = noise(n, 10 + step, 0.1);
      state = Float64Array.from(gradNormRef(grads, state, 1, settings.beta1, settings.beta2));
      want = adamwRef(want.params, grads, want.m, want.v, block_table, state, settings);
      got = (await runKernel(
        adamw,
        { ...got, grads, block_table, state: Float32Array.from(state) },
        { n, ...uniforms },
      )) as typeof got;
    }
    // v is a square, so a gradient's rounding counts twice; the step itself is below 0.03, far under the tolerance.
    expectClose(got.m, want.m, { rtol: 1e-5, atol: 1e-9 });
    expectClose(got.v, want.v, { rtol: 1e-5, atol: 1e-12 });
    expectClose(got.params, want.params, { rtol: 1e-6, atol: 1e-6 });
  });

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
      { ...before, grads, block_table: new Float32Array(2), state },
      { n: 64, ...uniforms },
    );
    expect(got).toEqual(before);
  });
});
