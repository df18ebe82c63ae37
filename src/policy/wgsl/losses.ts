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

function recordPolicyLoss(
  rec: Recording,
  model: ModelParts,
  { objective, kl, policy, pivot }: LossKind,
): void {
  const { plan, caps } = rec;
  const { ws, batch, totals } = model.buffers;
  const { vocab, vocabStride: stride } = model.architecture;
  const bound = { logits: ws.logits, targets: ws.inputs.targetIds, stats: ws.stats };
  if (objective === "sft") {
    const weighed = { ...bound, src: ws.inputs.src, weights: batch.weights };
    plan.add(crossEntropy(caps), weighed, { r: "targets", vocab, stride, scale: "scale" });
  } else {
    if (policy.ratio !== "token") recordGroupRatio(rec, model, policy.ratio);
    const kept = kl === "full" && keepsRefDistributions(model);
    plan.add(
      ppoLoss(caps),
      {
        ...bound,
        ref_logits: kl === "full" ? (kept ? batch.refDistributions : ws.refLogits) : batch.entropy,
        src: ws.inputs.src,
        facts: batch.facts,
        groups: batch.ratioGroups,
        policy_weights: batch.policyWeights,
      },
      {
        r: "targets",
        vocab,
        stride,
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
      },
      {
        KL: KL_KIND[kl],
        OBJECTIVE: OBJECTIVE[policy.objective],
        GROUPED: policy.ratio === "token" ? 0 : 1,
        OWN_MEAN: policy.ownMean ? 1 : 0,
        PIVOT: pivot ? 1 : 0,
        KEPT_REF: kept ? 1 : 0,
      },
    );
  }
  plan.add(sumStats(caps), { stats: ws.stats, totals }, { r: "targets" }, { COLS: 8 });
}

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
