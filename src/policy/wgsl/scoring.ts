// Log-probabilities of sampled tokens as dispatches, under the policy and under the ref policy.
import { logProbRows } from "../../gpu/kernels/log-prob.ts";
import { logSoftmaxRows } from "../../gpu/kernels/log-softmax.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { ModelParts } from "./engine-buffers.ts";
import { networkOf } from "./layers.ts";
import { backboneForward, headForward, valueForward } from "./network.ts";
import type { Recording } from "./ops.ts";

/** Log-probabilities, entropies and values of a micro-batch's targets under the policy. */
export function recordScore(rec: Recording, model: ModelParts): void {
  const { ws, batch, params } = model.buffers;
  const policy = networkOf(rec, model, params);
  backboneForward(policy);
  headForward(policy, ws.logits);
  if (model.architecture.critic === "separate") backboneForward(networkOf(rec, model, params, "critic."));
  valueForward(policy);
  recordLogProbs(rec, model, batch.oldLogprobs, batch.entropy, batch.values);
}

/** Log-probabilities of a micro-batch's targets under the policy that is being trained, beside the old ones. */
export function recordNewScore(rec: Recording, model: ModelParts): void {
  const { ws, batch, params } = model.buffers;
  const policy = networkOf(rec, model, params);
  backboneForward(policy);
  headForward(policy, ws.logits);
  recordLogProbs(rec, model, batch.newLogprobs);
}

/** Whether a batch keeps the ref policy's distributions, so that an exact KL need not run the ref policy in every step. */
export const keepsRefDistributions = ({ buffers }: ModelParts): boolean =>
  buffers.batch.refDistributions.length > 0;

/** Log-probabilities of a micro-batch's targets under the ref policy, and with `distributions` those of the whole vocabulary. */
export function recordRefPolicyScore(rec: Recording, model: ModelParts, distributions: boolean): void {
  const { ws, batch, refParams } = model.buffers;
  const refPolicy = networkOf(rec, model, refParams);
  backboneForward(refPolicy);
  headForward(refPolicy, ws.logits);
  recordLogProbs(rec, model, batch.refLogprobs);
  if (!distributions) return;
  const { vocab, vocabStride: stride } = model.architecture;
  rec.plan.add(
    logSoftmaxRows(rec.caps),
    { logits: ws.logits, src: ws.inputs.src, out: batch.refDistributions },
    { r: "targets", vocab, stride, temperature: "temperature" },
  );
}

/** From the logits in the workspace onto the batch axis; entropies and values only where they are read. */
export function recordLogProbs(
  { plan, caps }: Recording,
  { architecture, buffers }: ModelParts,
  logprobs: Tensor,
  entropy = buffers.unusedEntropy,
  values = buffers.unusedValues,
): void {
  const { ws } = buffers;
  const { vocab, vocabStride: stride } = architecture;
  plan.add(
    logProbRows(caps),
    {
      logits: ws.logits,
      targets: ws.inputs.targetIds,
      src: ws.inputs.src,
      values: ws.values,
      logprobs,
      entropy,
      values_out: values,
    },
    { r: "targets", vocab, stride, temperature: "temperature" },
  );
}
