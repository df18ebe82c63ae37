// Cases of the losses and of what they read.
import { crossEntropyRef } from "../../gpu/kernels/cross-entropy.ref.ts";
import { crossEntropy } from "../../gpu/kernels/cross-entropy.ts";
import { klEstimateRef } from "../../gpu/kernels/kl.ref.ts";
import { klReward } from "../../gpu/kernels/kl-reward.ts";
import { logProbRowsRef } from "../../gpu/kernels/log-prob.ref.ts";
import { logProbRows } from "../../gpu/kernels/log-prob.ts";
import { logSoftmaxRowsRef } from "../../gpu/kernels/log-softmax.ref.ts";
import { logSoftmaxRows } from "../../gpu/kernels/log-softmax.ts";
import { lossFactsRef } from "../../gpu/kernels/loss-facts.ref.ts";
import { BEHAVIOUR, lossFacts, RATIO, sequenceLogRatio } from "../../gpu/kernels/loss-facts.ts";
import { sequenceLogRatioRef } from "../../gpu/kernels/sequence-log-ratio.ref.ts";
import { valueLossRef } from "../../gpu/kernels/value-loss.ref.ts";
import { valueLoss } from "../../gpu/kernels/value-loss.ts";
import { randomBatch } from "../../rl/advantage/random-batch.ts";
import { both, casesOf, close, type KernelCase, only } from "../case.ts";
import { paddedLogits, ROW_SHAPES, randomTargets, scatter } from "../inputs.ts";
import { noise } from "../numbers.ts";

type RowShape = (typeof ROW_SHAPES)[number];
const rows = ([r, vocab, stride]: RowShape) => `${r} rows, vocabulary ${vocab}, stride ${stride}`;

const imitation = (shape: RowShape): KernelCase[] =>
  casesOf(rows(shape), both(crossEntropy), () => {
    const [r, vocab, stride] = shape;
    const [logits, targets] = [paddedLogits(r, vocab, stride), randomTargets(r, vocab)];
    const { src, nb } = scatter(r);
    const weights = noise(nb, 4).map((x) => 1 + x);
    const uniforms = { r, vocab, stride, scale: 0.25 };
    const want = crossEntropyRef(logits, { targets, src, weights }, uniforms);
    return {
      uniforms,
      arrays: { logits, targets, src, weights, stats: new Float32Array(r * 8).fill(7) },
      want: { logits: close(want.dlogits, 1e-5, 1e-7), stats: close(want.stats, 1e-5, 2e-6) },
    };
  });

/** What rows become on the batch axis, where everything else stays 0. */
function scattered(values: ArrayLike<number>, src: Uint32Array, nb: number): Float64Array {
  const out = new Float64Array(nb);
  for (let row = 0; row < src.length; row++) out[src[row] as number] = values[row] as number;
  return out;
}

const scored = (shape: RowShape, temperature: number): KernelCase[] =>
  casesOf(`${rows(shape)}, temperature ${temperature}`, both(logProbRows), () => {
    const [r, vocab, stride] = shape;
    const [logits, targets] = [paddedLogits(r, vocab, stride), randomTargets(r, vocab)];
    const { src, nb } = scatter(r);
    const values = noise(r * 4, 3);
    const want = logProbRowsRef(logits, targets, r, vocab, stride, temperature);
    const empty = () => new Float32Array(nb);
    const ownValues = values.filter((_, i) => i % 4 === 0);
    return {
      uniforms: { r, vocab, stride, temperature },
      arrays: { logits, targets, src, values, logprobs: empty(), entropy: empty(), values_out: empty() },
      want: {
        logprobs: close(scattered(want.logprobs, src, nb), 1e-5, 2e-6),
        entropy: close(scattered(want.entropy, src, nb), 1e-5, 3e-6),
        values_out: close(scattered(ownValues, src, nb), 0, 0),
      },
    };
  });

const distributions = (shape: RowShape, temperature: number): KernelCase[] =>
  casesOf(`${rows(shape)}, temperature ${temperature}`, both(logSoftmaxRows), () => {
    const [r, vocab, stride] = shape;
    const logits = paddedLogits(r, vocab, stride);
    const { src, nb } = scatter(r);
    const uniforms = { r, vocab, stride, temperature };
    return {
      uniforms,
      arrays: { logits, src, out: new Float32Array(nb * stride) },
      want: { out: close(logSoftmaxRowsRef(logits, src, uniforms, nb), 1e-5, 2e-6) },
    };
  });

const facts = (n: number, behaviour: keyof typeof BEHAVIOUR, refPolicy: boolean): KernelCase[] => {
  const constants = { BEHAVIOUR: BEHAVIOUR[behaviour], REF_POLICY: refPolicy ? 1 : 0 };
  const title = `${n} tokens, correction ${behaviour}${refPolicy ? ", ref policy" : ""}`;
  return casesOf(title, only(lossFacts, constants), () => {
    const input = {
      old_logprobs: noise(n, 1, 2),
      advantages: noise(n, 2),
      ref_logprobs: noise(n, 3),
      weights: noise(n, 4),
      rollout_logprobs: noise(n, 5, 2),
    };
    const want = lossFactsRef(input, { advantage_scale: 0.7, cap: 1.5, behaviour, refPolicy });
    return {
      uniforms: { n, advantage_scale: 0.7, cap: 1.5 },
      arrays: { ...input, facts: noise(n * 4, 9) },
      want: { facts: close(want) },
    };
  });
};

const sharedRatio = (s: number, ratio: Exclude<keyof typeof RATIO, "token">): KernelCase[] =>
  casesOf(`${s} trajectories, a ratio for each ${ratio}`, only(sequenceLogRatio, RATIO[ratio]), () => {
    const { gaeMask: mask, turnEndMask: turn_end_mask, starts } = randomBatch(s, s);
    const n = mask.length;
    const clip = { clip_low: 0.2, clip_high: 0.28 };
    const input = { new_logprobs: noise(n, 1), facts: noise(n * 4, 2), mask, turn_end_mask, starts };
    return {
      uniforms: { s, ...clip },
      arrays: { ...input, group_ratio: noise(n * 2, 3) },
      want: { group_ratio: close(sequenceLogRatioRef(input, ratio, clip)) },
    };
  });

const values = (r: number, CLIP: 0 | 1, WEIGHTED: 0 | 1): KernelCase[] =>
  casesOf(
    `${r} rows${CLIP ? ", clipped" : ""}${WEIGHTED ? ", weighted" : ""}`,
    only(valueLoss, { CLIP, WEIGHTED }),
    () => {
      const { src, nb } = scatter(r);
      const weights = noise(nb, 4).map((x) => (x > -0.5 ? 1 + x : 0));
      const input = { src, values: noise(r * 4, 1), old_values: noise(nb, 2), returns: noise(nb, 3) };
      const read = WEIGHTED ? weights : weights.map((weight) => (weight ? 1 : 0));
      const clip = CLIP ? 0.5 : null;
      const want = valueLossRef(input.values, src, input.old_values, input.returns, read, r, 0.3, clip);
      return {
        uniforms: { r, scale: 0.3, clip: 0.5 },
        arrays: { ...input, value_mask: weights, dvalues: noise(r * 4, 9), stats: noise(r * 4, 9) },
        want: { dvalues: close(want.dvalues), stats: close(want.stats) },
      };
    },
  );

const penalty = (n: number, KIND: 1 | 2 | 3 | 5, EVERY: 0 | 1): KernelCase[] =>
  casesOf(
    `${n} tokens, estimator ${KIND}${EVERY ? ", at every token" : ""}`,
    only(klReward, { KIND, EVERY }),
    () => {
      const [rewards, old_logprobs, ref_logprobs] = [noise(n, 1), noise(n, 2, 2), noise(n, 3, 2)];
      const mask = Float32Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 1 : 0));
      const want = Array.from(rewards, (reward, i) => {
        const d = (old_logprobs[i] as number) - (ref_logprobs[i] as number);
        return reward - (mask[i] || EVERY ? 0.05 * klEstimateRef(KIND, d).estimate : 0);
      });
      return {
        uniforms: { n, kl_coef: 0.05 },
        arrays: { rewards, old_logprobs, ref_logprobs, mask },
        want: { rewards: close(want) },
      };
    },
  );

export const lossCases: readonly KernelCase[] = [
  ...ROW_SHAPES.flatMap((shape) => [
    ...imitation(shape),
    ...[1, 0.7, 0].flatMap((temperature) => scored(shape, temperature)),
    ...[1, 0.7].flatMap((temperature) => distributions(shape, temperature)),
  ]),
  ...[1, 64, 65, 300].flatMap((n) =>
    (["off", "mask", "clamp"] as const).flatMap((behaviour) => [
      ...facts(n, behaviour, false),
      ...facts(n, behaviour, true),
    ]),
  ),
  ...[1, 17, 40].flatMap((s) =>
    (["sequence", "clipped_sequence", "turn", "turn_product"] as const).flatMap((ratio) =>
      sharedRatio(s, ratio),
    ),
  ),
  ...[1, 63, 65].flatMap((r) => [...values(r, 0, 0), ...values(r, 1, 0), ...values(r, 1, 1)]),
  ...([1, 2, 3, 5] as const).flatMap((kind) => [
    ...penalty(1, kind, 0),
    ...penalty(63, kind, 0),
    ...penalty(130, kind, 0),
    ...penalty(130, kind, 1),
  ]),
];
