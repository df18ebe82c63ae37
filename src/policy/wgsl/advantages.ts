// Advantages of the batch as dispatches: KL penalty, estimator, whitening, and what the policy loss reads of it.
import {
  biLevelGae,
  GROUP_KIND,
  gae,
  groupAdvantage,
  LAMBDA_BY,
  maskedGae,
  trajectoryScore,
  turnGae,
  variableClockGae,
} from "../../gpu/kernels/advantage.ts";
import { klReward } from "../../gpu/kernels/kl-reward.ts";
import { BEHAVIOUR, lossFacts } from "../../gpu/kernels/loss-facts.ts";
import {
  NORM_LEVEL,
  type NormLevels,
  normaliseAdvantages,
  trajectoryMoments,
  trajectorySpread,
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
  /** How λ follows from the length of a trajectory, and the parameter of that function. */
  lamBy: keyof typeof LAMBDA_BY;
  lamParam: number;
  /** The variable-clock Bi-Level GAE's discount and λ between turns, λ within them, and the share of that chain. */
  clock: { gammaTurn: number; lambdaTurn: number; lambdaToken: number; mix: number };
  /** Whether REINFORCE++ lets rewards reach earlier turns. */
  carry: boolean;
  /** Tokens whose moments whiten the advantages, or none. */
  whiten: "policy" | "turn_end" | "none";
  /** How they are whitened; absent: by the batch's mean and deviation. */
  norm?: NormLevels;
  klInReward: "off" | "k1" | "k2" | "k3" | "abs";
  klCoef: number;
  /** Whether the KL is subtracted from the advantages, after the estimate, and not from the rewards before it. */
  klAfterwards: boolean;
  /** Whether the KL in the reward is taken at every token, and scores sum every token, not only those of the policy. */
  klAtEveryToken: boolean;
}

/** What decides the dispatches; the rest are numbers. */
export const advantageKey = (options: AdvantageOptions): string => {
  const { estimator, turnAnchor, groupStd, whiten, norm, klInReward, lamBy, carry, klAtEveryToken } = options;
  const levels = norm ? `${norm.mean} ${norm.std} ${norm.leaveOneOut}` : "batch";
  return `advantages ${estimator} anchor ${turnAnchor} std ${groupStd} lambda ${lamBy} carry ${carry} whiten ${whiten} by ${levels} kl ${klInReward} everywhere ${klAtEveryToken}`;
};

type Recorder = (rec: Recording, batch: BatchAxis, options: AdvantageOptions) => void;

/** The batch axis under the names of the kernels' bindings; each kernel takes those that it has. */
const bound = (batch: BatchAxis) => ({ ...batch, mask: batch.gaeMask, end_mask: batch.turnEndMask });

/** GAE over the policy's tokens. */
const overTokens =
  (LUMPED: 0 | 1): Recorder =>
  ({ plan }, batch, { lamBy }) =>
    plan.add(
      maskedGae,
      bound(batch),
      { s: "s", gamma: "gamma", lam: "lam", lam_param: "lamParam" },
      { LUMPED, LAMBDA_BY: LAMBDA_BY[lamBy] },
    );

/** GAE over turns with γ per turn. What the options say of λ is for those only that `byLength` allows. */
const perTurn =
  (constants: { START: 0 | 1; SUMMED?: 1; DENSE?: 1 }, byLength = false): Recorder =>
  ({ plan }, batch, { lamBy }) =>
    plan.add(
      turnGae,
      bound(batch),
      { s: "s", turn_gamma: "gamma", turn_lam: "lam", lam_param: "lamParam" },
      { ...constants, ...(byLength && { LAMBDA_BY: LAMBDA_BY[lamBy] }) },
    );

const compared =
  (kind: (options: AdvantageOptions) => keyof typeof GROUP_KIND): Recorder =>
  ({ plan }, batch, options) => {
    plan.add(trajectoryScore, bound(batch), { s: "s" }, { EVERY: options.klAtEveryToken ? 1 : 0 });
    plan.add(groupAdvantage, bound(batch), { s: "s" }, { KIND: GROUP_KIND[kind(options)] });
  };

const recorders = {
  gae: ({ plan }, batch) => plan.add(gae, bound(batch), { s: "s", gamma: "gamma", lam: "lam" }),
  masked_gae: overTokens(0),
  token_level_gae: overTokens(0),
  default_gae: overTokens(1),
  bi_level_gae: ({ plan }, batch, { turnAnchor }) =>
    plan.add(
      biLevelGae,
      bound(batch),
      { s: "s", gamma: "gamma", lam: "lam", turn_gamma: "turnGamma", turn_lam: "turnLam" },
      { START: turnAnchor === "start" ? 1 : 0 },
    ),
  bi_level_gae_variable_clock: ({ plan }, batch) =>
    plan.add(variableClockGae, bound(batch), {
      s: "s",
      gamma_turn: "clockGammaTurn",
      lambda_turn: "clockLambdaTurn",
      lambda_token: "clockLambdaToken",
      mix: "clockMix",
    }),
  turn_wise_gae: ({ plan }, batch, { turnAnchor }) =>
    plan.add(
      turnGae,
      bound(batch),
      { s: "s", turn_gamma: "turnGamma", turn_lam: "turnLam", lam_param: "lamParam" },
      { START: turnAnchor === "start" ? 1 : 0 },
    ),
  turn_level_gae: perTurn({ START: 1, SUMMED: 1 }, true),
  areal_turn_gae: perTurn({ START: 1, SUMMED: 1, DENSE: 1 }, true),
  grpo: compared(({ groupStd }) => (groupStd ? "grpo" : "grpo_without_std")),
  trajectory_grpo: compared(({ groupStd }) => (groupStd ? "trajectory_grpo" : "trajectory_grpo_without_std")),
  rloo: compared(() => "rloo"),
  // The same comparison as Dr. GRPO's; whitening over the batch comes after it.
  reinforce_plus_plus_baseline: compared(() => "grpo_without_std"),
  reinforce_plus_plus: ({ plan }, batch, { carry }) =>
    plan.add(
      maskedGae,
      bound(batch),
      { s: "s", gamma: "gamma", lam: 1, lam_param: 0 },
      { CRITIC: 0, RESET: carry ? 0 : 1 },
    ),
  no_concat_gae: perTurn({ START: 1, SUMMED: 1 }),
  no_concat_gae_last: perTurn({ START: 0, SUMMED: 1 }),
  // Advantages and returns lie on the batch axis already: a function on the CPU has put them there.
  host: () => undefined,
} as const satisfies Record<string, Recorder>;

/** How an estimator runs: by its own dispatches, or on the `host` when it has none here. */
export const estimatorOnGpu = (id: string): EstimatorId =>
  Object.hasOwn(recorders, id) ? (id as EstimatorId) : "host";

/** The numbers of a plan of advantages, by the names that its dispatches use. */
export const advantageValues = ({
  gamma,
  lam,
  lamParam,
  turnGamma,
  turnLam,
  clock,
  klCoef,
}: AdvantageOptions) => ({
  gamma,
  lam,
  lamParam,
  turnGamma,
  turnLam,
  clockGammaTurn: clock.gammaTurn,
  clockLambdaTurn: clock.lambdaTurn,
  clockLambdaToken: clock.lambdaToken,
  clockMix: clock.mix,
  klCoef,
});

/** KL penalty, estimator, whitening. */
export function recordAdvantages(rec: Recording, batch: BatchAxis, options: AdvantageOptions): void {
  const { plan, caps } = rec;
  const { gaeMask, turnEndMask, advantages, moments } = batch;
  if (!options.klAfterwards) recordPenalty(rec, batch, options);
  recorders[options.estimator](rec, batch, options);
  if (options.klAfterwards) {
    recordPenalty(rec, { ...batch, rewards: advantages }, { ...options, klAtEveryToken: false });
    // Reports compare the rewards before and after the penalty.
    recordPenalty(rec, batch, options);
  }
  if (options.whiten === "none") return;
  const over = options.whiten === "turn_end" ? turnEndMask : gaeMask;
  if (options.norm) {
    recordNormalisation(rec, batch, over, options.norm);
    return;
  }
  plan.add(axisStats(caps), { x: advantages, mask: over, moments }, { n: "n" });
  plan.add(whitenApply, { x: advantages, mask: gaeMask, moments }, { n: "n" });
}

/** Subtracts the KL penalty from the rewards, or from whatever is bound as such. */
function recordPenalty(
  { plan }: Recording,
  { rewards, oldLogprobs, refLogprobs, responseMask }: BatchAxis,
  { klInReward, klAtEveryToken }: AdvantageOptions,
): void {
  if (klInReward === "off") return;
  // Usually only what the policy wrote is scored.
  plan.add(
    klReward,
    { rewards, old_logprobs: oldLogprobs, ref_logprobs: refLogprobs, mask: responseMask },
    { n: "n", kl_coef: "klCoef" },
    { KIND: KL_KIND[klInReward], EVERY: klAtEveryToken ? 1 : 0 },
  );
}

function recordNormalisation(
  { plan }: Recording,
  {
    advantages: x,
    gaeMask: mask,
    starts,
    groups,
    trajectoryMoments: moments,
    trajectorySpreads: spreads,
  }: BatchAxis,
  over: Tensor,
  { mean, std, leaveOneOut }: NormLevels,
): void {
  const subtracted = { MEAN: NORM_LEVEL[mean], LEAVE_ONE_OUT: leaveOneOut ? 1 : 0 };
  plan.add(trajectoryMoments, { x, mask: over, starts, moments }, { s: "s" });
  plan.add(trajectorySpread, { groups, moments, spreads }, { s: "s" }, subtracted);
  plan.add(
    normaliseAdvantages,
    { groups, starts, moments, spreads, mask, over, x },
    { s: "s" },
    { ...subtracted, STD: NORM_LEVEL[std] },
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
