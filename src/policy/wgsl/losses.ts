// The losses as dispatches: the forward pass, the loss, and the backward pass to the gradient of every parameter.
import { crossEntropy } from "../../gpu/kernels/cross-entropy.ts";
import { RATIO, sequenceLogRatio } from "../../gpu/kernels/loss-facts.ts";
import { KL_KIND, OBJECTIVE, ppoLoss } from "../../gpu/kernels/ppo-loss.ts";
import { sumStats } from "../../gpu/kernels/stats.ts";
import { valueLoss } from "../../gpu/kernels/value-loss.ts";
import type { ModelParts } from "./engine-buffers.ts";
import { type Network, networkOf } from "./layers.ts";
import {
  backboneBackward,
  backboneForward,
  headBackward,
  headForward,
  valueBackward,
  valueForward,
} from "./network.ts";
import type { Recording } from "./ops.ts";
import { keepsRefDistributions, recordLogProbs } from "./scoring.ts";
import type { LossKind } from "./step-settings.ts";

/** Losses with the same key have the same dispatches. */
export const lossKey = ({
  objective,
  kl,
  policy,
  trains,
  valueGradient,
  clipValue,
  weightsValues,
  pivot,
}: LossKind): string =>
  trains === "critic"
    ? `loss of critic clip ${clipValue} weights ${weightsValues}`
    : `loss of ${trains} ${objective} kl ${kl} ${Object.values(policy).join(" ")} value gradient ${valueGradient} clip ${clipValue} weights ${weightsValues} pivot ${pivot === true}`;

/** Forward, losses and backward of one micro-batch; gradients are added to those that are there. */
export function recordLoss(rec: Recording, model: ModelParts, kind: LossKind): void {
  if (kind.trains === "critic") recordCriticLoss(rec, model, kind);
  else recordAllLosses(rec, model, kind);
}

/** The policy's loss, and the value loss unless the step trains the policy alone. */
function recordAllLosses(rec: Recording, model: ModelParts, kind: LossKind): void {
  const { ws, params, refParams } = model.buffers;
  const policy = networkOf(rec, model, params);
  const separate = model.architecture.critic === "separate";
  const valued = kind.trains === "all";
  if (kind.objective === "ppo" && kind.kl === "full" && !keepsRefDistributions(model)) {
    const refPolicy = networkOf(rec, model, refParams);
    backboneForward(refPolicy);
    headForward(refPolicy, ws.refLogits);
  }
  backboneForward(policy);
  headForward(policy, ws.logits);
  recordPolicyLoss(rec, model, kind);
  headBackward(policy);
  if (valued && !separate) {
    recordValueLoss(policy, model, kind);
    valueBackward(policy, kind.valueGradient);
  }
  backboneBackward(policy);
  if (valued && separate) recordCriticLoss(rec, model, kind);
}

/** The value loss alone: of the separate critic, or of the head, whose gradient then stops at the policy's backbone. */
function recordCriticLoss(rec: Recording, model: ModelParts, kind: LossKind): void {
  const { params } = model.buffers;
  const head = networkOf(rec, model, params);
  const separate = model.architecture.critic === "separate";
  const backbone = separate ? networkOf(rec, model, params, "critic.") : head;
  backboneForward(backbone);
  recordValueLoss(head, model, kind);
  valueBackward(head, separate ? "set" : "none");
  if (separate) backboneBackward(backbone);
}

/** The loss of the policy's tokens from its logits, which the gradient replaces, and its sums. */
function recordPolicyLoss(rec: Recording, model: ModelParts, kind: LossKind): void {
  const { ws, totals } = model.buffers;
  if (kind.objective === "sft") recordImitation(rec, model);
  else recordPpo(rec, model, kind);
  rec.plan.add(sumStats(rec.caps), { stats: ws.stats, totals }, { r: "targets" }, { COLS: 8 });
}

/** What the losses of both stages read and write. */
const boundOf = ({ buffers: { ws } }: ModelParts) => ({
  logits: ws.logits,
  targets: ws.inputs.targetIds,
  stats: ws.stats,
  src: ws.inputs.src,
});

/** SFT: the cross-entropy of the demonstrated tokens. */
function recordImitation({ plan, caps }: Recording, model: ModelParts): void {
  const { vocab, vocabStride: stride } = model.architecture;
  const bound = { ...boundOf(model), weights: model.buffers.batch.weights };
  plan.add(crossEntropy(caps), bound, { r: "targets", vocab, stride, scale: "scale" });
}

/** The numbers of a step that PPO's loss reads, by their names in the kernel. */
const PPO_NUMBERS = {
  r: "targets",
  scale: "scale",
  temperature: "temperature",
  clip_low: "clipLow",
  clip_high: "clipHigh",
  clip_c: "clipC",
  entropy_coef: "entropyCoef",
  kl_coef: "klCoef",
  policy_scale: "policyScale",
  tau_pos: "tauPos",
  tau_neg: "tauNeg",
  cov_kl_coef: "covKlCoef",
  teacher_from: "teacherFrom",
  pivot_coef: "pivotCoef",
  pivot_beta: "pivotBeta",
} as const;

/** PPO: the policy's objective, the entropy bonus and the KL penalty. */
function recordPpo(rec: Recording, model: ModelParts, kind: LossKind): void {
  const { batch } = model.buffers;
  const { vocab, vocabStride: stride } = model.architecture;
  if (kind.policy.ratio !== "token") recordGroupRatio(rec, model, kind.policy.ratio);
  rec.plan.add(
    ppoLoss(rec.caps),
    {
      ...boundOf(model),
      ref_logits: refLogits(model, kind),
      facts: batch.facts,
      groups: batch.ratioGroups,
      policy_weights: batch.policyWeights,
    },
    { ...PPO_NUMBERS, vocab, stride },
    ppoConstants(model, kind),
  );
}

/** Whether the distributions of the ref policy were kept when it scored the batch; otherwise the pass computes its logits. */
const keepsRef = (model: ModelParts, { kl }: LossKind): boolean =>
  kl === "full" && keepsRefDistributions(model);

/** What an exact KL reads of the ref policy; without one the kernel reads nothing, and gets a buffer that it has not bound. */
function refLogits(model: ModelParts, kind: LossKind) {
  const { ws, batch } = model.buffers;
  if (kind.kl !== "full") return batch.entropy;
  return keepsRef(model, kind) ? batch.refDistributions : ws.refLogits;
}

const ppoConstants = (model: ModelParts, kind: LossKind) => ({
  KL: KL_KIND[kind.kl],
  OBJECTIVE: OBJECTIVE[kind.policy.objective],
  GROUPED: kind.policy.ratio === "token" ? 0 : 1,
  OWN_MEAN: kind.policy.ownMean ? 1 : 0,
  PIVOT: kind.pivot ? 1 : 0,
  KEPT_REF: keepsRef(model, kind) ? 1 : 0,
});

/** A ratio of several tokens needs the log-probability of each before the first gradient. */
function recordGroupRatio(rec: Recording, model: ModelParts, ratio: keyof typeof RATIO): void {
  const { batch } = model.buffers;
  recordLogProbs(rec, model, batch.newLogprobs);
  rec.plan.add(
    sequenceLogRatio,
    {
      new_logprobs: batch.newLogprobs,
      facts: batch.facts,
      mask: batch.gaeMask,
      turn_end_mask: batch.turnEndMask,
      starts: batch.sequenceStarts,
      group_ratio: batch.ratioGroups,
    },
    { s: "s", clip_low: "clipLow", clip_high: "clipHigh" },
    RATIO[ratio],
  );
}

function recordValueLoss(
  policy: Network,
  { buffers }: ModelParts,
  { clipValue, weightsValues }: LossKind,
): void {
  const { rec } = policy;
  const { ws, batch, valueTotals } = buffers;
  valueForward(policy);
  rec.plan.add(
    valueLoss,
    {
      values: ws.values,
      src: ws.inputs.src,
      old_values: batch.values,
      returns: batch.returns,
      value_mask: batch.valueMask,
      dvalues: ws.dvalues,
      stats: ws.valueStats,
    },
    { r: "targets", scale: "valueScale", clip: "valueClip" },
    { CLIP: clipValue ? 1 : 0, WEIGHTED: weightsValues ? 1 : 0 },
  );
  rec.plan.add(
    sumStats(rec.caps),
    { stats: ws.valueStats, totals: valueTotals },
    { r: "targets" },
    { COLS: 4 },
  );
}
