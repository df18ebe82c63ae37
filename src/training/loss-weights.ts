// What each token of a trajectory counts in the loss.
import { countMarked } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";

export interface WeightOptions {
  /** Every token of a sequence counts one over their number, so that every sequence counts the same. */
  averageSequences: boolean;
  /** What a token counts in the policy's part of the loss: as in the rest, or one over the tokens of its sequence or turn, or one. */
  policyMean: "loss" | "sequence" | "turn" | "token";
}

/** Weights of each token of a trajectory. */
export interface LossWeights {
  weights: Float32Array;
  /** In the policy's part of the loss, where that has a mean of its own. */
  policyWeights: Float32Array;
}

/** Weights of the trajectory that begins at `start` on the batch axis, of which these are the sequences. */
export function lossWeights(
  sequences: readonly Sequence[],
  start: number,
  { lossMask, turnEndMask }: { lossMask: Uint8Array; turnEndMask: Uint8Array },
  { averageSequences, policyMean }: WeightOptions,
): LossWeights {
  const equal = () => new Float32Array(lossMask.length).fill(1);
  const averaged = () => sequenceWeights(sequences, start, lossMask);
  const weights = averageSequences ? averaged() : equal();
  const policyWeights = {
    loss: () => weights,
    sequence: averaged,
    turn: () => turnWeights(sequences, start, lossMask, turnEndMask),
    token: equal,
  }[policyMean]();
  return { weights, policyWeights };
}

/** A stretch of a trajectory's tokens. */
interface Span {
  from: number;
  to: number;
}

/** Where a sequence lies in the trajectory that begins at `start`. */
const spanOf = ({ ids, batchStart }: Sequence, start: number): Span => ({
  from: batchStart - start,
  to: batchStart - start + ids.length,
});

/** One over the marked tokens of a token's sequence, for each token of a trajectory. */
export const sequenceWeights = (
  sequences: readonly Sequence[],
  start: number,
  mask: Uint8Array,
): Float32Array =>
  averaging(
    sequences.map((sequence) => spanOf(sequence, start)),
    mask,
  );

/** One over the marked tokens of a token's turn, for each token of a trajectory. A turn lies in one sequence. */
function turnWeights(
  sequences: readonly Sequence[],
  start: number,
  mask: Uint8Array,
  turnEndMask: Uint8Array,
): Float32Array {
  const turns = sequences.flatMap((sequence) => {
    const { from, to } = spanOf(sequence, start);
    const ends = Array.from({ length: to - from }, (_, t) => from + t + 1);
    const cuts = [from, ...ends.filter((end) => turnEndMask[end - 1]), to];
    return cuts.slice(1).map((end, k) => ({ from: cuts[k] as number, to: end }));
  });
  return averaging(turns, mask);
}

/** One over the marked tokens of its span, for each token; 0 outside of all spans. */
function averaging(spans: readonly Span[], mask: Uint8Array): Float32Array {
  const weights = new Float32Array(mask.length);
  for (const { from, to } of spans)
    weights.fill(1 / Math.max(1, countMarked(mask.subarray(from, to))), from, to);
  return weights;
}

/** A trajectory of a batch, as far as its weights go. */
interface Weighed {
  readonly trajectory: Trajectory;
  readonly lossMask: Uint8Array;
  readonly weights: Float32Array;
}

/** A kind of tokens that counts `factor` times as much as others. */
interface MarkedKind {
  readonly factor: number;
  /** For each token of an episode, 1 if it is of this kind, else 0. */
  marksOf(trajectory: Trajectory): Uint8Array;
}

/**
 * Makes the tokens of each kind count `factor` times as much in the loss as the others, with a mean weight of 1 over all that are trained on,
 * so that the size of the loss and the best learning rate stay about the same.
 */
export function weighMarked(packed: readonly Weighed[], kinds: readonly MarkedKind[]): void {
  const weighty = kinds.filter(({ factor }) => factor !== 1);
  if (weighty.length === 0) return;
  const factors = packed.map((one) => factorsOf(one, weighty));
  const trained = packed.flatMap(({ lossMask }, k) => Array.from(factors[k]!).filter((_, t) => lossMask[t]));
  const unit = trained.length / trained.reduce((sum, factor) => sum + factor, 0);
  for (const [k, { weights }] of packed.entries())
    for (const [t, factor] of factors[k]!.entries()) weights[t] = factor * unit;
}

/** How many times as much each token of an episode counts. A token of two kinds has the product of their factors. */
function factorsOf({ trajectory, weights }: Weighed, kinds: readonly MarkedKind[]): Float64Array {
  const factors = new Float64Array(weights.length).fill(1);
  for (const { factor, marksOf } of kinds)
    for (const [t, mark] of marksOf(trajectory).entries()) if (mark) factors[t]! *= factor;
  return factors;
}
