// The metrics that follow from what an update reads back.
import type { RunConfig } from "../config/run-config.ts";
import { countMarked, mean } from "../core/statistics.ts";
import type { TrajectoryTokens } from "../core/types.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import { PPO_STATS } from "../gpu/kernels/ppo-loss.ts";
import { explainedVariance, type Metrics, spread } from "../rl/metrics.ts";
import type { PackedTrajectory } from "./batch.ts";
import { criticEpochs, hasCriticSteps } from "./hyperparameters.ts";
import { skippedInARow } from "./skipped-steps.ts";
import { explainedAtTurns } from "./turn-values.ts";
import type { UpdateReadback } from "./update-readback.ts";

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
  for (const { trajectory, rewards: before, klMask } of packed) {
    const { trainRewards = before } = trajectory.tokens;
    const after = sum(trainRewards);
    rewards.push(after);
    kls.push((sum(before) - after) / coefficient / Math.max(1, countMarked(klMask)));
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
