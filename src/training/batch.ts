// An update's trajectories on the GPU's batch axis: where each begins, and which of its tokens the update is about.
import { sequenceSpans } from "../core/token-sequences.ts";
import type { SequenceSpan, Trajectory } from "../core/types.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import type { ValueTokens } from "../rl/advantage/estimator.ts";
import { valueMask } from "../rl/advantage/value-mask.ts";
import { type LossWeights, lossWeights, type WeightOptions } from "./loss-weights.ts";
import { trainRewardsOf } from "./samples.ts";

/** Marks of each token of a trajectory. */
interface Masks {
  /** 1 = trained on. */
  lossMask: Uint8Array;
  /** 1 = its value is trained: it is trained on and has a return. */
  valueMask: Uint8Array;
  /** 1 = carries advantage. */
  gaeMask: Uint8Array;
  /** 1 = a KL penalty in the reward, if there is one, is taken here. */
  klMask: Uint8Array;
}

/** One trajectory with where it begins on the batch axis. Masks and weights are over its tokens. */
export interface PackedTrajectory extends Masks, LossWeights {
  trajectory: Trajectory;
  start: number;
  /** What the model reads, its sequences, one after another from `start` on. Each `targetMask` marks what is trained on. */
  sequences: readonly Sequence[];
  /** Rewards that are trained on, before any KL penalty. */
  rewards: Float32Array;
  /** What the greedy policy earned on the same level, for estimators that compare with it. */
  baseline?: number;
}

/** Which tokens an update is about, and what they count. */
export interface MaskOptions extends WeightOptions {
  /** Train on the policy's tokens only. */
  lossMask: boolean;
  /** Only the policy's tokens carry advantage. */
  gaeMask: boolean;
  valueTokens: ValueTokens;
  /** A KL penalty in the reward is taken at every token, and not at the policy's alone. */
  klAtEveryToken?: boolean;
  /** 1 at tokens that are read and never trained on, over the tokens of a trajectory; by default there are none. */
  untaught?: (trajectory: Trajectory) => Uint8Array;
}

/** The usual masks: the policy's tokens for everything. */
export const POLICY_TOKENS: MaskOptions = {
  lossMask: true,
  gaeMask: true,
  valueTokens: "trained",
  averageSequences: false,
  policyMean: "loss",
};

/** Nothing comes before the first token, so nothing predicts it. */
const everyToken = (length: number) => new Uint8Array(length).fill(1, 1);

/** Packs trajectories one after another, each with its sequences; target positions are the tokens that are trained on. */
export function packBatch(
  trajectories: readonly Trajectory[],
  options: MaskOptions = POLICY_TOKENS,
): PackedTrajectory[] {
  let start = 0;
  return trajectories.map((trajectory) => {
    const packed = packAt(trajectory, start, options);
    start += trajectory.tokens.ids.length;
    return packed;
  });
}

function packAt(trajectory: Trajectory, start: number, options: MaskOptions): PackedTrajectory {
  const { tokens } = trajectory;
  const masks = masksOf(trajectory, options);
  const sequences = sequenceSpans(trajectory).map((span) => sequenceAt(trajectory, span, start, masks));
  const marks = { lossMask: masks.lossMask, turnEndMask: tokens.turnEndMask };
  const weights = lossWeights(sequences, start, marks, options);
  return { trajectory, start, sequences, ...masks, ...weights, rewards: trainRewardsOf(tokens) };
}

function masksOf(trajectory: Trajectory, options: MaskOptions): Masks {
  const { ids, responseMask, turnEndMask } = trajectory.tokens;
  const untaught = options.untaught?.(trajectory);
  const candidates = options.lossMask ? responseMask : everyToken(ids.length);
  const lossMask = untaught ? candidates.map((x, t) => (untaught[t] ? 0 : x)) : candidates;
  const gaeMask = options.gaeMask ? responseMask : everyToken(ids.length);
  return {
    lossMask,
    valueMask: valueMask(options.valueTokens, { lossMask, gaeMask, turnEndMask }),
    gaeMask,
    klMask: options.klAtEveryToken ? everyToken(ids.length) : responseMask,
  };
}

function sequenceAt(
  { tokens, turns }: Trajectory,
  { from, to, firstTurn, lastTurn }: SequenceSpan,
  start: number,
  { lossMask, valueMask }: Masks,
): Sequence {
  const shown = turns.slice(firstTurn, lastTurn + 1);
  return {
    ids: tokens.ids.subarray(from, to),
    imagePatch: tokens.imagePatch.subarray(from, to),
    images: shown.flatMap(({ observation }) => observation.images),
    targetMask: lossMask.subarray(from, to),
    valueMask: valueMask.subarray(from, to),
    batchStart: start + from,
  };
}

/** Everything that the model reads of the batch. */
export const sequencesOf = (packed: readonly PackedTrajectory[]): Sequence[] =>
  packed.flatMap(({ sequences }) => sequences);

/** Where the target positions of these sequences are on the batch axis. Nothing predicts a first token, so it is none. */
export const targetPlaces = (sequences: readonly Sequence[]): number[] =>
  sequences.flatMap(({ targetMask, batchStart }) =>
    Array.from(targetMask).flatMap((isTarget, t) => (t > 0 && isTarget ? [batchStart + t] : [])),
  );

/** Sequences in which every token has a target position: estimators without a mask need values everywhere. */
export const withAllTargets = (packed: readonly PackedTrajectory[]): Sequence[] =>
  sequencesOf(packed).map((sequence) => ({
    ...sequence,
    targetMask: new Uint8Array(sequence.ids.length).fill(1),
  }));

/**
 * Last sequences of truncated trajectories with one more token, whose target position is the value after the last one. Its place on
 * the batch axis is after all tokens, by the trajectory's number. Which token it is does not matter: only what comes before it
 * is read.
 */
export function withBootstrapTargets(packed: readonly PackedTrajectory[]): Sequence[] {
  const behind = tokenCount(packed);
  return packed.flatMap(({ trajectory, sequences }, s) => {
    const sequence = sequences.at(-1);
    if (!trajectory.truncated || !sequence) return [];
    const { length } = sequence.ids;
    const longer = <T extends Int32Array | Uint8Array>(array: T, last: number): T => {
      const out = new (array.constructor as new (length: number) => T)(length + 1);
      out.set(array);
      out[length] = last;
      return out;
    };
    return [
      {
        ids: longer(sequence.ids, sequence.ids[length - 1] as number),
        imagePatch: longer(sequence.imagePatch, -1),
        images: sequence.images,
        targetMask: longer(new Uint8Array(length), 1),
        batchStart: behind + s - length,
      },
    ];
  });
}

export const tokenCount = (packed: readonly PackedTrajectory[]): number =>
  packed.reduce((sum, { trajectory }) => sum + trajectory.tokens.ids.length, 0);
