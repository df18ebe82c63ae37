// Advantages of the batch as dispatches: KL penalty, estimator, whitening, and what the policy loss reads of it.
import {
  biLevelGae,
  GROUP_KIND,
  gae,
  groupAdvantage,
  maskedGae,
  trajectoryScore,
  turnGae,
} from "../../gpu/kernels/advantage.ts";
import { klReward } from "../../gpu/kernels/kl-reward.ts";
import { BEHAVIOUR, lossFacts } from "../../gpu/kernels/loss-facts.ts";
import {
  NORM_LEVEL,
  type NormLevels,
  normaliseAdvantages,
  trajectoryMoments,
} from "../../gpu/kernels/normalise.ts";
import { KL_KIND } from "../../gpu/kernels/ppo-loss.ts";
import { axisStats } from "../../gpu/kernels/stats.ts";
import { whitenApply } from "../../gpu/kernels/whiten.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { BatchAxis } from "./batch-axis.ts";
import type { Recording } from "./ops.ts";

/** Estimators that run on the GPU; their CPU twins are rl/advantage/. */
type EstimatorId = keyof typeof recorders;

/** How advantages are estimated; numbers change without recompiling. */
export interface AdvantageOptions {
  estimator: EstimatorId;
  gamma: number;
  lam: number;
  turnGamma: number;
  turnLam: number;
  /** Where the value of a turn is read, for Bi-Level and turn-wise GAE. */
  turnAnchor: "end" | "start";
  /** Whether GRPO divides by the standard deviation of a group. */
  groupStd: boolean;
  /** Tokens whose moments whiten the advantages, or none. */
  whiten: "policy" | "turn_end" | "none";
  /** How they are whitened; absent: by the batch's mean and deviation. */
  norm?: NormLevels;
  klInReward: "off" | "k1" | "k2" | "k3";
  klCoef: number;
}

/** What decides the dispatches; the rest are numbers. */
export const advantageKey = (options: AdvantageOptions): string => {
  const { estimator, turnAnchor, groupStd, whiten, norm, klInReward } = options;
  const levels = norm ? `${norm.mean} ${norm.std} ${norm.leaveOneOut}` : "batch";
  return `advantages ${estimator} anchor ${turnAnchor} std ${groupStd} whiten ${whiten} by ${levels} kl ${klInReward}`;
};

type Recorder = (rec: Recording, batch: BatchAxis, options: AdvantageOptions) => void;

/** The batch axis under the names of the kernels' bindings; each kernel takes those that it has. */
const bound = (batch: BatchAxis) => ({ ...batch, mask: batch.gaeMask, end_mask: batch.turnEndMask });

/** One sequence per turn: γ applies per turn. */
const perTurn =
  (START: 0 | 1): Recorder =>
  ({ plan }, batch) =>
    plan.add(turnGae, bound(batch), { s: "s", turn_gamma: "gamma", turn_lam: "lam" }, { START });

const compared =
  (kind: (options: AdvantageOptions) => keyof typeof GROUP_KIND): Recorder =>
  ({ plan }, batch, options) => {
    plan.add(trajectoryScore, bound(batch), { s: "s" });
    plan.add(groupAdvantage, bound(batch), { s: "s" }, { KIND: GROUP_KIND[kind(options)] });
  };

const recorders = {
  gae: ({ plan }, batch) => plan.add(gae, bound(batch), { s: "s", gamma: "gamma", lam: "lam" }),
  masked_gae: ({ plan }, batch) => plan.add(maskedGae, bound(batch), { s: "s", gamma: "gamma", lam: "lam" }),
  bi_level_gae: ({ plan }, batch, { turnAnchor }) =>
    plan.add(
      biLevelGae,
      bound(batch),
      { s: "s", gamma: "gamma", lam: "lam", turn_gamma: "turnGamma", turn_lam: "turnLam" },
      { START: turnAnchor === "start" ? 1 : 0 },
    ),
  turn_wise_gae: ({ plan }, batch, { turnAnchor }) =>
    plan.add(
      turnGae,
      bound(batch),
      { s: "s", turn_gamma: "turnGamma", turn_lam: "turnLam" },
      { START: turnAnchor === "start" ? 1 : 0 },
    ),
  grpo: compared(({ groupStd }) => (groupStd ? "grpo" : "grpo_without_std")),
  rloo: compared(() => "rloo"),
  reinforce_plus_plus: ({ plan }, batch) =>
    plan.add(maskedGae, bound(batch), { s: "s", gamma: "gamma", lam: 1 }, { CRITIC: 0 }),
  no_concat_gae: perTurn(1),
  no_concat_gae_last: perTurn(0),
  // Advantages and returns lie on the batch axis already: a function on the CPU has put them there.
  host: () => undefined,
} as const satisfies Record<string, Recorder>;

/** How an estimator runs: by its own dispatches, or on the `host` when it has none here. */
export const estimatorOnGpu = (id: string): EstimatorId =>
  Object.hasOwn(recorders, id) ? (id as EstimatorId) : "host";

/** KL penalty, estimator, whitening. */
export function recordAdvantages(rec: Recording, batch: BatchAxis, options: AdvantageOptions): void {
  const { plan, caps } = rec;
  const { rewards, oldLogprobs, refLogprobs, gaeMask, responseMask, turnEndMask, advantages, moments } =
    batch;
  if (options.klInReward !== "off") {
    // Only what the policy wrote can be near to or far from the ref policy; elsewhere that is not even scored.
    plan.add(
      klReward,
      { rewards, old_logprobs: oldLogprobs, ref_logprobs: refLogprobs, mask: responseMask },
      { n: "n", kl_coef: "klCoef" },
      { KIND: KL_KIND[options.klInReward] },
    );
  }
  recorders[options.estimator](rec, batch, options);
  if (options.whiten === "none") return;
  const over = options.whiten === "turn_end" ? turnEndMask : gaeMask;
  if (options.norm) {
    recordNormalisation(rec, batch, over, options.norm);
    return;
  }
  plan.add(axisStats(caps), { x: advantages, mask: over, moments }, { n: "n" });
  plan.add(whitenApply, { x: advantages, mask: gaeMask, moments }, { n: "n" });
}

function recordNormalisation(
  { plan }: Recording,
  { advantages: x, gaeMask: mask, starts, groups, trajectoryMoments: moments }: BatchAxis,
  over: Tensor,
  { mean, std, leaveOneOut }: NormLevels,
): void {
  plan.add(trajectoryMoments, { x, mask: over, starts, moments }, { s: "s" });
  plan.add(
    normaliseAdvantages,
    { groups, starts, moments, mask, over, x },
    { s: "s" },
    { MEAN: NORM_LEVEL[mean], STD: NORM_LEVEL[std], LEAVE_ONE_OUT: leaveOneOut ? 1 : 0 },
  );
}

/** What the policy loss reads of each token. Numbers change without recompiling. */
export interface LossFactsOptions {
  /** How tokens of another policy are corrected for (AReaL's decoupled objective). */
  behaviour: keyof typeof BEHAVIOUR;
  behaviourCap: number;
  /** Factor of all advantages; batch filters use it. */
  advantageScale: number;
  /** Whether log-probabilities under the ref policy are there. */
  refPolicy: boolean;
}

/** Gathers what the policy loss reads about each token. */
export function recordLossFacts(
  { plan }: Recording,
  batch: BatchAxis,
  { behaviour, refPolicy }: LossFactsOptions,
): void {
  plan.add(
    lossFacts,
    {
      old_logprobs: batch.oldLogprobs,
      advantages: batch.advantages,
      ref_logprobs: batch.refLogprobs,
      weights: batch.weights,
      rollout_logprobs: batch.rolloutLogprobs,
      facts: batch.facts,
    },
    { n: "n", advantage_scale: "advantageScale", cap: "behaviourCap" },
    { BEHAVIOUR: BEHAVIOUR[behaviour], REF_POLICY: refPolicy ? 1 : 0 },
  );
}
