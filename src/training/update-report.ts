// The one read-back of an update: loss sums, optimiser state and the batch's token values, turned into metrics.
import type { RunConfig } from "../config/run-config.ts";
import { PolicyError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { countMarked, mean } from "../core/statistics.ts";
import type { TrajectoryTokens } from "../core/types.ts";
import { MAX_SKIPPED_IN_A_ROW, OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import { PPO_STATS } from "../gpu/kernels/ppo-loss.ts";
import { readNamed } from "../gpu/read.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { explainedVariance, type Metrics, spread } from "../rl/metrics.ts";
import { type PackedTrajectory, tokenCount } from "./batch.ts";
import { criticEpochs, hasCriticSteps } from "./hyperparameters.ts";
import { explainedAtTurns } from "./turn-values.ts";

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
    const { trajectory, start, lossMask, valueMask, gaeMask } = one;
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
    if (read.rewardsAfterKl) tokens.trainRewards = kept(read.rewardsAfterKl, gaeMask);
  }
}

/** The masked values; elsewhere the batch axis holds values of earlier updates. */
const masked = (values: Float32Array, mask: Uint8Array) =>
  Float32Array.from(values, (x, i) => (mask[i] ? x : 0));

type PickNumbers = (tokens: TrajectoryTokens) => Float32Array;
type PickMask = (packed: PackedTrajectory) => Uint8Array;

const ownTokens: PickMask = ({ trajectory }) => trajectory.tokens.responseMask;
/** Tokens whose value is trained, which are those that have a return. */
const valuedTokens: PickMask = ({ valueMask }) => valueMask;

/** The numbers at marked tokens of all trajectories. */
const numbersAt = (packed: readonly PackedTrajectory[], pick: PickNumbers, mask: PickMask): number[] =>
  packed.flatMap((p) => {
    const marks = mask(p);
    return Array.from(pick(p.trajectory.tokens)).filter((_, i) => marks[i]);
  });

/** Critic metrics; none for estimators without a critic. */
function criticMetrics(
  packed: readonly PackedTrajectory[],
  { valueTotals }: UpdateReadback,
  config: RunConfig,
): Metrics {
  const values = numbersAt(packed, (t) => t.values, valuedTokens);
  const returns = numbersAt(packed, (t) => t.returns, valuedTokens);
  if (values.length === 0) return {};
  const trained = values.length * criticEpochs(config);
  return {
    // The loss of the network says nothing about values that it did not give.
    ...(!config.critic.asymmetric && {
      "critic/vf_loss": (valueTotals[0] as number) / trained,
      "critic/vf_clipfrac": (valueTotals[1] as number) / trained,
    }),
    "critic/vf_explained_var": explainedVariance(values, returns),
    ...explainedAtTurns(packed),
    ...spread("critic/values", values),
    ...spread("critic/returns", returns),
  };
}

/** @param apart the critic's gradient has a norm of its own. */
function stepMetrics(read: UpdateReadback, apart: boolean): Metrics {
  return {
    "actor/grad_norm": read.optimizer[OPTIMIZER_STATE.norm] as number,
    ...(apart && { "critic/grad_norm": read.criticOptimizer[OPTIMIZER_STATE.norm] as number }),
    "training/skipped_in_a_row": skippedInARow(read),
  };
}

/** Metrics of a PPO update over the trajectories that it trained on. */
export function ppoMetrics(
  packed: readonly PackedTrajectory[],
  read: UpdateReadback,
  config: RunConfig,
): Metrics {
  const { ppo_epochs: epochs, use_kl_loss: hasKl } = config.actor;
  const apart = config.critic.grad_clip > 0 || hasCriticSteps(config);
  const trained = markedBy(packed, ({ lossMask }) => lossMask) * epochs;
  // The filter may accept no trajectory.
  if (trained === 0) return stepMetrics(read, apart);
  const perToken = (at: number) => (read.totals[at] as number) / trained;
  const advantages = numbersAt(packed, (t) => t.advantages, ownTokens);
  return {
    "actor/pg_loss": perToken(PPO_STATS.pgLoss),
    "actor/ppo_kl": perToken(PPO_STATS.ppoKl),
    "actor/pg_clipfrac": perToken(PPO_STATS.clipped),
    "actor/pg_clipfrac_lower": perToken(PPO_STATS.capped),
    "actor/entropy": perToken(PPO_STATS.entropy),
    // Without a KL loss the distance to the ref policy is not computed, which does not mean 0.
    ...(hasKl && { "actor/kl_loss": perToken(PPO_STATS.kl) }),
    ...stepMetrics(read, apart),
    ...criticMetrics(packed, read, config),
    ...spread("critic/advantages", advantages),
  };
}

const sum = (values: Float32Array) => values.reduce((total, x) => total + x, 0);

/** Rewards of episodes after shaping. */
export const rewardMetrics = (rewards: readonly number[]): Metrics => ({
  "critic/rewards/mean": mean(rewards),
  "critic/rewards/min": Math.min(...rewards),
  "critic/rewards/max": Math.max(...rewards),
});

/** What a KL penalty subtracts from the rewards, once `fillTrajectories` has run; empty where the reward has no such penalty. */
export function klInRewardMetrics(
  packed: readonly PackedTrajectory[],
  { rewardsAfterKl }: Pick<UpdateReadback, "rewardsAfterKl">,
  coefficient: number,
): Metrics {
  if (!rewardsAfterKl) return {};
  const rewards: number[] = [];
  const kls: number[] = [];
  for (const { trajectory, rewards: before } of packed) {
    const { responseMask, trainRewards = before } = trajectory.tokens;
    const after = sum(trainRewards);
    rewards.push(after);
    kls.push((sum(before) - after) / coefficient / Math.max(1, countMarked(responseMask)));
  }
  return {
    ...rewardMetrics(rewards),
    // With a coefficient of 0 nothing is subtracted, so the KL cannot be computed from the rewards.
    ...(coefficient > 0 && { "critic/kl": mean(kls) }),
    "critic/kl_coeff": coefficient,
  };
}

const markedBy = (packed: readonly PackedTrajectory[], mask: PickMask) =>
  packed.reduce((total, one) => total + countMarked(mask(one)), 0);

/** Metrics of an SFT update; as in PPO, none of the critic if no value is trained. */
export function sftMetrics(packed: readonly PackedTrajectory[], read: UpdateReadback): Metrics {
  const trained = markedBy(packed, ({ lossMask }) => lossMask);
  const valued = markedBy(packed, valuedTokens);
  return {
    "sft/loss": (read.totals[0] as number) / trained,
    "sft/token_accuracy": (read.totals[1] as number) / trained,
    ...(valued > 0 && { "critic/vf_loss": (read.valueTotals[0] as number) / valued }),
    ...stepMetrics(read, false),
  };
}

/** The states of both optimisers. A step of both counts in the policy's alone. */
type OptimizerStates = Pick<UpdateReadback, "optimizer" | "criticOptimizer">;

/** Skipped steps since the optimisers were reset. */
export const skippedSteps = ({ optimizer, criticOptimizer }: OptimizerStates): number =>
  (optimizer[OPTIMIZER_STATE.skipped] as number) + (criticOptimizer[OPTIMIZER_STATE.skipped] as number);

const skippedInARow = (states: OptimizerStates): number =>
  Math.max(ofPolicy(states), states.criticOptimizer[OPTIMIZER_STATE.skippedInARow] as number);

/** Skipped steps in a row of the policy, or of policy and critic together. */
const ofPolicy = ({ optimizer }: OptimizerStates): number =>
  optimizer[OPTIMIZER_STATE.skippedInARow] as number;

/** Counts the skipped steps of an update. @param rate the setting of its learning rate. */
export type NonFiniteWatch = (read: UpdateReadback, rate: "sft.lr" | "actor.lr") => number;

/**
 * Counts skipped optimiser steps; @throws PolicyError("non_finite") after an update with three skipped in a row.
 * @param before the skipped steps at the start.
 */
export function watchNonFinite(before: number): NonFiniteWatch {
  return (read, rate) => {
    const total = skippedSteps(read);
    const skipped = total - before;
    before = total;
    if (skippedInARow(read) >= MAX_SKIPPED_IN_A_ROW) {
      throw new PolicyError(
        "non_finite",
        `The loss or its gradient was not finite in ${MAX_SKIPPED_IN_A_ROW} steps in a row.`,
        // Steps of the critic alone have a rate of their own.
        message`Go back to the last checkpoint and halve ${setting(ofPolicy(read) >= MAX_SKIPPED_IN_A_ROW ? rate : "critic.lr")}.`,
      );
    }
    return skipped;
  };
}
