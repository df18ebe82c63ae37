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
// - With sft.rehearsal_steps, steps of SFT on what demonstrations say about the present state follow the update (training/rehearsal.ts).
// - A step whose gradient is not finite is skipped. No early stop on KL.
import { trainingEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { separateSequences } from "../config/batch-size.ts";
import type { RunConfig } from "../config/run-config.ts";
import { totalUpdates } from "../config/run-length.ts";
import { rng } from "../core/rng.ts";
import type { Trajectory } from "../core/types.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { estimators } from "../rl/advantage/index.ts";
import { aggregation } from "../rl/aggregation.ts";
import type { Metrics } from "../rl/metrics.ts";
import { policyLoss } from "../rl/policy-loss/index.ts";
import { estimateAdvantages, forgetFirstTokens } from "./advantages.ts";
import {
  type PackedTrajectory,
  packBatch,
  sequencesOf,
  tokenCount,
  withAllTargets,
  withBootstrapTargets,
} from "./batch.ts";
import { filterBatch } from "./batch-filter.ts";
import { averageValues, uploadBatch, uploadRollout } from "./batch-upload.ts";
import type { Collector } from "./collector.ts";
import { chooseTokens } from "./covariance.ts";
import { ppoDraw } from "./draw.ts";
import type { TrainingFact } from "./events.ts";
import { noteBaselines } from "./greedy-baseline.ts";
import {
  advantageOptions,
  criticSettings,
  klAtEveryToken,
  liveSettings,
  lossFactsOptions,
  maskOptions,
  needsRefPolicy,
  ppoNumber,
  refPolicyScoring,
  samplingOf,
  shapingOptions,
  trainingTemperature,
  valueClipUnit,
} from "./hyperparameters.ts";
import { adaptKl, klCoefficient } from "./kl-coefficient.ts";
import { macrotask } from "./macrotask.ts";
import { optimiserSteps } from "./minibatches.ts";
import { teach } from "./pivot.ts";
import { ppoFlops } from "./ppo-cost.ts";
import { updateMetrics } from "./ppo-report.ts";
import { withProgress } from "./progress.ts";
import { rehearse } from "./rehearsal.ts";
import { isUnmasked, reusesRollout } from "./rollout-scores.ts";
import type { Run } from "./run.ts";
import { gatherSamples, samplesOf, setTrainRewards } from "./samples.ts";
import type { NonFiniteWatch } from "./skipped-steps.ts";
import { writeStateValues } from "./state-critic.ts";
import { turnLossMetrics } from "./turn-report.ts";
import { count, phase, stopwatch, type UpdateResult } from "./update.ts";
import { fillTrajectories, readUpdate, type UpdateReadback } from "./update-readback.ts";
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
  const batch = batchOf(config, played);
  const baseline = yield* noteBaselines(run, update, batch.packed);
  if (update < totalUpdates(config)) await collector?.begin(update + 1);
  const gen = clock();

  yield phase("ppo", update, "advantage");
  const klCoef = klCoefficient(run);
  const times = await estimate(run, config, batch.packed, clock, klCoef);
  const { steps, taught } = yield* train(run, config, batch, update);
  const read = await readBack(run, config, batch);
  const flops = baseline.flops + ppoFlops(run, config, batch.packed, batch.reused);
  count(run, batch.packed, batch.trajectories.length, steps, watch(read, "actor.lr"), flops);
  const trained = clock();
  const ofTurns = await turnLosses(run, config, batch);
  const rehearsed = yield* rehearse(run, config, update, watch);
  // Rehearsal reports its own time.
  clock();

  if (collector) yield* collector.wait(update);
  const metrics = updateMetrics(run, config, {
    ...batch,
    update,
    played,
    read,
    klCoef,
    ofSteps: { ...taught, ...batch.filterMetrics, ...baseline.metrics, ...ofTurns, ...rehearsed.metrics },
    ofCollector: collector?.dropped(),
    times: { "timing_s/gen": gen + clock(), ...times, "timing_s/update_actor": trained },
  });
  adaptKl(run, config, klCoef, metrics["critic/kl"], batch.trajectories.length);
  return { metrics, trajectories: batch.trajectories, tokens: tokenCount(batch.packed) + rehearsed.tokens };
}

/** What an update trains on. */
interface Batch {
  /** The episodes that can be trained on. */
  trajectories: Trajectory[];
  /** What advantages are estimated of: the trajectories or, if these are separate, their sequences. */
  samples: readonly Trajectory[];
  /** Rewards of the samples after shaping; null when nothing shapes. */
  shapedRewards: readonly number[] | null;
  /** The samples on the batch axis with their masks, and those of them that the filter keeps. */
  packed: readonly PackedTrajectory[];
  kept: readonly PackedTrajectory[];
  /** What the filter multiplies the advantages by. */
  scale: number;
  filterMetrics: Metrics;
  /** Decoding recorded the old log-probabilities and values. */
  reused: boolean;
}

/** Gives the episodes their rewards, packs them and filters them. */
function batchOf(config: RunConfig, played: readonly Trajectory[]): Batch {
  const trajectories = usableEpisodes(played);
  const samples = samplesOf(trajectories, separateSequences(config));
  const shapedRewards = setTrainRewards(samples, config, shapingOptions(config));
  const packed = packBatch(samples, maskOptions(config));
  const { kept, scale, metrics } = filterBatch(config, packed);
  const reused = reusesRollout(config, packed);
  return { trajectories, samples, shapedRewards, packed, kept, scale, filterMetrics: metrics, reused };
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

/** Scores the batch and computes its advantages and returns. Resolves to the seconds of each part under veRL's names. */
export async function estimate(
  run: Run,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
  clock: () => number,
  klCoef: number,
): Promise<Metrics> {
  const { engine } = run;
  // The device works asynchronously, so a time is only right after it has settled. Advantages are not worth a wait.
  const settled = async () => {
    await engine.gpu.settle();
    return clock();
  };
  uploadBatch(engine, packed);
  await scorePolicy(run, config, packed);
  const times: Metrics = { "timing_s/old_log_prob": await settled() };
  if (await scoreRefPolicy(engine, config, packed)) times["timing_s/ref"] = await settled();
  const estimator = estimators.get(config.algorithm.adv_estimator);
  const scored = { scored: true, everyToken: isUnmasked(config), refPolicy: needsRefPolicy(config) };
  await estimateAdvantages(engine, estimator, packed, advantageOptions(config, klCoef), scored);
  return { ...times, "timing_s/adv": clock() };
}

/** Old log-probabilities and values, those after cut episodes included. */
async function scorePolicy(
  { engine, stateCritic }: Run,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
): Promise<void> {
  const temperature = trainingTemperature(config);
  if (reusesRollout(config, packed)) uploadRollout(engine, packed);
  else await engine.score(isUnmasked(config) ? withAllTargets(packed) : sequencesOf(packed), temperature);
  if (config.critic.asymmetric) writeStateValues(engine, stateCritic, packed);
  if (config.algorithm.bootstrap_truncated)
    await engine.bootstrap(withBootstrapTargets(packed), tokenCount(packed), packed.length);
}

/** Log-probabilities under the ref policy, or its distributions. Resolves to whether the update needs them. */
async function scoreRefPolicy(
  engine: Engine,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
): Promise<boolean> {
  const refPolicy = refPolicyScoring(config, engine);
  if (!refPolicy) return false;
  const everywhere = klAtEveryToken(config.algorithm);
  const targets = everywhere ? withAllTargets(packed) : sequencesOf(packed);
  await engine.scoreRefPolicy(targets, trainingTemperature(config), refPolicy.distributions);
  if (everywhere) forgetFirstTokens(engine, packed);
  return true;
}

/** Computes the inputs of the policy loss and takes the optimiser steps. Returns their number and the metrics of PIVOT's teacher. */
async function* train(
  run: Run,
  config: RunConfig,
  { packed, kept, scale }: Batch,
  update: number,
): AsyncGenerator<TrainingFact, { steps: number; taught: Metrics }> {
  const { engine } = run;
  if (aggregation(config.critic.loss_agg_mode).averagesTokens) averageValues(engine, packed);
  await engine.lossFacts(lossFactsOptions(config, scale), tokenCount(packed));
  const taught = await teach(run, config, packed, kept, update);
  const steps = yield* optimise(run, config, packed, kept, update);
  return { steps, taught };
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
  const steps = optimiserSteps(config, kept, order);
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

/** Metrics of a loss of turns, which are on the GPU; empty for other losses. */
async function turnLosses({ engine }: Run, config: RunConfig, { packed, kept }: Batch): Promise<Metrics> {
  const isOfTurns = policyLoss(config.actor.loss_mode).ratio.startsWith("turn");
  return isOfTurns ? turnLossMetrics(engine, packed, kept) : {};
}

/** Reads what the update computed and writes the values of the tokens into the trajectories. An asymmetric critic learns from them. */
async function readBack(
  { engine, stateCritic }: Run,
  config: RunConfig,
  { packed, kept, samples, trajectories }: Batch,
): Promise<UpdateReadback> {
  const { use_kl_in_reward: klInReward } = config.algorithm;
  const read = await readUpdate(engine, packed, { refPolicy: needsRefPolicy(config), klInReward });
  fillTrajectories(packed, read, kept);
  if (config.critic.asymmetric) stateCritic.learn(packed);
  if (separateSequences(config)) gatherSamples(trajectories, samples);
  return read;
}
