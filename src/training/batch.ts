// An update's trajectories on the GPU's batch axis, and what comes back from it.
import type { RunConfig } from "../config/run-config.ts";
import { countMarked } from "../core/statistics.ts";
import { joinTokens, sequenceSpans, splitTokens } from "../core/token-sequences.ts";
import type { SequenceSpan, Trajectory, TrajectoryTokens } from "../core/types.ts";
import type { Tensor } from "../gpu/memory.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import type { ValueTokens } from "../rl/advantage/estimator.ts";
import { estimators } from "../rl/advantage/index.ts";
import { valueMask } from "../rl/advantage/value-mask.ts";
import { atTheEnd, atTurnEnds } from "../rl/reward/placement.ts";
import { type ShapingOptions, shapeRewards, shapes } from "../rl/reward/shaping.ts";

/** One trajectory with where it begins on the batch axis. Masks and weights are over its tokens. */
export interface PackedTrajectory {
  trajectory: Trajectory;
  start: number;
  /** What the model reads, its sequences, one after another from `start` on. Each `targetMask` marks what is trained on. */
  sequences: readonly Sequence[];
  /** 1 = trained on. */
  lossMask: Uint8Array;
  /** 1 = its value is trained: it is trained on and has a return. */
  valueMask: Uint8Array;
  /** 1 = carries advantage. */
  gaeMask: Uint8Array;
  /** What each of its tokens counts in the loss, and in the policy's part where that has a mean of its own. */
  weights: Float32Array;
  policyWeights: Float32Array;
  /** Rewards that are trained on, before any KL penalty. */
  rewards: Float32Array;
  /** What the greedy policy earned on the same level, for estimators that compare with it. */
  baseline?: number;
}

/** Which tokens an update is about. */
export interface MaskOptions {
  /** Train on the policy's tokens only. */
  lossMask: boolean;
  /** Only the policy's tokens carry advantage. */
  gaeMask: boolean;
  valueTokens: ValueTokens;
  /** Every token of a sequence counts one over their number, so that every sequence counts the same. */
  averageSequences: boolean;
  /** What a token counts in the policy's part of the loss: as in the rest, or one over the tokens of its sequence or turn, or one. */
  policyMean: "loss" | "sequence" | "turn" | "token";
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
  const { length } = tokens.ids;
  const untaught = options.untaught?.(trajectory);
  const candidates = options.lossMask ? tokens.responseMask : everyToken(length);
  const lossMask = untaught ? candidates.map((x, t) => (untaught[t] ? 0 : x)) : candidates;
  const gaeMask = options.gaeMask ? tokens.responseMask : everyToken(length);
  const { turnEndMask } = tokens;
  const marks = {
    lossMask,
    valueMask: valueMask(options.valueTokens, { lossMask, gaeMask, turnEndMask }),
  };
  const sequences = sequenceSpans(trajectory).map((span) => sequenceAt(trajectory, span, start, marks));
  const equal = () => new Float32Array(length).fill(1);
  const averaged = () => averagingWeights(sequences, start, lossMask);
  const weights = options.averageSequences ? averaged() : equal();
  const policyWeights = {
    loss: () => weights,
    sequence: averaged,
    turn: () => turnWeights(sequences, start, lossMask, turnEndMask),
    token: equal,
  }[options.policyMean]();
  const rewards = trainRewardsOf(tokens);
  return { trajectory, start, sequences, ...marks, gaeMask, weights, policyWeights, rewards };
}

/** One over the marked tokens of a token's turn, for each token of a trajectory. A turn lies in one sequence. */
function turnWeights(
  sequences: readonly Sequence[],
  start: number,
  mask: Uint8Array,
  turnEndMask: Uint8Array,
): Float32Array {
  const turns = sequences.flatMap((sequence) => {
    const from = sequence.batchStart - start;
    const ends = Array.from({ length: sequence.ids.length }, (_, t) => from + t + 1);
    const cuts = [from, ...ends.filter((end) => turnEndMask[end - 1]), from + sequence.ids.length];
    return cuts.slice(1).map((to, k) => ({ from: cuts[k] as number, to }));
  });
  const weights = new Float32Array(mask.length);
  for (const { from, to } of turns)
    weights.fill(1 / Math.max(1, countMarked(mask.subarray(from, to))), from, to);
  return weights;
}

/** One over the marked tokens of a token's sequence, for each token of a trajectory. */
function averagingWeights(sequences: readonly Sequence[], start: number, mask: Uint8Array): Float32Array {
  const weights = new Float32Array(mask.length);
  for (const { ids, batchStart } of sequences) {
    const [from, to] = [batchStart - start, batchStart - start + ids.length];
    weights.fill(1 / Math.max(1, countMarked(mask.subarray(from, to))), from, to);
  }
  return weights;
}

/**
 * Makes marked tokens count `factor` times as much in the loss as the others, with a mean weight of 1 over all that are trained on, so
 * that the size of the loss and the best learning rate stay about the same.
 */
export function weighMarked(
  packed: readonly PackedTrajectory[],
  factor: number,
  marksOf: (trajectory: Trajectory) => Uint8Array,
): void {
  const trained = packed.map(({ lossMask, trajectory }) => ({ lossMask, marks: marksOf(trajectory) }));
  const both = ({ lossMask, marks }: (typeof trained)[number]) =>
    lossMask.filter((x, t) => x && marks[t]).length;
  const sum = (count: (one: (typeof trained)[number]) => number) =>
    trained.reduce((n, one) => n + count(one), 0);
  const [all, marked] = [sum(({ lossMask }) => countMarked(lossMask)), sum(both)];
  const unit = all / (all + (factor - 1) * marked);
  for (const [k, { weights }] of packed.entries())
    for (const [t, mark] of trained[k]!.marks.entries()) weights[t] = (mark ? factor : 1) * unit;
}

function sequenceAt(
  { tokens, turns }: Trajectory,
  { from, to, firstTurn, lastTurn }: SequenceSpan,
  start: number,
  { lossMask, valueMask }: Pick<PackedTrajectory, "lossMask" | "valueMask">,
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

/** Uploads masks, rewards, weights and boundaries of the batch. */
export function uploadBatch(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const { batch } = engine.buffers;
  const tokens = tokenCount(packed);
  const write = (tensor: Tensor, pick: (p: PackedTrajectory) => ArrayLike<number>) => {
    const joined = new Float32Array(tokens);
    for (const p of packed) joined.set(pick(p), p.start);
    engine.write(tensor, joined);
  };
  write(batch.gaeMask, ({ gaeMask }) => gaeMask);
  write(batch.responseMask, ({ trajectory }) => trajectory.tokens.responseMask);
  write(batch.valueMask, ({ valueMask }) => valueMask);
  write(batch.turnEndMask, ({ trajectory }) => trajectory.tokens.turnEndMask);
  write(batch.rewards, ({ rewards }) => rewards);
  write(batch.rolloutLogprobs, ({ trajectory }) => trajectory.tokens.rolloutLogprobs);
  write(batch.weights, ({ weights }) => weights);
  write(batch.policyWeights, ({ policyWeights }) => policyWeights);
  engine.write(batch.starts, Uint32Array.from([...packed.map(({ start }) => start), tokens]));
  engine.write(
    batch.sequenceStarts,
    Uint32Array.from([...sequencesOf(packed).map(({ batchStart }) => batchStart), tokens]),
  );
  engine.write(batch.groups, groupNumbers(packed));
  engine.write(batch.bootstrap, new Float32Array(packed.length));
}

/** Uploads the log-probabilities, entropies and values recorded while decoding, in place of `engine.score`. Numbers that a trajectory lacks are 0. */
export function uploadRollout(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const { batch } = engine.buffers;
  const upload = (tensor: Tensor, pick: (tokens: TrajectoryTokens) => Float32Array | undefined) => {
    const joined = new Float32Array(tokenCount(packed));
    for (const { trajectory, start } of packed) joined.set(pick(trajectory.tokens) ?? [], start);
    engine.write(tensor, joined);
  };
  upload(batch.oldLogprobs, ({ rolloutLogprobs }) => rolloutLogprobs);
  upload(batch.entropy, ({ rolloutEntropies }) => rolloutEntropies);
  upload(batch.values, ({ rolloutValues }) => rolloutValues);
}

/**
 * Makes every sequence count the same in the value loss: each value one over those of its sequence. After the advantages, because an
 * estimator may say which values are trained.
 */
export function averageValues(engine: Engine, packed: readonly PackedTrajectory[]): void {
  const weights = new Float32Array(tokenCount(packed));
  for (const { sequences, start, valueMask } of packed) {
    const over = averagingWeights(sequences, start, valueMask);
    weights.set(
      over.map((weight, t) => weight * (valueMask[t] as number)),
      start,
    );
  }
  engine.write(engine.buffers.batch.valueMask, weights);
}

/** Groups by number, in the order in which they first occur. */
function groupNumbers(packed: readonly PackedTrajectory[]): Uint32Array<ArrayBuffer> {
  const numbers = new Map<string, number>();
  return Uint32Array.from(packed, ({ trajectory: { groupId } }) => {
    const number = numbers.get(groupId) ?? numbers.size;
    numbers.set(groupId, number);
    return number;
  });
}

/** The samples of an update, in the order of the batch. */
export function samplesOf(trajectories: readonly Trajectory[], separateSequences: boolean): Trajectory[] {
  return separateSequences ? trajectories.flatMap(sequencesAsTrajectories) : [...trajectories];
}

/** A sequence knows the turns up to its own; only the last one ends as the episode did. */
function sequencesAsTrajectories(trajectory: Trajectory): Trajectory[] {
  const { tokens, turns, id, terminated, truncated } = trajectory;
  const parts = splitTokens(tokens);
  return parts.map((part, k) => {
    const isLast = k === parts.length - 1;
    const ended = { terminated: isLast && terminated, truncated: isLast && truncated };
    return { ...trajectory, ...ended, id: `${id}-${k}`, turns: turns.slice(0, k + 1), tokens: part };
  });
}

/** Puts what the update made of separate sequences back into the trajectories that they come from. */
export function gatherSamples(trajectories: readonly Trajectory[], samples: readonly Trajectory[]): void {
  let at = 0;
  for (const trajectory of trajectories) {
    const sequences = trajectory.tokens.sequences ?? [];
    const own = samples.slice(at, at + sequences.length).map(({ tokens }) => tokens);
    trajectory.tokens = { ...joinTokens(own), sequences };
    at += sequences.length;
  }
}

/**
 * Gives `samples` the rewards that are trained on, where these are not the recorded ones. Shaping needs one reward a sample,
 * which the rules of the configuration ensure.
 * @returns each sample's shaped reward; null when nothing shapes.
 */
export function setTrainRewards(
  samples: readonly Trajectory[],
  { rollout, reward, algorithm }: RunConfig,
  shaping: ShapingOptions,
): number[] | null {
  if (!rollout.use_multi_turn_reward)
    for (const { tokens } of samples) tokens.trainRewards = atTheEnd(tokens);
  else if (reward.credit_site === "section_end" && estimators.get(algorithm.adv_estimator).readsTurnEnds)
    for (const { tokens } of samples) tokens.trainRewards = atTurnEnds(tokens);
  if (!shapes(shaping)) return null;
  const shaped = shapeRewards(samples.map(rewarded), shaping);
  for (const [i, { tokens }] of samples.entries())
    tokens.trainRewards = atTheEnd({ ...tokens, rewards: Float32Array.of(shaped[i] as number) });
  return shaped;
}

const trainRewardsOf = ({ trainRewards, rewards }: Trajectory["tokens"]) => trainRewards ?? rewards;

const rewarded = ({ groupId, tokens }: Trajectory) => ({
  groupId,
  reward: trainRewardsOf(tokens).reduce((sum, reward) => sum + reward, 0),
  tokens: countMarked(tokens.responseMask),
});
