// From the configuration to the numbers of sampling, advantages and optimiser steps.
import { separateSequences } from "../config/batch-size.ts";
import { mostTurns } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { rng } from "../core/rng.ts";
import { populationVariance } from "../core/statistics.ts";
import type { Sampling } from "../policy/policy.ts";
import { type AdvantageOptions, estimatorOnGpu, type LossFactsOptions } from "../policy/wgsl/advantages.ts";
import {
  CLIPPED_RATIO,
  type LossKind,
  type LossMean,
  type PolicyLossKind,
  type StepSettings,
} from "../policy/wgsl/step-settings.ts";
import { estimators } from "../rl/advantage/index.ts";
import { valueTokensAt } from "../rl/advantage/value-mask.ts";
import { type AggregationId, aggregation } from "../rl/aggregation.ts";
import { policyLoss } from "../rl/policy-loss/index.ts";
import type { ShapingOptions } from "../rl/reward/shaping.ts";
import type { MaskOptions } from "./batch.ts";
import { ppoRateShare, sftRate } from "./learning-rate.ts";

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

/** The run's estimator and its discounts. `klCoef` is the coefficient that KL control has arrived at. */
export function advantageOptions({ algorithm }: RunConfig, klCoef = algorithm.kl_coef): AdvantageOptions {
  const { whitenOver, usesLambdaByLength, klAfterwards = false } = estimators.get(algorithm.adv_estimator);
  const lamBy = usesLambdaByLength ? algorithm.lam_by_length : "off";
  return {
    estimator: estimatorOnGpu(algorithm.adv_estimator),
    gamma: algorithm.gamma,
    lam: algorithm.lam,
    turnGamma: algorithm.high_level_gamma,
    turnLam: algorithm.use_high_level_lam ? algorithm.high_level_lam : algorithm.lam,
    turnAnchor: algorithm.turn_value_anchor,
    groupStd: algorithm.norm_adv_by_std_in_grpo,
    lamBy,
    lamParam: lamBy === "vapo" ? algorithm.vapo_alpha : algorithm.relative_position_q,
    clock: {
      gammaTurn: algorithm.gamma_turn,
      lambdaTurn: algorithm.lambda_turn,
      lambdaToken: algorithm.lambda_token,
      mix: algorithm.bi_level_mix,
    },
    carry: algorithm.carry_across_turns,
    whiten: algorithm.whiten_advantages ? whitenOver : "none",
    ...normLevels(algorithm),
    klInReward: algorithm.use_kl_in_reward ? algorithm.kl_penalty : "off",
    klAfterwards,
    klAtEveryToken: klAtEveryToken(algorithm),
    klCoef,
  };
}

/** Whether the KL penalty in the reward is taken at tokens that the policy did not write, too. */
export const klAtEveryToken = (algorithm: RunConfig["algorithm"]): boolean =>
  algorithm.use_kl_in_reward && algorithm.kl_in_reward_tokens === "all";

/** None for the usual whitening, which has a kernel of its own. */
function normLevels(algorithm: RunConfig["algorithm"]): Pick<AdvantageOptions, "norm"> {
  const {
    adv_norm_mean_level: mean,
    adv_norm_std_level: std,
    adv_norm_mean_leave1out: leaveOneOut,
  } = algorithm;
  return mean === "batch" && std === "batch" && !leaveOneOut ? {} : { norm: { mean, std, leaveOneOut } };
}

/** Tokens that the replies of an episode may have at most, in any environment of the run. */
const longestReplies = (config: RunConfig): number => config.rollout.response_length * mostTurns(config);

/** Tokens that the replies of one sample may have at most. */
const longestSample = (config: RunConfig): number =>
  separateSequences(config) ? config.rollout.response_length : longestReplies(config);

/** Tokens that the replies of one sequence may have at most: in the layout `no_concat` every turn is one. */
const longestSequence = (config: RunConfig): number =>
  config.trainer.harness === "no_concat" ? config.rollout.response_length : longestSample(config);

/**
 * Tokens after the first prompt at which an episode is cut; `Infinity`: none. In other layouts its record repeats tokens that the limit
 * counts once, or the limit is one of a conversation.
 */
const spentLimit = ({ rollout, trainer }: RunConfig): number =>
  rollout.workflow === "vagen" && trainer.harness === "concat" && rollout.max_episode_tokens > 0
    ? rollout.max_episode_tokens
    : Number.POSITIVE_INFINITY;

/** How the one reward of a sequence is shaped. */
export function shapingOptions(config: RunConfig): ShapingOptions {
  const { algorithm } = config;
  return {
    overlongTokens: algorithm.overlong_tokens,
    overlongFactor: algorithm.overlong_penalty_factor,
    maxTokens: longestSample(config),
    maxSpentTokens: spentLimit(config),
    bias: algorithm.reward_bias,
    scaling: algorithm.reward_scaling,
    clip: algorithm.reward_clip,
    norm: {
      mean: algorithm.reward_norm_mean_level,
      std: algorithm.reward_norm_std_level,
      leaveOneOut: algorithm.reward_norm_mean_leave1out,
    },
  };
}

/**
 * Returns for SFT's value loss. With λ = 1 they do not depend on the critic: they are the demonstrations' own
 * rewards, discounted as PPO will discount them.
 */
export function sftAdvantages(config: RunConfig): AdvantageOptions {
  const options = advantageOptions(config);
  return {
    ...options,
    lam: 1,
    turnLam: 1,
    lamBy: "off",
    clock: { ...options.clock, lambdaTurn: 1, lambdaToken: 1 },
    whiten: "none",
    klInReward: "off",
    klAtEveryToken: false,
  };
}

/**
 * How rewards are shaped that are not compared with others: those of demonstrations, which are paid as PPO will pay, for the same
 * critic, and those of greedy baselines. Normalised rewards compare a policy's own episodes.
 */
export const shapingWithoutNorm = (config: RunConfig): ShapingOptions => ({
  ...shapingOptions(config),
  norm: { mean: "none", std: "none", leaveOneOut: false },
});

/** Which tokens carry advantage, are trained on, and have their values trained. */
export function maskOptions({ actor, algorithm, rollout }: RunConfig): MaskOptions {
  return {
    lossMask: rollout.use_loss_mask,
    gaeMask: rollout.use_gae_mask,
    klAtEveryToken: klAtEveryToken(algorithm),
    valueTokens: valueTokensAt(estimators.get(algorithm.adv_estimator), algorithm.turn_value_anchor),
    policyMean: policyLoss(actor.loss_mode).ownMean ?? "loss",
    averageSequences: aggregation(actor.loss_agg_mode).averagesTokens === true,
  };
}

/** Settings of the kernel `loss_facts`, which writes what the policy loss reads of each token. */
export function lossFactsOptions(config: RunConfig, advantageScale: number): LossFactsOptions {
  const { actor } = config;
  return {
    behaviour: actor.use_decoupled_loss ? actor.behav_imp_weight_mode : "off",
    behaviourCap: actor.behav_imp_weight_cap,
    advantageScale,
    refPolicy: needsRefPolicy(config),
  };
}

/** Whether the loss has the KL over the whole vocabulary. */
export const hasExactKl = ({ actor }: RunConfig): boolean =>
  actor.use_kl_loss && actor.kl_loss_type === "full";

/** A KL at sampled tokens needs the ref policy's log-probabilities; the exact one reads its distributions. */
export const needsRefPolicy = ({ algorithm, actor }: RunConfig): boolean =>
  algorithm.use_kl_in_reward || (actor.use_kl_loss && actor.kl_loss_type !== "full");

/** How an update scores its batch under the ref policy before it is trained on; null: not at all. */
export function refPolicyScoring(
  config: RunConfig,
  { keepsRefDistributions }: { readonly keepsRefDistributions: boolean },
): { distributions: boolean } | null {
  const distributions = hasExactKl(config) && keepsRefDistributions;
  return distributions || needsRefPolicy(config) ? { distributions } : null;
}

function commonSettings({ actor, critic }: RunConfig) {
  return {
    clipLow: actor.clip_ratio,
    clipHigh: actor.clip_ratio_high || actor.clip_ratio,
    clipC: policyLoss(actor.loss_mode).clipsTwice ? actor.clip_ratio_c : 0,
    tauPos: actor.tau_pos,
    tauNeg: actor.tau_neg,
    covKlCoef: actor.ppo_kl_coef,
    pivotCoef: actor.pivot_coef,
    pivotBeta: actor.pivot_beta,
    entropyCoef: actor.entropy_coeff,
    klCoef: actor.kl_loss_coef,
    valueClip: critic.cliprange_value,
    valueGradScale: critic.trunk_grad_scale,
    beta1: actor.beta1,
    beta2: actor.beta2,
    gradClip: actor.grad_clip,
    criticGradClip: critic.grad_clip || actor.grad_clip,
    normThreshold: actor.grad_norm_threshold,
  };
}

const TOKEN_MEAN: LossMean = { per: "token", divisor: 1 };

/** What a loss of this mode is divided by; the weights of its tokens are `maskOptions`. */
function lossMean(config: RunConfig, mode: AggregationId): LossMean {
  const { per, isScaled } = aggregation(mode);
  return { per, divisor: isScaled ? config.actor.loss_scale_factor || longestSequence(config) : 1 };
}

/** A loss that averages by itself needs weights of its own, unless they are those of the other terms. */
function policyKind({ loss_mode, loss_agg_mode }: RunConfig["actor"]): PolicyLossKind {
  const { objective, ratio, ownMean } = policyLoss(loss_mode);
  const isSame = ownMean === "sequence" && loss_agg_mode === "seq-mean-token-mean";
  return { objective, ratio, ownMean: ownMean !== undefined && !isSame };
}

/** How much of the value loss's gradient reaches the backbone of a critic that is a head: detached, none does. */
function valueGradient({ detach_trunk, trunk_grad_scale }: RunConfig["critic"]): LossKind["valueGradient"] {
  if (detach_trunk || trunk_grad_scale === 0) return "none";
  return trunk_grad_scale === 1 ? "whole" : "scaled";
}

/** One PPO step of PPO update `update` (from 1). While the critic goes first, nothing moves the policy. */
export function ppoSettings(config: RunConfig, update = 1): StepSettings {
  const { actor, critic, trainer } = config;
  const rate = ppoRateShare(config, update);
  return {
    ...commonSettings(config),
    kind: {
      objective: "ppo",
      kl: actor.use_kl_loss ? actor.kl_loss_type : "off",
      policy: policyKind(actor),
      valueGradient: valueGradient(critic),
      trains: hasCriticSteps(config) ? "policy" : "all",
      clipValue: critic.cliprange_value > 0,
      weightsValues: aggregation(critic.loss_agg_mode).averagesTokens === true,
      separateNorms: critic.grad_clip > 0,
      ...(actor.use_pivot && { pivot: true }),
    },
    mean: lossMean(config, actor.loss_agg_mode),
    policyMean: policyLoss(actor.loss_mode).ownMean
      ? { per: "sequence", divisor: 1 }
      : lossMean(config, actor.loss_agg_mode),
    valueMean: lossMean(config, critic.loss_agg_mode),
    temperature: trainingTemperature(config),
    // The network's value head is not trained towards values that it did not give.
    vfCoef: critic.asymmetric ? 0 : critic.vf_coef,
    actorLr: update <= trainer.critic_warmup ? 0 : actor.lr * rate,
    criticLr: critic.lr * rate,
    weightDecay: actor.weight_decay,
  };
}

/**
 * The settings of a step of an update that began with the configuration `begun`, when the configuration is `now`: coefficients may
 * change during the update; what the batch was scored and compiled with may not.
 * @param update the PPO update, from 1.
 */
export function liveSettings(begun: RunConfig, now: RunConfig, update: number): StepSettings {
  const { kind, mean, policyMean, valueMean, temperature, criticGradClip, valueClip } = ppoSettings(begun);
  const live = ppoSettings(now, update);
  const fixed = { kind, mean, policyMean, valueMean, temperature, criticGradClip };
  // Whether values are clipped at all is compiled.
  return { ...live, ...fixed, valueClip: kind.clipValue && live.valueClip > 0 ? live.valueClip : valueClip };
}

/** The number of an update among those of PPO, from 1. */
export const ppoNumber = (config: RunConfig, update: number): number => update - sftUpdates(config);

/** Whether PPO trains the critic in optimiser steps of its own, as veRL does; otherwise in the policy's. */
export const hasCriticSteps = ({ algorithm, critic }: RunConfig): boolean =>
  (critic.ppo_epochs > 0 || critic.ppo_mini_batch_size > 0) &&
  !critic.asymmetric &&
  estimators.get(algorithm.adv_estimator).valueTokens !== "none";

/** How often PPO trains the critic on a batch. */
export const criticEpochs = (config: RunConfig): number =>
  (hasCriticSteps(config) && config.critic.ppo_epochs) || config.actor.ppo_epochs;

/** One step of the critic alone, with the settings of a PPO step. */
export const criticSettings = (settings: StepSettings): StepSettings => ({
  ...settings,
  kind: { ...settings.kind, trains: "critic" },
});

/** The kinds of the steps that a PPO update takes. */
export function ppoKinds(config: RunConfig): LossKind[] {
  const settings = ppoSettings(config);
  return hasCriticSteps(config) ? [criticSettings(settings).kind, settings.kind] : [settings.kind];
}

/** What the value clip of a batch with these episode scores is multiplied by. Equal scores have no spread, and leave it as it is. */
export const valueClipUnit = ({ critic }: RunConfig, scores: readonly number[]): number =>
  critic.cliprange_relative ? Math.sqrt(populationVariance(scores)) || 1 : 1;

/** One imitation step at the learning rate of `update`. */
export function sftSettings(config: RunConfig, update: number): StepSettings {
  const { sft } = config;
  const lr = sftRate(config, update);
  return {
    ...commonSettings(config),
    kind: {
      objective: "sft",
      kl: "off",
      policy: CLIPPED_RATIO,
      trains: "all",
      valueGradient: "whole",
      clipValue: false,
      weightsValues: false,
      separateNorms: false,
    },
    mean: TOKEN_MEAN,
    policyMean: TOKEN_MEAN,
    valueMean: TOKEN_MEAN,
    temperature: 1,
    vfCoef: sft.vf_coef,
    actorLr: lr,
    criticLr: lr,
    weightDecay: sft.weight_decay,
  };
}

/** One rehearsal step after PPO update `update` (from 1): imitation that trains the policy alone. */
export function rehearsalSettings(config: RunConfig, update = 1): StepSettings {
  const { actor, sft, trainer } = config;
  const peak = update <= trainer.critic_warmup ? 0 : sft.rehearsal_lr || actor.lr;
  const actorLr = peak * ppoRateShare(config, update);
  const imitation = sftSettings(config, 1);
  return {
    ...imitation,
    kind: { ...imitation.kind, trains: "policy" },
    actorLr,
    criticLr: 0,
    weightDecay: actor.weight_decay,
  };
}
