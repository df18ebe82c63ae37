// Everything that a PPO update reports, under the names that VAGEN, veRL and AReaL log.
import type { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import type { Metrics } from "../rl/metrics.ts";
import { stalenessMetrics } from "../rl/staleness.ts";
import type { PackedTrajectory } from "./batch.ts";
import { ppoNumber, ppoSettings } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { playedMetrics } from "./update.ts";
import { klInRewardMetrics, ppoMetrics, rewardMetrics } from "./update-metrics.ts";
import type { UpdateReadback } from "./update-readback.ts";

/** What there is to report of an update. */
interface PpoRecord {
  readonly update: number;
  /** All episodes that were played. */
  readonly played: readonly Trajectory[];
  /** Those of them that can be trained on. */
  readonly trajectories: readonly Trajectory[];
  /** The batch, and the part of it that was trained on. */
  readonly packed: readonly PackedTrajectory[];
  readonly kept: readonly PackedTrajectory[];
  readonly read: UpdateReadback;
  /** Rewards of the samples after shaping; null when nothing shapes. */
  readonly shapedRewards: readonly number[] | null;
  /** The coefficient of the KL penalty in the reward. */
  readonly klCoef: number;
  /** The batch reused the numbers of its rollout. */
  readonly reused: boolean;
  /** Metrics that the steps of the update made themselves. */
  readonly ofSteps: Metrics;
  /** Metrics of playing ahead. */
  readonly ofCollector: Metrics | undefined;
  /** Seconds of each part, under veRL's names. */
  readonly times: Metrics;
}

/**
 * The metrics of an update, once `fillTrajectories` and `count` have run.
 * @param config the configuration that the update began with.
 */
export function updateMetrics(run: Run, config: RunConfig, record: PpoRecord): Metrics {
  const { update, trajectories, packed, kept, read, shapedRewards, reused } = record;
  return {
    ...playedMetrics(run, record.played, "train"),
    ...ppoMetrics(kept, read, config),
    ...record.ofSteps,
    ...(shapedRewards && rewardMetrics(shapedRewards)),
    ...klInRewardMetrics(packed, read, record.klCoef),
    ...stalenessMetrics(trajectories, update),
    ...record.ofCollector,
    ...(!reused && { "training/rollout_probs_diff_mean": probabilityDifference(packed, read.logprobs) }),
    "training/skipped_steps": run.counters.skippedSteps,
    ...rateMetrics(config, update),
    ...record.times,
  };
}

/** The learning rates of an update. */
function rateMetrics(config: RunConfig, update: number): Metrics {
  const { actorLr, criticLr } = ppoSettings(config, ppoNumber(config, update));
  return { "actor/lr": actorLr, "critic/lr": criticLr };
}

/** Mean |p(rollout) − p(training)| of sampled tokens: the numerical difference between decoding and training. */
function probabilityDifference(packed: readonly PackedTrajectory[], logprobs: Float32Array): number {
  let [sum, n] = [0, 0];
  for (const { trajectory, start } of packed) {
    trajectory.tokens.responseMask.forEach((m, t) => {
      if (!m) return;
      sum += Math.abs(
        Math.exp(trajectory.tokens.rolloutLogprobs[t] as number) - Math.exp(logprobs[start + t] as number),
      );
      n++;
    });
  }
  return n ? sum / n : 0;
}
