// Cases of the policy loss: every KL term, every objective and every structural choice.
import { logProbRowsRef } from "../../gpu/kernels/log-prob.ref.ts";
import { logSoftmaxRowsRef } from "../../gpu/kernels/log-softmax.ref.ts";
import {
  type PolicyLossRefKind,
  PPO_REF,
  type PpoLossRefSettings,
  ppoLossRef,
} from "../../gpu/kernels/ppo-loss.ref.ts";
import { KL_KIND, NO_TEACHER, OBJECTIVE, ppoLoss } from "../../gpu/kernels/ppo-loss.ts";
import { both, casesOf, close, type KernelCase } from "../case.ts";
import { paddedLogits, ROW_SHAPES, randomTargets, scatter } from "../inputs.ts";
import { noise } from "../numbers.ts";

const KINDS: readonly PolicyLossRefKind[] = [
  { objective: "clipped", grouped: true, ownMean: false },
  { objective: "clipped", grouped: true, ownMean: true },
  { objective: "clipped", grouped: false, ownMean: false, pivot: true },
  { objective: "sapo", grouped: false, ownMean: true, pivot: true },
  { objective: "gpg", grouped: false, ownMean: false },
  { objective: "cispo", grouped: false, ownMean: false },
  { objective: "sapo", grouped: false, ownMean: true },
  { objective: "clip_cov", grouped: false, ownMean: false },
  { objective: "kl_cov", grouped: false, ownMean: false },
  { objective: "geo_mean", grouped: true, ownMean: true },
];

/** Rows, entries of the vocabulary, and entries from row to row. */
type RowShape = readonly [r: number, vocab: number, stride: number];

/** Rows whose ratios lie on both sides of the clip range, for advantages of both signs. */
export function policyRows([r, vocab, stride]: RowShape, temperature: number) {
  const logits = paddedLogits(r, vocab, stride);
  const ref_logits = paddedLogits(r, vocab, stride, 2).map((x, i) => 0.5 * (x + (logits[i] as number)));
  const targets = randomTargets(r, vocab);
  const { src, nb } = scatter(r);
  const { logprobs } = logProbRowsRef(logits, targets, r, vocab, stride, temperature);
  const ref = logProbRowsRef(ref_logits, targets, r, vocab, stride, temperature).logprobs;
  const facts = new Float32Array(nb * 4);
  const shift = noise(r, 7, 0.5);
  const advantages = noise(nb, 8);
  const weights = noise(nb, 10, 0.5);
  src.forEach((at, row) => {
    const old = (logprobs[row] as number) + (shift[row] as number);
    facts.set([old, advantages[at] as number, ref[row] as number, 1 + (weights[at] as number)], at * 4);
  });
  const groups = noise(nb * 2, 11, 0.5);
  // The teacher of every third row says nothing.
  const teacher = new Float32Array(nb);
  const preferred = noise(r, 13, 0.5);
  src.forEach((at, row) => {
    const likely = Math.min(0, (logprobs[row] as number) + (preferred[row] as number));
    teacher[at] = row % 3 === 2 ? NO_TEACHER : likely;
  });
  const policy_weights = Float32Array.from([...noise(nb, 12, 0.5).map((x) => 1 + x), ...teacher]);
  return { logits, ref_logits, targets, src, facts, groups, policy_weights };
}

/** The uniforms of these cases. */
export const policySettings = ([r, vocab, stride]: RowShape, temperature: number): PpoLossRefSettings => ({
  r,
  vocab,
  stride,
  scale: 0.125,
  temperature,
  clip_low: 0.2,
  clip_high: 0.28,
  clip_c: 1.3,
  entropy_coef: 0.01,
  kl_coef: 0.1,
  policy_scale: 0.3,
  tau_pos: 1,
  tau_neg: 1.05,
  cov_kl_coef: 0.1,
  teacher_from: scatter(r).nb,
  pivot_coef: 0.4,
  pivot_beta: 5,
});

/** The constants of the kernel. */
export const policyConstants = (KL: number, { objective, grouped, ownMean, pivot }: PolicyLossRefKind) => ({
  KL,
  OBJECTIVE: OBJECTIVE[objective],
  GROUPED: grouped ? 1 : 0,
  OWN_MEAN: ownMean ? 1 : 0,
  PIVOT: pivot ? 1 : 0,
});

type Kl = (typeof KL_KIND)[keyof typeof KL_KIND];

function loss(shape: RowShape, kl: Kl, temperature: number, kind = PPO_REF): KernelCase[] {
  const [r, vocab, stride] = shape;
  const { objective, grouped, ownMean, pivot } = kind;
  const own = `${objective}${grouped ? ", grouped" : ""}${ownMean ? ", a mean of its own" : ""}${pivot ? ", a teacher" : ""}`;
  const title = `${r} rows, vocabulary ${vocab}, stride ${stride}; KL ${kl}, ${own}`;
  return casesOf(title, both(ppoLoss, policyConstants(kl, kind)), () => {
    const input = policyRows(shape, temperature);
    if (objective.endsWith("_cov")) input.groups.set(input.groups.map((x) => (x > 0 ? 1 : 0)));
    const settings = policySettings(shape, temperature);
    const want = ppoLossRef(input, settings, kl, kind);
    return {
      uniforms: { ...settings },
      arrays: { ...input, stats: noise(r * 8, 9) },
      // exp(log ratio) turns the rounding of log-probabilities near 10 (1e-6) into a relative error.
      want: { logits: close(want.dlogits, 3e-5, 3e-7), stats: close(want.stats, 1e-5, 6e-6) },
    };
  });
}

/** An exact KL to distributions that were kept on the batch axis: the same losses as from the ref policy's logits. */
function lossToKept(shape: RowShape, temperature: number): KernelCase[] {
  const [r, vocab, stride] = shape;
  const title = `${r} rows, vocabulary ${vocab}, stride ${stride}; KL to kept distributions`;
  const constants = { ...policyConstants(KL_KIND.full, PPO_REF), KEPT_REF: 1 };
  return casesOf(title, both(ppoLoss, constants), () => {
    const input = policyRows(shape, temperature);
    const settings = policySettings(shape, temperature);
    const want = ppoLossRef(input, settings, KL_KIND.full, PPO_REF);
    const kept = logSoftmaxRowsRef(input.ref_logits, input.src, settings, scatter(r).nb);
    return {
      uniforms: { ...settings },
      arrays: { ...input, ref_logits: Float32Array.from(kept), stats: noise(r * 8, 9) },
      want: { logits: close(want.dlogits, 3e-5, 3e-7), stats: close(want.stats, 1e-5, 6e-6) },
    };
  });
}

export const ppoLossCases: readonly KernelCase[] = [
  ...ROW_SHAPES.flatMap((shape) =>
    Object.values(KL_KIND).flatMap((kl) => loss(shape, kl, kl % 2 === 0 && kl !== KL_KIND.full ? 1 : 0.7)),
  ),
  ...ROW_SHAPES.flatMap((shape) => lossToKept(shape, 0.7)),
  ...KINDS.flatMap((kind) => loss(ROW_SHAPES[2], KL_KIND.k3, 0.7, kind)),
];
