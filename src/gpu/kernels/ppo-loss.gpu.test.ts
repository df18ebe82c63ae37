import { describe, expect, it } from "vitest";
import { centralDifferences, expectClose, noise, runKernel } from "../testing.ts";
import { klEstimateRef } from "./kl.ref.ts";
import { logProbRowsRef } from "./log-prob.ref.ts";
import { type PpoLossRefInput, type PpoLossRefSettings, ppoLossRef } from "./ppo-loss.ref.ts";
import { KL_KIND, PPO_STATS, ppoLossVariants } from "./ppo-loss.ts";
import {
  bothVariants,
  expectSpecAgrees,
  paddedLogits,
  ROW_SHAPES,
  randomTargets,
  scatter,
} from "./test-specs.ts";

/** Rows whose ratios lie on both sides of the clip range, for advantages of both signs. */
function example(r: number, vocab: number, stride: number, temperature: number) {
  const logits = paddedLogits(r, vocab, stride);
  const ref_logits = paddedLogits(r, vocab, stride, 2).map((x, i) => 0.5 * (x + (logits[i] as number)));
  const targets = randomTargets(r, vocab);
  const { src, nb } = scatter(r);
  const { logprobs } = logProbRowsRef(logits, targets, r, vocab, stride, temperature);
  const ref = logProbRowsRef(ref_logits, targets, r, vocab, stride, temperature).logprobs;
  const old_logprobs = new Float32Array(nb);
  const ref_logprobs = new Float32Array(nb);
  const shift = noise(r, 7, 0.3);
  src.forEach((at, row) => {
    old_logprobs[at] = (logprobs[row] as number) + (shift[row] as number);
    ref_logprobs[at] = ref[row] as number;
  });
  const input = { logits, ref_logits, targets, src, old_logprobs, advantages: noise(nb, 8), ref_logprobs };
  const settings: PpoLossRefSettings = {
    r,
    vocab,
    stride,
    scale: 0.125,
    temperature,
    clip_low: 0.2,
    clip_high: 0.28,
    entropy_coef: 0.01,
    kl_coef: 0.1,
  };
  return { input, settings };
}

const run = (
  spec: typeof ppoLossVariants.serial,
  input: PpoLossRefInput,
  settings: PpoLossRefSettings,
  KL: number,
) =>
  runKernel(
    spec,
    { ...(input as ReturnType<typeof example>["input"]), stats: noise(settings.r * 8, 9) },
    { ...settings },
    { KL },
  );

describe("ppo_loss", () => {
  it("has specs that agree with the shader and fit the default limit of 8 storage buffers", () => {
    for (const spec of bothVariants(ppoLossVariants)) {
      expectSpecAgrees(spec);
      expect(Object.keys(spec.bindings)).toHaveLength(8);
    }
  });

  it.each(ROW_SHAPES)("equals its twin at %i rows, vocabulary %i, stride %i", async (r, vocab, stride) => {
    for (const [kind, temperature] of [
      [0, 1],
      [1, 0.7],
      [2, 1],
      [3, 0.7],
      [4, 0.7],
    ] as const) {
      const { input, settings } = example(r, vocab, stride, temperature);
      const want = ppoLossRef(input, settings, kind);
      for (const spec of bothVariants(ppoLossVariants)) {
        const got = await run(spec, input, settings, kind);
        // exp(log ratio) turns the rounding of log-probabilities near 10 (1e-6) into a relative error.
        expectClose(got.logits, want.dlogits, { rtol: 2e-5, atol: 2e-7 });
        expectClose(got.stats, want.stats, { rtol: 1e-5, atol: 6e-6 });
      }
    }
  });

  it.each(Object.entries(KL_KIND))("has the gradient that central differences give, KL %s", (_, kind) => {
    const [r, vocab, stride] = [12, 5, 8];
    const { input, settings } = example(r, vocab, stride, 0.7);
    const { dlogits, stats } = ppoLossRef(input, settings, kind);
    const loss = (logits: Float64Array) => ppoLossRef({ ...input, logits }, settings, kind).loss;
    const at = Array.from({ length: r * stride }, (_, i) => i);
    expectClose(dlogits, centralDifferences(loss, input.logits, at), { rtol: 1e-5, atol: 1e-9 });
    const clipped = stats.filter((_, i) => i % 8 === PPO_STATS.clipped).reduce((a, b) => a + b);
    expect(clipped).toBeGreaterThan(0);
    expect(clipped).toBeLessThan(r);
  });

  it("is minus the advantage-weighted log-likelihood gradient on fresh data, and zero without advantage", async () => {
    const { input, settings } = example(4, 9, 12, 1);
    const { logprobs } = logProbRowsRef(input.logits, input.targets, 4, 9, 12, 1);
    input.src.forEach((at, row) => {
      input.old_logprobs[at] = logprobs[row] as number;
      input.advantages[at] = row === 0 ? 0 : 2;
    });
    const plain = { ...settings, entropy_coef: 0, kl_coef: 0, scale: 1 };
    for (const spec of bothVariants(ppoLossVariants)) {
      const { logits: gradient, stats } = await run(spec, input, plain, 0);
      expectClose(gradient.slice(0, 12), new Float32Array(12));
      const label = input.targets[1] as number;
      expectClose([gradient[12 + label] as number], [-2 * (1 - Math.exp(logprobs[1] as number))], {
        rtol: 1e-5,
      });
      expectClose([stats[8 + PPO_STATS.ratio] as number], [1], { rtol: 5e-6 });
    }
  });

  it("is finite for a ratio beyond every range", async () => {
    const { input, settings } = example(2, 5, 8, 1);
    input.old_logprobs.fill(-1e4);
    input.advantages.fill(-1);
    for (const spec of bothVariants(ppoLossVariants)) {
      const got = await run(spec, input, settings, 3);
      expect(got.logits.every(Number.isFinite)).toBe(true);
      expectClose([got.stats[PPO_STATS.ratio] as number], [Math.exp(20)], { rtol: 1e-5 });
      // The clamp of the log-ratio has no slope, so what is left is the entropy bonus and the KL term.
      expect(Math.max(...got.logits.map(Math.abs))).toBeLessThan(1);
    }
  });
});

describe("KL estimators", () => {
  it("have the derivatives that central differences give", () => {
    for (const kind of [1, 2, 3] as const) {
      for (const d of [-4, -2, -0.1, 0.3, 5]) {
        const [slope] = centralDifferences((x) => klEstimateRef(kind, x[0] as number).estimate, [d], [0]);
        expectClose([klEstimateRef(kind, d).derivative], [slope as number], { rtol: 1e-7, atol: 1e-9 });
      }
    }
  });
});
