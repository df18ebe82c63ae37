// A PPO update: collect episodes with the current policy, estimate advantages, optimise. Per minibatch, one AdamW step on
//
//   L = 1/N · Σ w·(P − entropy_coeff·H(π) + kl_loss_coef·KL(π ‖ π_ref))  +  vf_coef/M · Σ u·V
//   P = max(−A·ρ, −A·clip(ρ, 1 − clip_ratio, 1 + clip_ratio_high)),  but where A < 0 at most −A·clip_ratio_c
//   V = ½·max((v − R)², (clip(v, v_old ± cliprange_value) − R)²)      ρ = π/π_old of the sampled token
//   (½·(v − R)² where cliprange_value is 0)
//
// The sums are over the minibatch: its tokens in the loss mask, and for V those in the value mask. π is taken at the sampling
// temperature. actor.loss_agg_mode sets N and w, critic.loss_agg_mode M and u (rl/aggregation.ts): token-mean: N tokens, w = 1;
// seq-mean-token-mean: N sequences, w = 1/(tokens of the sequence), which is what veRL makes of micro-batches of one sequence.
// Kernels: shaders/ppo_loss.wgsl, value_loss.wgsl, kl_reward.wgsl, adamw.wgsl. Where this departs from Schulman et al. 2017:
//
// - Masks. Sequences contain prompts and observations, but only tokens that the policy sampled are trained and have
//   advantages, unless rollout.use_loss_mask or use_gae_mask is off. An estimator may train values at one token per turn only.
// - Bi-level GAE estimates advantages from turn to turn, then from token to token within a turn; other estimators are in
//   rl/advantage/. algorithm.whiten_advantages whitens them over the batch.
// - Dual clip (Ye et al. 2020) bounds P where A < 0; the lower and upper clip ratios may differ. GSPO takes ρ of a sequence.
// - KL to the ref policy, which is the policy before PPO: exact over the vocabulary with kl_loss_type full, otherwise estimated
//   at the sampled token; in the loss, in the reward, or both.
// - π_old and v_old are recomputed by the training kernels once per update, or with actor.recompute_logprob off taken from
//   decoding where it says them (rollout-scores.ts). Of the losses, only the decoupled one uses rollout log-probs beside them.
// - One AdamW step for policy and critic, with a learning rate each, and one gradient clip unless critic.grad_clip is set; the
//   critic shares the backbone or not. With critic.ppo_epochs or critic.ppo_mini_batch_size the critic has steps of its own, all of
//   them before the policy's.
// - Of the layout compact, episodes that made no progress are left out; a summary is trained on like a turn without reward.
// - Minibatches contain whole trajectories (or, with separate sequences, those), packed without padding into
//   micro-batches of about equal size, whose gradients add up.
// - With rollout.max_head_offpolicyness above 0 the episodes were played by an older policy, while the last batch was trained on.
// - With actor.use_pivot, failed episodes add pivot_coef·g·(ℓ_tea − ℓ_π) to the loss of a token (PIVOT, training/pivot.ts).
// - A step whose gradient is not finite is skipped. No early stop on KL.
import { trainingEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { separateSequences } from "../config/batch-size.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates, totalUpdates } from "../config/run-length.ts";
import { type Rng, rng } from "../core/rng.ts";
import type { Trajectory } from "../core/types.ts";
import { flopsOfPasses, type PassFlops, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import type { StepSettings } from "../policy/wgsl/step-settings.ts";
import { estimators } from "../rl/advantage/index.ts";
import { aggregation } from "../rl/aggregation.ts";
import { FILTER_NAMES, filters } from "../rl/filter/index.ts";
import { adaptedCoefficient } from "../rl/kl-control.ts";
import type { Metrics } from "../rl/metrics.ts";
import { policyLoss } from "../rl/policy-loss/index.ts";
import { stalenessMetrics } from "../rl/staleness.ts";
import { estimateAdvantages, forgetFirstTokens } from "./advantages.ts";
import {
  averageValues,
  gatherSamples,
  type PackedTrajectory,
  packBatch,
  samplesOf,
  sequencesOf,
  setTrainRewards,
  tokenCount,
  uploadBatch,
  uploadRollout,
  withAllTargets,
  withBootstrapTargets,
} from "./batch.ts";
import type { Collector } from "./collector.ts";
import { chooseTokens } from "./covariance.ts";
import { ppoDraw } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { noteBaselines } from "./greedy-baseline.ts";
import {
  advantageOptions,
  criticEpochs,
  criticSettings,
  hasCriticSteps,
  hasExactKl,
  klAtEveryToken,
  lossFactsOptions,
  maskOptions,
  needsRefPolicy,
  ppoSettings,
  refPolicyScoring,
  samplingOf,
  shapingOptions,
  trainingTemperature,
  valueClipUnit,
} from "./hyperparameters.ts";
import { macrotask } from "./macrotask.ts";
import { teach } from "./pivot.ts";
import { withProgress } from "./progress.ts";
import { isUnmasked, reusesRollout } from "./rollout-scores.ts";
import type { Run } from "./run.ts";
import { writeStateValues } from "./state-critic.ts";
import { turnLossMetrics } from "./turn-report.ts";
import { count, flopsOf, phase, playedMetrics, stopwatch, type UpdateResult } from "./update.ts";
import {
  fillTrajectories,
  klInRewardMetrics,
  type NonFiniteWatch,
  ppoMetrics,
  readUpdate,
  rewardMetrics,
  type UpdateReadback,
} from "./update-report.ts";
import { usableEpisodes } from "./usable.ts";

/**
 * One PPO update. The configuration may change meanwhile; values that must stay the same are read at its start.
 * @param collector plays the next batch meanwhile; null: nothing is played ahead.
 */
export async function* ppoUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
  collector: Collector | null = null,
): AsyncGenerator<TrainingFact, UpdateResult> {
  const { config } = run;
  const clock = stopwatch();
  const played = yield* collector ? collector.take(update) : collect(run, update);
  const trajectories = usableEpisodes(played);
  const samples = samplesOf(trajectories, separateSequences(config));
  const shaped = setTrainRewards(samples, config, shapingOptions(config));
  const packed = packBatch(samples, maskOptions(config));
  const filtered = filterBatch(config, packed);
  const baseline = yield* noteBaselines(run, update, packed);
  if (update < totalUpdates(config)) await collector?.begin(update + 1);
  const gen = clock();
  yield phase("ppo", update, "advantage");
  const klCoef = klCoefficient(run);
  const reused = reusesRollout(config, packed);
  const times = await estimate(run, config, packed, clock, klCoef);
  if (aggregation(config.critic.loss_agg_mode).averagesTokens) averageValues(run.engine, packed);
  await run.engine.lossFacts(lossFactsOptions(config, filtered.scale), tokenCount(packed));
  const taught = await teach(run, config, packed, filtered.packed, update);
  const steps = yield* optimise(run, config, packed, filtered.packed, update);
  const read = await readUpdate(run.engine, packed, {
    refPolicy: needsRefPolicy(config),
    klInReward: config.algorithm.use_kl_in_reward,
  });
  keepResults(run, config, packed, read, filtered.packed);
  if (separateSequences(config)) gatherSamples(trajectories, samples);
  count(
    run,
    packed,
    trajectories.length,
    steps,
    watch(read, "actor.lr"),
    baseline.flops +
      flopsOfPasses(passes(config, run.engine.keepsRefDistributions, reused), flopsOf(run, packed)),
  );
  const trained = clock();
  if (collector) yield* collector.wait(update);
  const metrics: Metrics = {
    ...playedMetrics(run, played, "train"),
    ...ppoMetrics(filtered.packed, read, config),
    ...taught,
    ...filtered.metrics,
    ...baseline.metrics,
    ...(shaped && rewardMetrics(shaped)),
    ...klInRewardMetrics(packed, read, klCoef),
    ...(policyLoss(config.actor.loss_mode).ratio.startsWith("turn") &&
      (await turnLossMetrics(run.engine, packed, filtered.packed))),
    ...stalenessMetrics(trajectories, update),
    ...collector?.dropped(),
    ...(!reused && { "training/rollout_probs_diff_mean": probabilityDifference(packed, read.logprobs) }),
    "training/skipped_steps": run.counters.skippedSteps,
    ...rateMetrics(config, update),
    "timing_s/gen": gen + clock(),
    ...times,
    "timing_s/update_actor": trained,
  };
  adaptKl(run, config, klCoef, metrics["critic/kl"], trajectories.length);
  return { metrics, trajectories, tokens: tokenCount(packed) };
}

/** Writes the batch's numbers into the trajectories, and lets the critic that reads the state learn from them. */
function keepResults(
  { stateCritic }: Run,
  { critic }: RunConfig,
  packed: readonly PackedTrajectory[],
  read: UpdateReadback,
  trained: readonly PackedTrajectory[],
): void {
  fillTrajectories(packed, read, trained);
  if (critic.asymmetric) stateCritic.learn(packed);
}

/** Plays new training levels with the current policy. */
function collect(run: Run, update: number): AsyncGenerator<TrainingFact, Trajectory[]> {
  const { config, task, policy } = run;
  const episodes = trainingEpisodes(ppoDraw(run, update));
  const sampling = samplingOf(config, update);
  return withProgress(
    (done) => phase("ppo", update, "rollout", done, episodes.length),
    (onTrajectory) =>
      play({ task, policy, episodes, parallel: policy.slots, sampling, version: update - 1, onTrajectory }),
  );
}

/** The learning rates of an update. */
function rateMetrics(config: RunConfig, update: number): Metrics {
  const { actorLr, criticLr } = ppoSettings(config, ppoNumber(config, update));
  return { "actor/lr": actorLr, "critic/lr": criticLr };
}

/** The number of an update among those of PPO, from 1. */
const ppoNumber = (config: RunConfig, update: number) => update - sftUpdates(config);

/** The part of the batch to train on, the scale of its advantages, and metrics under VAGEN's names. */
function filterBatch({ algorithm }: RunConfig, packed: readonly PackedTrajectory[]) {
  const { filter, filter_topk: topk, filter_top_p: topP, filter_ddof: ddof } = algorithm;
  const episodes = packed.map(({ trajectory }) => ({
    groupId: trajectory.groupId,
    score: trajectory.tokens.rewards.reduce((sum, reward) => sum + reward, 0),
    trajectory,
  }));
  const { keep, scale, metrics } = filters.get(filter).apply(episodes, { topk, topP, ddof });
  const prefix = `filter/train/${FILTER_NAMES[filter] ?? filter}/`;
  return {
    packed: packed.filter((_, i) => keep[i]),
    scale,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [prefix + name, value])),
  };
}

/** The coefficient of the KL penalty in the reward: configured, or set by adaptive control. */
function klCoefficient({ config: { algorithm }, counters }: Run): number {
  const moved = algorithm.kl_ctrl_type === "adaptive" ? counters.klCoef : undefined;
  return moved ?? algorithm.kl_coef;
}

/** Moves the coefficient towards the target KL. */
function adaptKl(
  { counters }: Run,
  { algorithm }: RunConfig,
  coefficient: number,
  kl: number | undefined,
  episodes: number,
): void {
  if (algorithm.kl_ctrl_type !== "adaptive" || kl === undefined) return;
  const control = { target: algorithm.target_kl, horizon: algorithm.horizon };
  counters.klCoef = adaptedCoefficient(coefficient, kl, episodes, control);
}

/** Scores the batch and computes its advantages and returns. Resolves to the seconds of each part under veRL's names. */
export async function estimate(
  { engine, stateCritic }: Run,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
  clock: () => number,
  klCoef: number,
): Promise<Metrics> {
  uploadBatch(engine, packed);
  const temperature = trainingTemperature(config);
  const sequences = sequencesOf(packed);
  // The device works asynchronously, so a time is only right after it has settled. Advantages are not worth a wait.
  const settled = async () => {
    await engine.gpu.settle();
    return clock();
  };
  if (reusesRollout(config, packed)) uploadRollout(engine, packed);
  else await engine.score(isUnmasked(config) ? withAllTargets(packed) : sequences, temperature);
  if (config.critic.asymmetric) writeStateValues(engine, stateCritic, packed);
  if (config.algorithm.bootstrap_truncated)
    await engine.bootstrap(withBootstrapTargets(packed), tokenCount(packed), packed.length);
  const times: Metrics = { "timing_s/old_log_prob": await settled() };
  const refPolicy = refPolicyScoring(config, engine);
  if (refPolicy) {
    const everywhere = klAtEveryToken(config.algorithm);
    const targets = everywhere ? withAllTargets(packed) : sequences;
    await engine.scoreRefPolicy(targets, temperature, refPolicy.distributions);
    if (everywhere) forgetFirstTokens(engine, packed);
    times["timing_s/ref"] = await settled();
  }
  const estimator = estimators.get(config.algorithm.adv_estimator);
  const scored = { scored: true, everyToken: isUnmasked(config), refPolicy: needsRefPolicy(config) };
  await estimateAdvantages(engine, estimator, packed, advantageOptions(config, klCoef), scored);
  return { ...times, "timing_s/adv": clock() };
}

/** One optimiser step for every minibatch of every epoch over `kept`; returns the number of steps. */
async function* optimise(
  run: Run,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
  kept: readonly PackedTrajectory[],
  update: number,
): AsyncGenerator<TrainingFact, number> {
  const order = rng(config.seed).fork("minibatches").fork(`${update}`);
  const steps = stepsOf(config, kept, order);
  const sequenceCount = sequencesOf(packed).length;
  const paid = packed.map(({ rewards }) => rewards.reduce((sum, reward) => sum + reward, 0));
  const clipUnit = valueClipUnit(config, paid);
  run.engine.clearTotals();
  for (const [step, { minibatch, ofCritic }] of steps.entries()) {
    yield phase("ppo", update, "update", step, steps.length);
    await macrotask();
    const live = liveSettings(config, run.config, ppoNumber(config, update));
    const settings = { ...live, valueClip: live.valueClip * clipUnit };
    const sequences = sequencesOf(minibatch);
    if (!ofCritic)
      await chooseTokens(run.engine, sequences, config, tokenCount(packed), order.fork(`chosen ${step}`));
    await run.engine.step(sequences, ofCritic ? criticSettings(settings) : settings, sequenceCount);
  }
  return steps.length;
}

interface Step {
  minibatch: readonly PackedTrajectory[];
  /** The critic is trained alone. */
  ofCritic: boolean;
}

/** The optimiser steps over `kept`: the critic's own, if it has any, then the policy's. */
function stepsOf(config: RunConfig, kept: readonly PackedTrajectory[], order: Rng): Step[] {
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

/** Coefficients may change during the update; what the batch was scored and compiled with may not. */
function liveSettings(begun: RunConfig, now: RunConfig, update: number): StepSettings {
  const { kind, mean, policyMean, valueMean, temperature, criticGradClip, valueClip } = ppoSettings(begun);
  const live = ppoSettings(now, update);
  const fixed = { kind, mean, policyMean, valueMean, temperature, criticGradClip };
  // Whether values are clipped at all is compiled.
  return { ...live, ...fixed, valueClip: kind.clipValue && live.valueClip > 0 ? live.valueClip : valueClip };
}

/**
 * The cost of an update in forward passes over the batch: one each for generation, scoring and the ref policy, and three per
 * epoch of training. A batch that reuses the numbers of its rollout is not scored. An exact KL runs the ref policy in every epoch
 * unless the batch keeps its distributions (`keepsRef`). PIVOT's teacher is counted as if every episode had failed. A separate critic scores once and trains like the policy; a head's own steps
 * run the policy forward.
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
