// What an advantage estimator is: advantages for every token of a batch, from rewards and values.

/**
 * Tokens of S trajectories one after another on one axis of length N; trajectory s covers [starts[s], starts[s + 1]).
 * `values[i]` is the value of the prefix strictly before token i, and rewards lie on the last token of each turn (plus
 * per-token penalties, if any). Arrays may be of any numeric kind.
 */
export interface AdvantageTokens {
  /** S + 1 entries. */
  readonly starts: ArrayLike<number>;
  readonly rewards: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** 1 = carries advantage: the policy's tokens, or all of them when `use_gae_mask` is off. */
  readonly gaeMask: ArrayLike<number>;
  /** 1 = last token of a policy turn; lies inside gaeMask. */
  readonly turnEndMask: ArrayLike<number>;
  /** S entries: the value after the last token, for truncated episodes that bootstrap. Absent means 0 for all. */
  readonly bootstrap?: ArrayLike<number>;
  /** S entries: trajectories of one group share a start state. Absent means one group. */
  readonly groups?: ArrayLike<number>;
  /** Log-probability of each of the policy's tokens when it was sampled; no estimator that runs on the GPU reads it. */
  readonly rolloutLogprobs?: ArrayLike<number>;
  /** The same when the batch was scored for training; 0 for tokens that are not trained on. */
  readonly oldLogprobs?: ArrayLike<number>;
  /** The same under the ref policy, where a KL estimate needs it; 0 for tokens that are not trained on. */
  readonly refLogprobs?: ArrayLike<number>;
  /** S entries: what the greedy policy earned on the trajectory's level. Absent means 0 for all. */
  readonly baselines?: ArrayLike<number>;
}

/** Where the value of a turn is read: before its last token, or before its first. */
export type TurnAnchor = "end" | "start";

/** λ as a function of the length L of a trajectory, in steps of the estimator (AReaL): 1 − 1/(value·L), or value^(1/(L − 1)). */
interface LambdaByLength {
  readonly kind: "vapo" | "relative_position";
  /** α of `vapo`, above 0; q of `relative_position`, in (0, 1]. */
  readonly value: number;
}

/** The two clocks of the variable-clock Bi-Level GAE; each number is in [0, 1]. */
export interface TurnClock {
  /** Discount and λ where one turn ends and the next begins. */
  readonly gammaTurn: number;
  readonly lambdaTurn: number;
  /** λ between tokens of a turn, where nothing is discounted. */
  readonly lambdaToken: number;
  /** Share of the chain with turn discounts; the rest is token-level GAE. */
  readonly mix: number;
}

export interface AdvantageParams {
  /** Discount from token to token. */
  readonly gamma: number;
  readonly lambda: number;
  /** Discount from turn to turn. */
  readonly turnGamma: number;
  /** λ between turns; absent means `lambda`. */
  readonly turnLambda?: number;
  /** Absent means the end, as in VAGEN. */
  readonly turnAnchor?: TurnAnchor;
  /** Whether GRPO divides by the standard deviation of a group; absent means it does. */
  readonly groupStd?: boolean;
  /** Replaces `lambda` by a λ for each trajectory; absent means it does not. */
  readonly lambdaByLength?: LambdaByLength;
  /** Absent means the reference's defaults (variable-clock.ts). */
  readonly clock?: TurnClock;
  /** Whether REINFORCE++ lets a reward reach the turns before its own; absent means it does not, as in veRL until 0.8. */
  readonly carry?: boolean;
  /** Whether the score of a trajectory sums the rewards of every token, not only of the policy's; absent means it does not. */
  readonly scoreEveryToken?: boolean;
}

export interface Advantages {
  readonly advantages: Float64Array;
  /** The critic's targets: advantages + values where the estimator has one, 0 elsewhere. */
  readonly returns: Float64Array;
  /** N entries, 1 = its value is trained; only where that is not what the estimator's `valueTokens` says. */
  readonly valueMask?: Uint8Array;
}

/**
 * Tokens whose values are trained, of those that carry advantage: all that are trained on, one of each turn, or none (an estimator
 * without a critic).
 */
export type ValueTokens = "trained" | "turn_end" | "turn_start" | "none";

/** Estimates advantages, before whitening. Pure: the same tokens and parameters, the same numbers. */
export interface AdvantageEstimator {
  /** As in the configuration. */
  readonly id: string;
  readonly title: string;
  /** One sentence for people. */
  readonly help: string;
  /** Whether turnGamma changes anything. */
  readonly usesTurnGamma: boolean;
  /** Whether gamma changes anything; absent means it does. */
  readonly usesGamma?: boolean;
  /** Whether lambda changes anything; absent means it does. */
  readonly usesLambda?: boolean;
  /** Whether turnAnchor changes anything; absent means it does not. */
  readonly usesTurnAnchor?: boolean;
  /** Whether it reads the value of a turn before its first token, whatever turnAnchor says; absent means it does not. */
  readonly readsTurnStart?: boolean;
  /** Whether lambdaByLength can take the place of lambda; absent means it cannot. */
  readonly usesLambdaByLength?: boolean;
  /** Whether clock changes anything; absent means it does not. */
  readonly usesClock?: boolean;
  /** Whether groupStd changes anything; absent means it does not. */
  readonly usesGroupStd?: boolean;
  /** Whether carry changes anything; absent means it does not. */
  readonly usesCarry?: boolean;
  /** Whether scoreEveryToken changes anything; absent means it does not. */
  readonly usesScores?: boolean;
  /** Whether it reads baselines, so that every level is also played greedily; absent means it does not. */
  readonly usesBaselines?: boolean;
  /** Whether it is defined without a token discount only, so that γ must be 1; absent means it is not. */
  readonly undiscounted?: boolean;
  /** Whether it reads the reward of a turn at its last token, so that other rewards of the turn are moved there; absent means it does not. */
  readonly readsTurnEnds?: boolean;
  readonly valueTokens: ValueTokens;
  /** Tokens whose moments whiten the batch's advantages; `none`: they are normalised already. */
  readonly whitenOver: "policy" | "turn_end" | "none";
  /** Whether it reads values of tokens that the policy did not write; absent means it does not. */
  readonly usesEveryToken?: boolean;
  /** Whether it uses the scores of turns alone, before any KL is subtracted; absent means it does not. */
  readonly usesScoresOnly?: boolean;
  /** Whether a KL penalty in the reward is subtracted from each token's advantage, after the estimate; absent means before it. */
  readonly klAfterwards?: boolean;
  /** Whether it compares the episodes of one level, and so needs several; absent means it does not. */
  readonly comparesGroups?: boolean;
  estimate(tokens: AdvantageTokens, params: AdvantageParams): Advantages;
}

/** [from, to, bootstrap value] of every trajectory. */
export function trajectoriesOf({ starts, bootstrap }: AdvantageTokens): [number, number, number][] {
  return Array.from({ length: starts.length - 1 }, (_, s) => [
    starts[s] as number,
    starts[s + 1] as number,
    bootstrap?.[s] ?? 0,
  ]);
}

export function zeroAdvantages({ rewards }: AdvantageTokens): Advantages {
  return { advantages: new Float64Array(rewards.length), returns: new Float64Array(rewards.length) };
}
