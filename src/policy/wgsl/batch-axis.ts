// Facts about every token of an update's batch, on the GPU: what the estimators read and the losses look up.
import type { Arena, Tensor } from "../../gpu/memory.ts";

/** Nb tokens of all trajectories behind one another; trajectory s covers [starts[s], starts[s + 1]). */
export interface BatchAxis {
  lossMask: Tensor;
  turnEndMask: Tensor;
  rewards: Tensor;
  starts: Tensor;
  bootstrap: Tensor;
  oldLogprobs: Tensor;
  refLogprobs: Tensor;
  entropy: Tensor;
  values: Tensor;
  advantages: Tensor;
  returns: Tensor;
  /** Partial and final moments of whitening, see the kernel. */
  moments: Tensor;
}

export function createBatchAxis(
  arena: Arena,
  tokens: number,
  episodes: number,
  momentsLength: number,
): BatchAxis {
  const t = (label: string, length: number) => arena.tensor("batch", label, length);
  return {
    lossMask: t("loss mask", tokens),
    turnEndMask: t("turn-end mask", tokens),
    rewards: t("rewards", tokens),
    starts: t("starts", episodes + 1),
    bootstrap: t("bootstrap", episodes),
    oldLogprobs: t("old log-probabilities", tokens),
    refLogprobs: t("reference log-probabilities", tokens),
    entropy: t("entropy", tokens),
    values: t("values", tokens),
    advantages: t("advantages", tokens),
    returns: t("returns", tokens),
    moments: t("moments", momentsLength),
  };
}
