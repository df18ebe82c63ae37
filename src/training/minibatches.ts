// Which minibatches the optimiser steps of a PPO update train on, and in which order.
import type { RunConfig } from "../config/run-config.ts";
import type { Rng } from "../core/rng.ts";
import type { PackedTrajectory } from "./batch.ts";
import { criticEpochs, hasCriticSteps } from "./hyperparameters.ts";

/** An optimiser step. */
interface Step {
  minibatch: readonly PackedTrajectory[];
  /** The critic is trained alone. */
  ofCritic: boolean;
}

/**
 * The optimiser steps over `kept`: every epoch shuffles it and cuts it into minibatches. The critic's own steps, if it has any, come
 * before the policy's.
 */
export function optimiserSteps(config: RunConfig, kept: readonly PackedTrajectory[], order: Rng): Step[] {
  const { actor, critic } = config;
  const steps = (from: Rng, epochs: number, size: number, ofCritic: boolean) =>
    Array.from({ length: epochs }, (_, epoch) => chunks(from.fork(`${epoch}`).shuffle(kept), size))
      .flat()
      .map((minibatch) => ({ minibatch, ofCritic }));
  const policy = steps(order, actor.ppo_epochs, actor.ppo_mini_batch_size, false);
  if (!hasCriticSteps(config)) return policy;
  const size = critic.ppo_mini_batch_size || actor.ppo_mini_batch_size;
  return [...steps(order.fork("critic"), criticEpochs(config), size, true), ...policy];
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
