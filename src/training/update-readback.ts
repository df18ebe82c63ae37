// The one read-back of an update: loss sums, optimiser state and the batch's token values.
import { readNamed } from "../gpu/read.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { type PackedTrajectory, tokenCount } from "./batch.ts";

export interface UpdateReadback {
  /** Sums over target positions, see PPO_STATS (or loss and hits for imitation). */
  totals: Float32Array;
  valueTotals: Float32Array;
  optimizer: Float32Array;
  /** The critic's optimiser: its last norm, and the steps that it skipped alone. */
  criticOptimizer: Float32Array;
  advantages: Float32Array;
  returns: Float32Array;
  values: Float32Array;
  logprobs: Float32Array;
  entropy: Float32Array;
  /** Null unless requested. */
  refLogprobs: Float32Array | null;
  /** Rewards minus their KL penalty; null unless requested. */
  rewardsAfterKl: Float32Array | null;
}

/** Parts that only some runs have. */
interface Extras {
  refPolicy: boolean;
  klInReward: boolean;
}

/** Reads everything that an update reports in one mapped buffer. */
export async function readUpdate(
  engine: Engine,
  packed: readonly PackedTrajectory[],
  { refPolicy, klInReward }: Extras,
): Promise<UpdateReadback> {
  const { batch, totals, valueTotals, optimizerState, criticState } = engine.buffers;
  const n = tokenCount(packed);
  const wanted = {
    totals: { tensor: totals, length: 8 },
    valueTotals: { tensor: valueTotals, length: 4 },
    optimizer: { tensor: optimizerState, length: 8 },
    criticOptimizer: { tensor: criticState, length: 8 },
    advantages: { tensor: batch.advantages, length: n },
    returns: { tensor: batch.returns, length: n },
    values: { tensor: batch.values, length: n },
    logprobs: { tensor: batch.oldLogprobs, length: n },
    entropy: { tensor: batch.entropy, length: n },
    ...(refPolicy && { refLogprobs: { tensor: batch.refLogprobs, length: n } }),
    ...(klInReward && { rewardsAfterKl: { tensor: batch.rewards, length: n } }),
  };
  return {
    refLogprobs: null,
    rewardsAfterKl: null,
    ...(await readNamed(engine.gpu, wanted)),
  };
}

/** Writes the batch's token values into the trajectories that they belong to, for traces. */
export function fillTrajectories(
  packed: readonly PackedTrajectory[],
  read: UpdateReadback,
  trained: readonly PackedTrajectory[] = packed,
): void {
  for (const one of packed) {
    const { trajectory, start, lossMask, valueMask, gaeMask, klMask } = one;
    const isTrained = trained.includes(one);
    const { tokens } = trajectory;
    const end = start + tokens.ids.length;
    const kept = (values: Float32Array, mask: Uint8Array) => masked(values.subarray(start, end), mask);
    tokens.lossMask = isTrained ? lossMask.slice() : new Uint8Array(lossMask.length);
    tokens.valueMask = isTrained ? valueMask.slice() : new Uint8Array(valueMask.length);
    tokens.advantages = kept(read.advantages, gaeMask);
    tokens.returns = kept(read.returns, gaeMask);
    tokens.values = kept(read.values, lossMask);
    tokens.entropy = kept(read.entropy, lossMask);
    if (read.refLogprobs) tokens.refLogprobs = kept(read.refLogprobs, lossMask);
    if (read.rewardsAfterKl) tokens.trainRewards = kept(read.rewardsAfterKl, klMask);
  }
}

/** The masked values; elsewhere the batch axis holds values of earlier updates. */
const masked = (values: Float32Array, mask: Uint8Array) =>
  Float32Array.from(values, (x, i) => (mask[i] ? x : 0));
