// The one read-back of an update: loss sums, optimiser state and the batch's token values, turned into metrics.
import { PolicyError } from "../core/errors.ts";
import type { Trajectory } from "../core/types.ts";
import { MAX_SKIPPED_IN_A_ROW, OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import { PPO_STATS } from "../gpu/kernels/ppo-loss.ts";
import { readTogether } from "../gpu/read.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { explainedVariance, type Metrics } from "../rl/metrics.ts";
import { type Placed, tokenCount } from "./batch.ts";

export interface UpdateReadback {
  /** Sums over prediction rows, see PPO_STATS (or loss and hits for imitation). */
  totals: Float32Array;
  valueTotals: Float32Array;
  optimizer: Float32Array;
  advantages: Float32Array;
  returns: Float32Array;
  values: Float32Array;
  logprobs: Float32Array;
  entropy: Float32Array;
  /** Null when they were not asked for. */
  refLogprobs: Float32Array | null;
  /** Rewards less their KL penalty; null when they were not asked for. */
  penalisedRewards: Float32Array | null;
}

/** What only some runs have. */
export interface Extras {
  reference: boolean;
  klInReward: boolean;
}

/** Reads everything that an update reports, in one map. */
export async function readUpdate(
  engine: Engine,
  placed: readonly Placed[],
  { reference, klInReward }: Extras,
): Promise<UpdateReadback> {
  const { batch, totals, valueTotals, optimizerState } = engine.buffers;
  const n = tokenCount(placed);
  const wanted = {
    totals: { tensor: totals, length: 8 },
    valueTotals: { tensor: valueTotals, length: 4 },
    optimizer: { tensor: optimizerState, length: 8 },
    advantages: { tensor: batch.advantages, length: n },
    returns: { tensor: batch.returns, length: n },
    values: { tensor: batch.values, length: n },
    logprobs: { tensor: batch.oldLogprobs, length: n },
    entropy: { tensor: batch.entropy, length: n },
    ...(reference && { refLogprobs: { tensor: batch.refLogprobs, length: n } }),
    ...(klInReward && { penalisedRewards: { tensor: batch.rewards, length: n } }),
  };
  const parts = await readTogether(engine.gpu, Object.values(wanted));
  const read = Object.fromEntries(Object.keys(wanted).map((name, i) => [name, new Float32Array(parts[i]!)]));
  const none = { refLogprobs: null, penalisedRewards: null };
  return { ...none, ...(read as Omit<Record<keyof typeof wanted, Float32Array>, keyof typeof none>) };
}

/** Writes the batch's token values into the trajectories that they belong to, for traces. */
export function fillTrajectories(placed: readonly Placed[], read: UpdateReadback): void {
  for (const { trajectory, start } of placed) {
    const { tokens } = trajectory;
    const end = start + tokens.ids.length;
    tokens.advantages = masked(read.advantages.subarray(start, end), tokens.lossMask);
    tokens.returns = masked(read.returns.subarray(start, end), tokens.lossMask);
    tokens.values = masked(read.values.subarray(start, end), tokens.lossMask);
    tokens.entropy = masked(read.entropy.subarray(start, end), tokens.lossMask);
    if (read.refLogprobs) tokens.refLogprobs = masked(read.refLogprobs.subarray(start, end), tokens.lossMask);
    if (read.penalisedRewards)
      tokens.penalisedRewards = masked(read.penalisedRewards.subarray(start, end), tokens.lossMask);
  }
}

/** Copies what the mask keeps; the batch axis holds leftovers elsewhere. */
const masked = (values: Float32Array, mask: Uint8Array) =>
  Float32Array.from(values, (x, i) => (mask[i] ? x : 0));

function meanOver(
  placed: readonly Placed[],
  pick: (trajectory: Trajectory) => Float32Array,
): { mean: number; min: number; max: number } {
  let [sum, count, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { trajectory } of placed) {
    const values = pick(trajectory);
    trajectory.tokens.lossMask.forEach((m, i) => {
      if (!m) return;
      const x = values[i] as number;
      sum += x;
      count++;
      min = Math.min(min, x);
      max = Math.max(max, x);
    });
  }
  return count ? { mean: sum / count, min, max } : { mean: 0, min: 0, max: 0 };
}

function spread(
  metrics: Metrics,
  name: string,
  placed: readonly Placed[],
  pick: (trajectory: Trajectory) => Float32Array,
): void {
  const { mean, min, max } = meanOver(placed, pick);
  Object.assign(metrics, { [`${name}/mean`]: mean, [`${name}/min`]: min, [`${name}/max`]: max });
}

function criticMetrics(placed: readonly Placed[], { valueTotals }: UpdateReadback, rows: number): Metrics {
  const tokens = placed.map(({ trajectory }) => trajectory.tokens);
  const join = (pick: (t: Trajectory["tokens"]) => ArrayLike<number>) =>
    Float32Array.from(tokens.flatMap((t) => Array.from(pick(t))));
  const metrics: Metrics = {
    "critic/vf_loss": (valueTotals[0] as number) / rows,
    "critic/vf_clipfrac": (valueTotals[1] as number) / rows,
    "critic/vf_explained_var": explainedVariance(
      join((t) => t.values),
      join((t) => t.returns),
      Uint8Array.from(join((t) => t.lossMask)),
    ),
  };
  spread(metrics, "critic/values", placed, (t) => t.tokens.values);
  spread(metrics, "critic/returns", placed, (t) => t.tokens.returns);
  return metrics;
}

function stepMetrics({ optimizer }: UpdateReadback): Metrics {
  return {
    "actor/grad_norm": optimizer[OPTIMIZER_STATE.norm] as number,
    "training/skipped_in_a_row": optimizer[OPTIMIZER_STATE.skippedInARow] as number,
  };
}

/** Metrics of a PPO update; `rows` counts prediction rows over all epochs. */
export function ppoMetrics(placed: readonly Placed[], read: UpdateReadback, rows: number): Metrics {
  const mean = (at: number) => (read.totals[at] as number) / rows;
  const metrics: Metrics = {
    "actor/pg_loss": mean(PPO_STATS.pgLoss),
    "actor/ppo_kl": mean(PPO_STATS.ppoKl),
    "actor/pg_clipfrac": mean(PPO_STATS.clipped),
    "actor/entropy": mean(PPO_STATS.entropy),
    "actor/kl_loss": mean(PPO_STATS.kl),
    ...stepMetrics(read),
    ...criticMetrics(placed, read, rows),
  };
  spread(metrics, "critic/advantages", placed, (t) => t.tokens.advantages);
  return metrics;
}

const sum = (values: Float32Array) => values.reduce((total, x) => total + x, 0);

/** What a KL penalty takes off the rewards; none where the reward has no such penalty. */
export function klInRewardMetrics(placed: readonly Placed[], coefficient: number): Metrics {
  const rewards: number[] = [];
  const kls: number[] = [];
  for (const { tokens } of placed.map(({ trajectory }) => trajectory)) {
    if (!tokens.penalisedRewards) return {};
    const after = sum(tokens.penalisedRewards);
    rewards.push(after);
    kls.push(
      (sum(tokens.rewards) - after) /
        coefficient /
        Math.max(
          1,
          tokens.lossMask.reduce((n, m) => n + m, 0),
        ),
    );
  }
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  return {
    "critic/rewards/mean": mean(rewards),
    "critic/rewards/min": Math.min(...rewards),
    "critic/rewards/max": Math.max(...rewards),
    // Without a coefficient nothing is taken off, and nothing tells how much it would have been.
    ...(coefficient > 0 && { "critic/kl": mean(kls) }),
    "critic/kl_coeff": coefficient,
  };
}

/** Metrics of a supervised update. */
export function imitationMetrics(read: UpdateReadback, rows: number): Metrics {
  return {
    "sft/loss": (read.totals[0] as number) / rows,
    "sft/token_accuracy": (read.totals[1] as number) / rows,
    "critic/vf_loss": (read.valueTotals[0] as number) / rows,
    ...stepMetrics(read),
  };
}

/** Tells how many steps of an update were skipped; `rate` is the setting that the update's learning rate comes from. */
export type NonFiniteWatch = (read: UpdateReadback, rate: "sft.lr" | "actor.lr") => number;

/**
 * Counts skipped optimiser steps; @throws PolicyError("non_finite") after an update with three skipped in a row.
 * @param before skipped steps that the optimiser's state counts already, from before a resume.
 */
export function watchNonFinite(before: number): NonFiniteWatch {
  return ({ optimizer }, rate) => {
    const total = optimizer[OPTIMIZER_STATE.skipped] as number;
    const skipped = total - before;
    before = total;
    if ((optimizer[OPTIMIZER_STATE.skippedInARow] as number) >= MAX_SKIPPED_IN_A_ROW) {
      throw new PolicyError(
        "non_finite",
        `The loss or its gradient was not finite in ${MAX_SKIPPED_IN_A_ROW} steps in a row.`,
        `Go back to the last checkpoint and halve ${rate}.`,
      );
    }
    return skipped;
  };
}
