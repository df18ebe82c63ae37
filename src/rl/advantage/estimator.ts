// What an advantage estimator is: credit for every token of a batch, from rewards and values.

/**
 * Tokens of S trajectories behind one another on one axis of length N; trajectory s covers [starts[s], starts[s + 1]).
 * `values[i]` is the value of the prefix strictly before token i, and rewards lie on the last token of each turn (plus
 * per-token penalties, if any). Arrays may be of any numeric kind.
 */
export interface CreditTokens {
  /** S + 1 entries. */
  readonly starts: ArrayLike<number>;
  readonly rewards: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** 1 = written by the policy. */
  readonly lossMask: ArrayLike<number>;
  /** 1 = last token of a policy turn; lies inside lossMask. */
  readonly turnEndMask: ArrayLike<number>;
  /** S entries: the value after the last token, for truncated episodes that bootstrap. Absent means 0 for all. */
  readonly bootstrap?: ArrayLike<number>;
}

export interface AdvantageParams {
  /** Discount from token to token. */
  readonly gamma: number;
  readonly lambda: number;
  /** Discount from turn to turn; only Bi-Level GAE uses it. */
  readonly turnGamma: number;
}

export interface Credit {
  readonly advantages: Float64Array;
  /** advantages + values, the critic's targets. */
  readonly returns: Float64Array;
}

/** Shares out credit, before whitening. Pure: the same tokens and parameters, the same numbers. */
export interface AdvantageEstimator {
  /** As in the configuration. */
  readonly id: string;
  readonly title: string;
  /** One sentence for people. */
  readonly help: string;
  /** Whether turnGamma changes anything. */
  readonly usesTurnGamma: boolean;
  estimate(tokens: CreditTokens, params: AdvantageParams): Credit;
}

/** [from, to, bootstrap value] of every trajectory. */
export function trajectoriesOf({ starts, bootstrap }: CreditTokens): [number, number, number][] {
  return Array.from({ length: starts.length - 1 }, (_, s) => [
    starts[s] as number,
    starts[s + 1] as number,
    bootstrap?.[s] ?? 0,
  ]);
}

export function noCredit({ rewards }: CreditTokens): Credit {
  return { advantages: new Float64Array(rewards.length), returns: new Float64Array(rewards.length) };
}
