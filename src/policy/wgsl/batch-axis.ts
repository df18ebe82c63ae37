// Facts about every token of an update's batch, on the GPU: what the estimators read and the losses look up.
import type { Arena, Tensor } from "../../gpu/memory.ts";

/**
 * Nb tokens of all trajectories behind one another; trajectory s covers [starts[s], starts[s + 1]). Behind them are S more
 * places, where the values after the last tokens of truncated trajectories are computed.
 */
export interface BatchAxis {
  /** 1 = carries advantage: the policy's tokens, or all of them without a mask. */
  gaeMask: Tensor;
  /** 1 = sampled by the policy. */
  responseMask: Tensor;
  /** 1 = its value is trained. */
  valueMask: Tensor;
  turnEndMask: Tensor;
  rewards: Tensor;
  starts: Tensor;
  /** (sequences + 1): where each sequence that the model reads begins; trajectories have one or several. */
  sequenceStarts: Tensor;
  bootstrap: Tensor;
  /** (S): equal numbers began in the same state; scores of trajectories. */
  groups: Tensor;
  scores: Tensor;
  /** What each token counts in the loss. */
  weights: Tensor;
  /** Log-probabilities under the policy that sampled. */
  rolloutLogprobs: Tensor;
  oldLogprobs: Tensor;
  refLogprobs: Tensor;
  entropy: Tensor;
  values: Tensor;
  advantages: Tensor;
  returns: Tensor;
  /** (Nb, 4): what the policy loss reads, see loss_facts.wgsl. */
  facts: Tensor;
  /** Log-probabilities under the policy that is being trained, and the mean log-ratio of each sequence. */
  newLogprobs: Tensor;
  sequenceLogRatio: Tensor;
  /** (S, 4): moments of each trajectory's advantages. */
  trajectoryMoments: Tensor;
  /** Partial and final moments of whitening, see the kernel. */
  moments: Tensor;
}

export function createBatchAxis(
  arena: Arena,
  tokens: number,
  episodes: number,
  sequences: number,
  momentsLength: number,
): BatchAxis {
  const t = (label: string, length: number) => arena.tensor("batch", label, length);
  const scored = tokens + episodes;
  return {
    gaeMask: t("GAE mask", tokens),
    responseMask: t("response mask", tokens),
    valueMask: t("value mask", tokens),
    turnEndMask: t("turn-end mask", tokens),
    rewards: t("rewards", tokens),
    starts: t("starts", episodes + 1),
    sequenceStarts: t("sequence starts", sequences + 1),
    bootstrap: t("bootstrap", episodes),
    groups: t("groups", episodes),
    scores: t("scores", episodes),
    weights: t("weights", tokens),
    rolloutLogprobs: t("rollout log-probabilities", tokens),
    oldLogprobs: t("old log-probabilities", scored),
    refLogprobs: t("reference log-probabilities", tokens),
    entropy: t("entropy", scored),
    values: t("values", scored),
    advantages: t("advantages", tokens),
    returns: t("returns", tokens),
    facts: t("loss facts", tokens * 4),
    newLogprobs: t("new log-probabilities", tokens),
    sequenceLogRatio: t("sequence log-ratio", tokens),
    trajectoryMoments: t("trajectory moments", episodes * 4),
    moments: t("moments", momentsLength),
  };
}
