// Facts about every token of an update's batch, on the GPU: what the estimators read and the losses look up.
import { MOMENTS_LENGTH } from "../../gpu/kernels/stats.ts";
import type { Arena, Tensor } from "../../gpu/memory.ts";

/** How much a batch axis has room for. */
interface BatchAxisSize {
  readonly tokens: number;
  readonly episodes: number;
  /** Sequences that the model reads of them. */
  readonly sequences: number;
  /** Whether the log-probabilities of a teacher need room; default false. */
  readonly teacher?: boolean;
  /** Columns of the ref policy's distributions; default 0. */
  readonly refColumns?: number;
}

/**
 * Nb tokens of all trajectories, one after another; trajectory s covers [starts[s], starts[s + 1]). After them come S more
 * places, where the values after the last tokens of truncated trajectories are computed.
 */
export type BatchAxis = ReturnType<typeof createBatchAxis>;

/** Describes the tensors of a batch axis. */
export function createBatchAxis(arena: Arena, size: BatchAxisSize) {
  const describe: Describe = (label, length) => arena.tensor("batch", label, length);
  return { ...uploaded(describe, size), ...scored(describe, size), ...estimated(describe, size) };
}

type Describe = (label: string, length: number) => Tensor;

/** What the host knows of the trajectories. */
const uploaded = (t: Describe, { tokens, episodes, sequences, teacher = false }: BatchAxisSize) => ({
  /** 1 = carries advantage: the policy's tokens, or all of them without a mask. */
  gaeMask: t("GAE mask", tokens),
  /** 1 = sampled by the policy. */
  responseMask: t("response mask", tokens),
  /** 1 = its value is trained; where the value loss averages sequences, what it counts. */
  valueMask: t("value mask", tokens),
  turnEndMask: t("turn-end mask", tokens),
  rewards: t("rewards", tokens),
  starts: t("starts", episodes + 1),
  /** (sequences + 1): where each sequence that the model reads begins; trajectories have one or several. */
  sequenceStarts: t("sequence starts", sequences + 1),
  bootstrap: t("bootstrap", episodes),
  /** (S): equal numbers began in the same state; scores of trajectories. */
  groups: t("groups", episodes),
  scores: t("scores", episodes),
  /** What each token counts in the loss. */
  weights: t("weights", tokens),
  /**
   * The same in the policy's part of a loss that has a mean of its own. With a teacher, its log-probabilities follow, from place
   * `tokens` on.
   */
  policyWeights: t("policy weights", tokens * (teacher ? 2 : 1)),
  /** Log-probabilities under the policy that sampled. */
  rolloutLogprobs: t("rollout log-probabilities", tokens),
});

/** What forward passes compute of the tokens. */
const scored = (t: Describe, { tokens, episodes, refColumns = 0 }: BatchAxisSize) => ({
  oldLogprobs: t("old log-probabilities", tokens + episodes),
  refLogprobs: t("ref policy log-probabilities", tokens),
  /** (Nb, stride): the ref policy's log-probability of every id, where it is kept. */
  refDistributions: t("ref policy distributions", tokens * refColumns),
  entropy: t("entropy", tokens + episodes),
  values: t("values", tokens + episodes),
  /** Log-probabilities under the policy that is being trained. */
  newLogprobs: t("new log-probabilities", tokens),
});

/** What estimators and normalisation make of them. */
const estimated = (t: Describe, { tokens, episodes }: BatchAxisSize) => ({
  advantages: t("advantages", tokens),
  returns: t("returns", tokens),
  /** (Nb, 4): what the policy loss reads, see loss_facts.wgsl. */
  facts: t("loss facts", tokens * 4),
  /** (Nb, 2): the ratio that tokens share, see sequence_log_ratio.wgsl, or which tokens the covariance chose. */
  ratioGroups: t("ratios of groups", tokens * 2),
  /** (S, 4): moments of each trajectory's advantages. */
  trajectoryMoments: t("trajectory moments", episodes * 4),
  /** (S): their squared distances from what normalisation subtracts. */
  trajectorySpreads: t("trajectory spreads", episodes),
  /** Moments of the whole batch, with which whitening shifts and scales the advantages. */
  moments: t("moments", MOMENTS_LENGTH),
});
