// CPU twin of ppo_loss, in f64.
import { klEstimateRef } from "./kl.ref.ts";
import { type PolicyLossRefSettings, policyLossRef } from "./policy-loss.ref.ts";
import { type KL_KIND, NO_TEACHER, type OBJECTIVE } from "./ppo-loss.ts";
import { inverseTemperatureRef, softmaxRowRef } from "./softmax-row.ref.ts";

interface PpoLossRefInput {
  readonly logits: ArrayLike<number>;
  readonly ref_logits: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly src: ArrayLike<number>;
  /** (Nb, 4): old log-probability, advantage, ref policy log-probability, weight. */
  readonly facts: ArrayLike<number>;
  /** (Nb, 2) and (Nb); for PIVOT, `teacher_from` more places and the log-probabilities (Nb) of the teacher. */
  readonly groups: ArrayLike<number>;
  readonly policy_weights: ArrayLike<number>;
}

export interface PpoLossRefSettings extends PolicyLossRefSettings {
  readonly r: number;
  readonly vocab: number;
  readonly stride: number;
  readonly scale: number;
  readonly temperature: number;
  readonly entropy_coef: number;
  readonly kl_coef: number;
  readonly policy_scale: number;
  readonly teacher_from: number;
  readonly pivot_coef: number;
  readonly pivot_beta: number;
}

/** The constants of the kernel besides KL. */
export interface PolicyLossRefKind {
  readonly objective: keyof typeof OBJECTIVE;
  readonly grouped: boolean;
  readonly ownMean: boolean;
  readonly pivot?: boolean;
}

export const PPO_REF: PolicyLossRefKind = { objective: "clipped", grouped: false, ownMean: false };

/**
 * The gate of PIVOT, σ(β·(ℓ_tea − ℓ_stu)): how far a token is imitated (arXiv 2609.35303).
 * @param difference ℓ_tea − ℓ_stu in nats, negative where the teacher finds the token less likely.
 */
export const pivotGateRef = (beta: number, difference: number): number =>
  1 / (1 + Math.exp(-beta * difference));

/**
 * Twin of ppo_loss: its gradient (R, stride), its stats (R, 8), and the scaled loss summed over rows. With `grouped` the
 * ratio is given, and the loss is not what the gradient is that of; with `pivot` it is where the gate is constant, at pivot_beta 0.
 */
export function ppoLossRef(
  { logits, ref_logits, targets, src, facts, groups, policy_weights }: PpoLossRefInput,
  settings: PpoLossRefSettings,
  kind: (typeof KL_KIND)[keyof typeof KL_KIND],
  { objective, grouped, ownMean, pivot = false }: PolicyLossRefKind = PPO_REF,
): { dlogits: Float64Array; stats: Float64Array; loss: number } {
  const { r, vocab, stride, temperature, entropy_coef, kl_coef } = settings;
  const dlogits = new Float64Array(r * stride);
  const stats = new Float64Array(r * 8);
  let loss = 0;
  for (let row = 0; row < r; row++) {
    const at = src[row] as number;
    const target = targets[row] as number;
    const { logProbs, probs, entropy } = softmaxRowRef(logits, row, vocab, stride, temperature);
    const logp = logProbs[target] as number;
    const [old, advantage, refLogp, weight] = [0, 1, 2, 3].map((i) => facts[at * 4 + i]) as [
      number,
      number,
      number,
      number,
    ];
    const scale = settings.scale * weight;

    const group = [groups[at * 2] ?? 0, groups[at * 2 + 1] ?? 0] as const;
    const policy = policyLossRef(objective, grouped, { logp, old, advantage, group }, settings);
    const policyScale = ownMean ? settings.policy_scale * (policy_weights[at] as number) : scale;
    let dLogp = (policy.slope * policyScale) / scale;

    const teacher = pivot ? (policy_weights[settings.teacher_from + at] as number) : NO_TEACHER;
    const gate = teacher === NO_TEACHER ? 0 : pivotGateRef(settings.pivot_beta, teacher - logp);
    dLogp -= settings.pivot_coef * gate;

    let kl = 0;
    let refLogProbs: Float64Array | null = null;
    if (kind === 4) {
      const ref = softmaxRowRef(ref_logits, row, vocab, stride, temperature).logProbs;
      kl = probs.reduce((sum, p, i) => sum + p * ((logProbs[i] as number) - (ref[i] as number)), 0);
      refLogProbs = ref;
    } else if (kind !== 0) {
      const { estimate, derivative } = klEstimateRef(kind, logp - refLogp);
      kl = estimate;
      dLogp += kl_coef * derivative;
    }

    for (let i = 0; i < vocab; i++) {
      const p = probs[i] as number;
      const lp = logProbs[i] as number;
      let dx = dLogp * ((i === target ? 1 : 0) - p) + entropy_coef * p * (lp + entropy);
      if (refLogProbs) dx += kl_coef * p * (lp - (refLogProbs[i] as number) - kl);
      dlogits[row * stride + i] = scale * dx * inverseTemperatureRef(temperature);
    }
    if (gate > 0) loss += scale * settings.pivot_coef * gate * (teacher - logp);
    loss += policyScale * policy.loss + scale * (kl_coef * kl - entropy_coef * entropy);
    const ppoKl = grouped ? old - logp : -policy.logRatio;
    const { clipped, capped, ratio } = policy;
    stats.set([policy.loss, ppoKl, clipped ? 1 : 0, entropy, kl, ratio, logp, capped ? 1 : 0], row * 8);
  }
  return { dlogits, stats, loss };
}
