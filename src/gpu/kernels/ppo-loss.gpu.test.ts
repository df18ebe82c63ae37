import { describe, expect, it } from "vitest";
import { policyConstants, policyRows, policySettings } from "../../conformance/cases/ppo-loss.ts";
import { centralDifferences, expectClose, noise, runKernel } from "../testing.ts";
import { klEstimateRef, type SampledKlKind } from "./kl.ref.ts";
import { logProbRowsRef } from "./log-prob.ref.ts";
import { PPO_REF, type PpoLossRefSettings, pivotGateRef, ppoLossRef } from "./ppo-loss.ref.ts";
import { KL_KIND, NO_TEACHER, PPO_STATS, ppoLoss } from "./ppo-loss.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";

const example = (r: number, vocab: number, stride: number, temperature: number) => ({
  input: policyRows([r, vocab, stride], temperature),
  settings: policySettings([r, vocab, stride], temperature),
});

const run = (
  spec: typeof ppoLoss.serial,
  input: ReturnType<typeof policyRows>,
  settings: PpoLossRefSettings,
  KL: number,
  kind = PPO_REF,
) =>
  runKernel(spec, { ...input, stats: noise(settings.r * 8, 9) }, { ...settings }, policyConstants(KL, kind));

describe("ppo_loss", () => {
  it("has specs that agree with the shader and fit the default limit of 8 storage buffers", () => {
    for (const spec of bothVariants(ppoLoss)) {
      expectSpecAgrees(spec);
      expect(Object.keys(spec.bindings)).toHaveLength(8);
    }
  });

  it("takes the worked values of the second clip", () => {
    const { input, settings } = example(1, 2, 4, 1);
    input.logits.set([0, 0]);
    const at = input.src[0] as number;
    const lossOf = (old: number, advantage: number, clip_c: number) => {
      input.facts.set([Math.log(old), advantage, 0, 1], at * 4);
      return ppoLossRef(input, { ...settings, clip_c, entropy_coef: 0, kl_coef: 0 }, 0).stats;
    };
    // π = 0.5, so ρ = 5 with old 0.1: an advantage of −2 costs 10, at most 6 with c = 3, and good deeds are not concerned.
    expectClose([lossOf(0.1, -2, 0)[PPO_STATS.pgLoss] as number], [10]);
    expectClose([lossOf(0.1, -2, 3)[PPO_STATS.pgLoss] as number], [6]);
    expectClose([lossOf(0.1, -2, 3)[PPO_STATS.capped] as number], [1]);
    expectClose([lossOf(0.1, 2, 3)[PPO_STATS.pgLoss] as number], [-2 * 1.28]);
  });

  const ofItself = Object.entries(KL_KIND).filter(([id]) => !id.endsWith("+"));
  it.each(ofItself)("has the gradient that central differences give, KL %s", (_, kind) => {
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

  it("has the gradient that central differences give with a teacher", () => {
    const [r, vocab, stride] = [12, 5, 8];
    const { input, settings } = example(r, vocab, stride, 0.7);
    const constantGate = { ...settings, pivot_beta: 0 };
    const kind = { ...PPO_REF, pivot: true };
    const { dlogits } = ppoLossRef(input, constantGate, 3, kind);
    const loss = (logits: Float64Array) => ppoLossRef({ ...input, logits }, constantGate, 3, kind).loss;
    const at = Array.from({ length: r * stride }, (_, i) => i);
    expectClose(dlogits, centralDifferences(loss, input.logits, at), { rtol: 1e-5, atol: 1e-9 });
    expect(dlogits).not.toEqual(ppoLossRef(input, settings, 3, { ...kind, pivot: false }).dlogits);
  });

  it("imitates a teacher by the worked gates, and no teacher not at all", async () => {
    // σ(5·Δ) at Δ = 0.5, −0.5 and 0. The slope in the log-probability is −pivot_coef·g: always upwards.
    const worked = [
      [0.5, 0.924142],
      [-0.5, 0.075858],
      [0, 0.5],
      [null, 0],
    ] as const;
    const { input, settings } = example(4, 2, 4, 1);
    input.logits.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    input.targets.fill(0);
    const half = Math.log(0.5);
    worked.forEach(([difference], row) => {
      const at = input.src[row] as number;
      input.facts.set([half, 0, 0, 1], at * 4);
      input.policy_weights[settings.teacher_from + at] = difference === null ? NO_TEACHER : half + difference;
    });
    const alone = { ...settings, scale: 1, entropy_coef: 0, kl_coef: 0, pivot_coef: 2 };
    for (const spec of bothVariants(ppoLoss)) {
      const { logits } = await run(spec, input, alone, 0, { ...PPO_REF, pivot: true });
      worked.forEach(([difference, gate], row) => {
        expectClose([logits[row * 4] as number], [-2 * gate * (1 - 0.5)], { rtol: 1e-5 });
        if (difference !== null) expect(pivotGateRef(5, difference)).toBeCloseTo(gate, 6);
      });
    }
  });

  it("is minus the advantage-weighted log-likelihood gradient on fresh data, and zero without advantage", async () => {
    const { input, settings } = example(4, 9, 12, 1);
    const { logprobs } = logProbRowsRef(input.logits, input.targets, 4, 9, 12, 1);
    input.src.forEach((at, row) => {
      input.facts.set([logprobs[row] as number, row === 0 ? 0 : 2, 0, 1], at * 4);
    });
    const plain = { ...settings, entropy_coef: 0, kl_coef: 0, scale: 1 };
    for (const spec of bothVariants(ppoLoss)) {
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
    for (const at of input.src) input.facts.set([-1e4, -1, input.facts[at * 4 + 2] as number, 1], at * 4);
    for (const spec of bothVariants(ppoLoss)) {
      const got = await run(spec, input, { ...settings, clip_c: 0 }, 3);
      expect(got.logits.every(Number.isFinite)).toBe(true);
      expectClose([got.stats[PPO_STATS.ratio] as number], [Math.exp(20)], { rtol: 1e-5 });
      // The clamp of the log-ratio has no slope, so what is left is the entropy bonus and the KL term.
      expect(Math.max(...got.logits.map(Math.abs))).toBeLessThan(1);
    }
  });
});

describe("KL estimators", () => {
  it("take the worked values", () => {
    // d = 0.2: e^−0.2 = 0.818731.
    const at = (kind: SampledKlKind, d: number) => Object.values(klEstimateRef(kind, d));
    expectClose(at(KL_KIND.abs, -0.2), [0.2, -1]);
    expectClose(at(KL_KIND.k3, 0.2), [0.018731, 0.181269], { atol: 1e-6 });
    // The estimate of one, the gradient of k2.
    expectClose(at(KL_KIND["k1+"], 0.2), [0.2, 0.2]);
    expectClose(at(KL_KIND["k3+"], 0.2), [0.018731, 0.2], { atol: 1e-6 });
    expectClose(at(KL_KIND["k3+"], -5), [10, -5]);
  });

  it("have the derivatives that central differences give", () => {
    for (const kind of [1, 2, 3, 5] as const) {
      for (const d of [-4, -2, -0.1, 0.3, 5]) {
        const [slope] = centralDifferences((x) => klEstimateRef(kind, x[0] as number).estimate, [d], [0]);
        expectClose([klEstimateRef(kind, d).derivative], [slope as number], { rtol: 1e-7, atol: 1e-9 });
      }
    }
  });
});
