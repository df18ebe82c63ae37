// An update of the second stage: collect with the current policy, estimate advantages, optimise.
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import { type RunConfig, TRAIN_SEEDS } from "../config/run-config.ts";
import { rng } from "../core/rng.ts";
import type { Trajectory } from "../core/types.ts";
import type { StepSettings } from "../policy/wgsl/engine.ts";
import { episodeMetrics, type Metrics } from "../rl/metrics.ts";
import { type Placed, placeTrajectories, tokenCount, uploadBatch, withAllRows } from "./batch.ts";
import type { Run } from "./build-run.ts";
import type { TrainerEvent } from "./events.ts";
import { withProgress } from "./progress.ts";
import { advantageOptions, ppoSettings, samplingOf, trainingTemperature } from "./settings.ts";
import { count, flopsOf, metricOptions, phase, rowCount, stopwatch, type UpdateResult } from "./update.ts";
import {
  fillTrajectories,
  klInRewardMetrics,
  type NonFiniteWatch,
  ppoMetrics,
  readUpdate,
} from "./update-report.ts";

/** One PPO update. The configuration may change while it runs; what depends on its beginning is read at its beginning. */
export async function* ppoUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
): AsyncGenerator<TrainerEvent, UpdateResult> {
  const { config } = run;
  const clock = stopwatch();
  const trajectories = yield* collect(run, update);
  const placed = placeTrajectories(trajectories);
  const gen = clock();
  yield phase("ppo", update, "advantage");
  const times = await estimate(run, config, placed, clock);
  const steps = yield* optimise(run, config, placed, update);
  const read = await readUpdate(run.engine, placed, {
    reference: needsReference(config),
    klInReward: config.algorithm.use_kl_in_reward,
  });
  fillTrajectories(placed, read);
  count(run, placed, steps, watch(read, "actor.lr"), passes(config) * flopsOf(run, placed));
  const metrics: Metrics = {
    ...episodeMetrics(trajectories, metricOptions(run)),
    ...ppoMetrics(placed, read, rowCount(placed) * config.actor.ppo_epochs),
    ...klInRewardMetrics(placed, config.algorithm.kl_coef),
    "training/rollout_probs_diff_mean": probabilityDifference(placed, read.logprobs),
    "training/skipped_steps": run.counters.skippedSteps,
    "actor/lr": config.actor.lr,
    "critic/lr": config.critic.lr,
    "timing_s/gen": gen,
    ...times,
    "timing_s/update_actor": clock(),
  };
  return { metrics, trajectories, tokens: tokenCount(placed) };
}

/** Plays fresh training levels with the current policy. */
function collect({ config, task, policy }: Run, update: number): AsyncGenerator<TrainerEvent, Trajectory[]> {
  const episodes = trainingEpisodes({
    seeds: TRAIN_SEEDS,
    runSeed: config.seed,
    update,
    count: config.rollout.train_batch_size,
    perLevel: config.rollout.n_trajectory,
  });
  const sampling = samplingOf(config, update);
  return withProgress(
    (done) => phase("ppo", update, "rollout", done, episodes.length),
    (onTrajectory) => rollout({ task, policy, episodes, parallel: policy.slots, sampling, onTrajectory }),
  );
}

/** A KL at sampled tokens needs the reference's log-probabilities; the exact one runs the reference in the step itself. */
const needsReference = ({ algorithm, actor }: RunConfig): boolean =>
  algorithm.use_kl_in_reward || (actor.use_kl_loss && actor.kl_loss_type !== "full");

/** Scores the batch and fills its advantages and returns; seconds of each part by veRL's names. */
async function estimate(
  { engine }: Run,
  config: RunConfig,
  placed: readonly Placed[],
  clock: () => number,
): Promise<Metrics> {
  uploadBatch(engine, placed);
  const temperature = trainingTemperature(config);
  const sequences = placed.map(({ sequence }) => sequence);
  // Work is only queued until the device has settled; without that, a time would be somebody else's.
  const settled = async () => {
    await engine.gpu.settle();
    return clock();
  };
  const isUnmasked = config.algorithm.adv_estimator === "gae";
  await engine.score(isUnmasked ? withAllRows(placed) : sequences, temperature);
  const times: Metrics = { "timing_s/old_log_prob": await settled() };
  if (needsReference(config)) {
    await engine.scoreReference(sequences, temperature);
    times["timing_s/ref"] = await settled();
  }
  await engine.advantages(advantageOptions(config), placed.length, tokenCount(placed));
  return { ...times, "timing_s/adv": await settled() };
}

/** Every minibatch of every epoch, one optimiser step each; returns their number. */
async function* optimise(
  run: Run,
  config: RunConfig,
  placed: readonly Placed[],
  update: number,
): AsyncGenerator<TrainerEvent, number> {
  const { seed, actor } = config;
  const sequences = placed.map(({ sequence }) => sequence);
  const order = rng(seed).fork("minibatches").fork(`${update}`);
  const minibatches = Array.from({ length: actor.ppo_epochs }, (_, epoch) =>
    chunks(order.fork(`${epoch}`).shuffle(sequences), actor.ppo_mini_batch_size),
  ).flat();
  run.engine.clearTotals();
  for (const [step, minibatch] of minibatches.entries()) {
    yield phase("ppo", update, "update", step, minibatches.length);
    await run.engine.step(minibatch, liveSettings(config, run.config));
  }
  return minibatches.length;
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** Numbers may change while the update runs; what was scored and compiled for it may not. */
function liveSettings(begun: RunConfig, now: RunConfig): StepSettings {
  const { kind, temperature } = ppoSettings(begun);
  return { ...ppoSettings(now), kind, temperature };
}

/**
 * Forward passes over the batch that the update costs: generation and scoring are one each, training is three, and an exact
 * KL runs the reference once more.
 */
function passes(config: RunConfig): number {
  const { use_kl_loss: useKl, kl_loss_type: type, ppo_epochs: epochs } = config.actor;
  const exact = useKl && type === "full";
  return 2 + (needsReference(config) ? 1 : 0) + epochs * (3 + (exact ? 1 : 0));
}

/** Mean |p(rollout) − p(training)| of sampled tokens: how far decoding and training disagree numerically. */
function probabilityDifference(placed: readonly Placed[], logprobs: Float32Array): number {
  let [sum, n] = [0, 0];
  for (const { trajectory, start } of placed) {
    trajectory.tokens.lossMask.forEach((m, t) => {
      if (!m) return;
      sum += Math.abs(
        Math.exp(trajectory.tokens.logprobs[t] as number) - Math.exp(logprobs[start + t] as number),
      );
      n++;
    });
  }
  return n ? sum / n : 0;
}
