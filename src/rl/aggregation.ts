// How the losses of a minibatch's tokens become one number, under veRL's names (`loss_agg_mode`).

/** A loss is divided by the number of tokens, by the number of sequences that have any, or by nothing. */
type Per = "token" | "sequence" | "none";

interface Aggregation {
  readonly title: string;
  readonly per: Per;
  /** Each sequence's tokens are averaged first, so that long and short sequences count the same. */
  readonly averagesTokens?: true;
  /** It is divided by `loss_scale_factor` as well. */
  readonly isScaled?: true;
}

/**
 * `seq-mean-token-sum-norm` is Dr. GRPO (Liu et al. 2025): a constant in place of the length, so that length has no influence
 * on a token's weight. veRL's older version of it divides the sum over sequences; this one, like the newer, their mean.
 */
export const AGGREGATIONS = {
  "token-mean": { title: "All tokens", per: "token" },
  "token-sum": { title: "All tokens, summed", per: "none" },
  "seq-mean-token-sum": { title: "Sequences, tokens summed", per: "sequence" },
  "seq-mean-token-mean": { title: "Sequences, tokens averaged", per: "sequence", averagesTokens: true },
  "seq-mean-token-sum-norm": {
    title: "Sequences, tokens summed over a constant",
    per: "sequence",
    isScaled: true,
  },
} as const satisfies Readonly<Record<string, Aggregation>>;

export type AggregationId = keyof typeof AGGREGATIONS;

/** A mode by its name. */
export const aggregation = (id: AggregationId): Aggregation => AGGREGATIONS[id];

/**
 * The mode that veRL's optimiser step amounts to when every micro-batch has one sequence: the mode applies within a micro-batch,
 * and the micro-batches are averaged.
 */
export const inMicroBatchesOfOne = (id: AggregationId): AggregationId =>
  id === "token-mean" ? "seq-mean-token-mean" : id === "token-sum" ? "seq-mean-token-sum" : id;

/** Titles of the modes, for the form. */
export const AGGREGATION_TITLES = Object.fromEntries(
  Object.entries(AGGREGATIONS).map(([id, { title }]) => [id, title]),
) as Record<AggregationId, string>;
