// From the configuration to the numbers of sampling, advantages and optimiser steps.
import type { RunConfig } from "../config/run-config.ts";
import { rng } from "../core/rng.ts";
import type { Sampling } from "../policy/policy.ts";
import type { AdvantageOptions, StepSettings } from "../policy/wgsl/engine.ts";
import { cosineSchedule } from "./schedule.ts";

/** Log-probabilities of training are taken at the sampling temperature; greedy sampling trains at temperature 1. */
export const trainingTemperature = (config: RunConfig) => config.rollout.temperature || 1;

/** How update `update` samples; each update draws from its own seed. */
export function samplingOf(config: RunConfig, update: number): Sampling {
  const { temperature, top_p: topP, top_k: topK, response_length: maxTokens } = config.rollout;
  return {
    temperature,
    topP,
    topK,
    maxTokens,
    seed: rng(config.seed).fork("sampling").fork(`${update}`).u32(),
  };
}

/** The run's estimator and its discounts. */
export function advantageOptions({ algorithm }: RunConfig): AdvantageOptions {
  return {
    estimator: algorithm.adv_estimator,
    gamma: algorithm.gamma,
    lam: algorithm.lam,
    turnGamma: algorithm.high_level_gamma,
    whiten: algorithm.whiten_advantages,
    klInReward: algorithm.use_kl_in_reward ? algorithm.kl_penalty : "off",
    klCoef: algorithm.kl_coef,
  };
}

/**
 * Returns for the warm-up's value loss. With λ = 1 they do not depend on the critic: they are the demonstrations' own
 * rewards, discounted as PPO will discount them.
 */
export const warmupAdvantages = (config: RunConfig): AdvantageOptions => ({
  ...advantageOptions(config),
  lam: 1,
  whiten: false,
  klInReward: "off",
});

function commonSettings({ actor, critic }: RunConfig) {
  return {
    clipLow: actor.clip_ratio,
    clipHigh: actor.clip_ratio,
    entropyCoef: actor.entropy_coeff,
    klCoef: actor.kl_loss_coef,
    valueClip: critic.cliprange_value,
    beta1: actor.beta1,
    beta2: actor.beta2,
    gradClip: actor.grad_clip,
  };
}

/** One PPO step. */
export function ppoSettings(config: RunConfig): StepSettings {
  const { actor, critic } = config;
  return {
    ...commonSettings(config),
    kind: {
      objective: "ppo",
      kl: actor.use_kl_loss ? actor.kl_loss_type : "off",
      valueReachesTrunk: !critic.detach_trunk,
      clipValue: true,
    },
    temperature: trainingTemperature(config),
    vfCoef: critic.vf_coef,
    actorLr: actor.lr,
    criticLr: critic.lr,
    weightDecay: actor.weight_decay,
  };
}

/** One imitation step at the learning rate of `update`. */
export function warmupSettings(config: RunConfig, update: number): StepSettings {
  const { sft } = config;
  const lr = cosineSchedule(
    {
      peak: sft.lr,
      warmupSteps: sft.lr_warmup_steps,
      totalSteps: sft.total_updates,
      minRatio: sft.min_lr_ratio,
    },
    update,
  );
  return {
    ...commonSettings(config),
    kind: { objective: "imitation", kl: "off", valueReachesTrunk: true, clipValue: false },
    temperature: 1,
    vfCoef: sft.vf_coef,
    actorLr: lr,
    criticLr: lr,
    weightDecay: sft.weight_decay,
  };
}
