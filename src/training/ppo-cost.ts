// What a PPO update costs.
import type { RunConfig } from "../config/run-config.ts";
import { flopsOfPasses, type PassFlops, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import type { PackedTrajectory } from "./batch.ts";
import { criticEpochs, hasCriticSteps, hasExactKl, needsRefPolicy } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { flopsOf } from "./update.ts";

/**
 * Floating-point operations of an update, without those of greedy baselines.
 * @param config the configuration that the update began with.
 * @param reused the batch reuses the numbers of its rollout.
 */
export const ppoFlops = (
  run: Run,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
  reused: boolean,
): number => flopsOfPasses(passes(config, run.engine.keepsRefDistributions, reused), flopsOf(run, packed));

/**
 * The cost of an update in forward passes over the batch: one each for generation, scoring and the ref policy, and three per
 * epoch of training. A batch that reuses the numbers of its rollout is not scored. An exact KL runs the ref policy in every epoch
 * unless the batch keeps its distributions (`keepsRef`). PIVOT's teacher is counted as if every episode
 * had failed. A separate critic scores once and trains like the policy; a head's own steps run the policy forward.
 */
export function passes(config: RunConfig, keepsRef: boolean, reused = false): PassFlops {
  const { ppo_epochs: epochs, use_pivot: usesTeacher } = config.actor;
  const exact = hasExactKl(config);
  const once = needsRefPolicy(config) || (exact && keepsRef);
  const ofHead = hasCriticSteps(config) && config.model.critic === "head" ? criticEpochs(config) : 0;
  return {
    policy:
      (reused ? 1 : 2) +
      (once ? 1 : 0) +
      (usesTeacher ? 1 : 0) +
      ofHead +
      epochs * (TRAINING_PASSES.policy + (exact && !keepsRef ? 1 : 0)),
    critic: (reused ? 0 : 1) + criticEpochs(config) * TRAINING_PASSES.critic,
  };
}
