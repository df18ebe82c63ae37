// What one optimiser step is made with: the kind of its loss, and its numbers as plans take them.
import type { RATIO } from "../../gpu/kernels/loss-facts.ts";
import type { KL_KIND, OBJECTIVE } from "../../gpu/kernels/ppo-loss.ts";
import type { PlanValues } from "../../gpu/plan.ts";
import type { Sequence } from "./pack.ts";

/** The policy's part of the loss. */
export interface PolicyLossKind {
  /** What a token's loss is. */
  readonly objective: keyof typeof OBJECTIVE;
  /** Which tokens share a ratio. */
  readonly ratio: keyof typeof RATIO;
  /** It has a mean of its own, apart from that of entropy and KL: `policyMean`, and `policyWeights` on the batch axis. */
  readonly ownMean: boolean;
}

/** PPO's. */
export const CLIPPED_RATIO: PolicyLossKind = { objective: "clipped", ratio: "token", ownMean: false };

/** What decides the graph of a loss; a change compiles another plan. */
export interface LossKind {
  objective: "sft" | "ppo";
  /** Estimator of the KL to the ref policy. */
  kl: keyof typeof KL_KIND;
  policy: PolicyLossKind;
  /** How much of a value head's gradient reaches the backbone: none, a share (`valueGradScale`), or all. A separate critic has its own. */
  valueGradient: "none" | "scaled" | "whole";
  clipValue: boolean;
  /** Weights of values may be other numbers than 0 and 1. */
  weightsValues: boolean;
  /** Whose parameters a step trains. A step of the critic alone has the value loss only; one of the policy alone all but that. */
  trains: "all" | "policy" | "critic";
  /** The gradients of policy and critic are clipped by a norm each. */
  separateNorms: boolean;
  /** Failed trajectories imitate the teacher of PIVOT, whose log-probabilities are on the batch axis; absent: they do not. */
  pivot?: boolean;
}

/** What a loss is divided by: a count, or nothing, and a constant. The weights of tokens are on the batch axis. */
export interface LossMean {
  per: "token" | "sequence" | "none";
  divisor: number;
}

/** Numbers of one optimiser step; they change without recompiling. */
export interface StepSettings {
  kind: LossKind;
  temperature: number;
  clipLow: number;
  clipHigh: number;
  /** Bound on the loss of tokens with a negative advantage, in advantages; 0 is none. */
  clipC: number;
  /** Temperatures of SAPO, for advantages above 0 and others. */
  tauPos: number;
  tauNeg: number;
  /** Weight of the KL at the tokens that kl_cov chooses. */
  covKlCoef: number;
  /** Weight of the imitation of PIVOT's teacher, and how steeply the gate rises with what the teacher prefers. */
  pivotCoef: number;
  pivotBeta: number;
  /** Of the policy's loss, of its part that has a mean of its own, and of the critic's, over the tokens whose value is trained. */
  mean: LossMean;
  policyMean: LossMean;
  valueMean: LossMean;
  entropyCoef: number;
  klCoef: number;
  vfCoef: number;
  /** The share of the value loss's gradient that enters the backbone, where `kind.valueGradient` is "scaled". */
  valueGradScale: number;
  valueClip: number;
  actorLr: number;
  criticLr: number;
  beta1: number;
  beta2: number;
  weightDecay: number;
  gradClip: number;
  /** The critic's, where the norms are separate or it is trained alone. */
  criticGradClip: number;
  /** A step whose gradient norm (the policy's, where they are separate) is at least this is skipped; 0: none is. */
  normThreshold: number;
}

function marked(mask: Uint8Array): number {
  let sum = 0;
  for (let t = 1; t < mask.length; t++) sum += mask[t] as number;
  return sum;
}

/** The factor of a sum over the minibatch, from the marked tokens of each of its sequences; 0 where there are none. */
function meanFactor({ per, divisor }: LossMean, counts: readonly number[]): number {
  const tokens = counts.reduce((sum, n) => sum + n, 0);
  if (tokens === 0) return 0;
  const over = { token: tokens, sequence: counts.filter((n) => n > 0).length, none: 1 };
  return 1 / (over[per] * divisor);
}

/** The numbers of a step for its plans, with the factors that turn sums over the minibatch into means. */
export function stepValues(
  { kind: _, mean, policyMean, valueMean, ...numbers }: StepSettings,
  sequences: readonly Sequence[],
): PlanValues {
  const counts = sequences.map(({ targetMask }) => marked(targetMask));
  const valued = sequences.map(({ valueMask }, i) => (valueMask ? marked(valueMask) : (counts[i] as number)));
  return {
    ...numbers,
    scale: meanFactor(mean, counts),
    policyScale: meanFactor(policyMean, counts),
    valueScale: meanFactor(valueMean, valued) * numbers.vfCoef,
  };
}
