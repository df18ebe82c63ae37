// The training loop. Read it top to bottom: a supervised warm-up, then collect, advantage, optimise, validate.

import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { rollout } from "../agent/rollout.ts";
import { type RunConfig, TRAIN_SEEDS, VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { totalUpdates, warmupUpdates } from "../config/run-length.ts";
import { ConfigError } from "../core/errors.ts";
import { rng } from "../core/rng.ts";
import type { Trajectory } from "../core/types.ts";
import { evaluate } from "../eval/evaluate.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import type { StepSettings } from "../policy/wgsl/engine.ts";
import { trajectoryFlops } from "../policy/wgsl/flops.ts";
import { episodeMetrics, type Metrics } from "../rl/metrics.ts";
import { type Placed, placeTrajectories, tokenCount, uploadBatch, withAllRows } from "./batch.ts";
import type { Run } from "./build-run.ts";
import type { Phase, Stage, TrainerEvent, ValidationReport } from "./events.ts";
import { withProgress } from "./progress.ts";
import {
  advantageOptions,
  ppoSettings,
  samplingOf,
  trainingTemperature,
  warmupAdvantages,
  warmupSettings,
} from "./settings.ts";
import {
  fillTrajectories,
  imitationMetrics,
  klInRewardMetrics,
  type NonFiniteWatch,
  ppoMetrics,
  readUpdate,
  watchNonFinite,
} from "./update-report.ts";

/** Trajectories of each update that are told about, with their token values. */
const SHOWN_TRAJECTORIES = 3;

/** What one update hands to the loop. */
interface UpdateResult {
  metrics: Metrics;
  trajectories: Trajectory[];
  tokens: number;
}

/**
 * Trains until every update is done or `signal` aborts; the update that runs then is finished. One event at a time: not pulling is pausing.
 * A `checkpoint` event asks the caller to save; its name and size are for the caller to fill in.
 * @throws PolicyError("non_finite"), GpuError; the run can then be rebuilt from its last checkpoint.
 */
export async function* train(run: Run, signal: AbortSignal): AsyncGenerator<TrainerEvent> {
  const { optimizerState } = run.engine.buffers;
  const skippedBefore = (await run.engine.readFlat(optimizerState))[OPTIMIZER_STATE.skipped] as number;
  const watch = watchNonFinite(skippedBefore);
  yield startedEvent(run);
  yield* stageEvents(run);
  // A run that was stopped between an update and its validation still owes it.
  if (owesValidation(run)) yield* validate(run, "ppo");
  while (run.update < totalUpdates(run.config) && !signal.aborted) {
    const update = run.update + 1;
    const stage: Stage = update <= warmupUpdates(run.config) ? "warmup" : "ppo";
    if (stage === "ppo" && update === warmupUpdates(run.config) + 1) yield* beginPpo(run);
    const started = performance.now();
    const result =
      stage === "warmup" ? yield* warmupUpdate(run, update, watch) : yield* ppoUpdate(run, update, watch);
    const stepMs = performance.now() - started;
    run.update = update;
    // Before the metrics: an update that a run is stopped after is one whose episodes can be read.
    for (const trajectory of shown(result.trajectories, update))
      yield { type: "trajectory", update, source: "train", trajectory };
    yield metricsEvent(run, stage, result, stepMs);
    if (owesValidation(run)) yield* validate(run, stage);
    if (isCheckpointDue(run, update)) yield { type: "checkpoint", update, bytes: 0, name: "" };
  }
  yield { type: "run_finished", update: run.update, reason: signal.aborted ? "stopped" : "completed" };
}

function startedEvent(run: Run): TrainerEvent {
  const { runId, config, device, memory, update } = run;
  return {
    type: "run_started",
    runId,
    config,
    device,
    memory,
    update,
    totalUpdates: totalUpdates(config),
    time: Date.now(),
  };
}

function* stageEvents({ config }: Run): Generator<TrainerEvent> {
  const warmup = warmupUpdates(config);
  if (warmup > 0) yield { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: warmup };
  yield { type: "stage", stage: "ppo", firstUpdate: warmup + 1, lastUpdate: totalUpdates(config) };
}

const phase = (stage: Stage, update: number, name: Phase, done = 0, of = 1): TrainerEvent => ({
  type: "phase",
  stage,
  update,
  phase: name,
  done,
  of,
});

/** PPO starts from what the warm-up (or a checkpoint) left: freeze it as the reference, forget Adam's moments, measure. */
async function* beginPpo(run: Run): AsyncGenerator<TrainerEvent> {
  if (run.engine.options.reference) run.engine.copyPolicyToReference();
  run.engine.resetOptimizer();
  // A run that was saved after this validation has made it.
  if (run.update === 0 || run.counters.validatedUpdate < run.update)
    yield* validate(run, run.update > 0 ? "warmup" : "ppo");
}

/** One supervised update on fresh demonstrations. */
async function* warmupUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
): AsyncGenerator<TrainerEvent, UpdateResult> {
  const { engine, config, task } = run;
  const { sft } = config;
  yield phase("warmup", update, "rollout");
  const clock = stopwatch();
  const trajectories = await demonstrationBatch({
    task,
    episodes: trainingEpisodes({
      seeds: TRAIN_SEEDS,
      runSeed: config.seed,
      update,
      count: sft.train_batch_size,
      perLevel: 1,
    }),
    skill: { randomFraction: sft.random_fraction, expertFraction: sft.expert_fraction },
    oneTurn: update <= sft.one_turn_updates,
    seed: config.seed,
  });
  const episodes = episodeMetrics(trajectories, metricOptions(run));
  checkReplyLength(episodes["response_length/max"] ?? 0, config);
  const placed = placeTrajectories(trajectories);
  const gen = clock();
  yield phase("warmup", update, "update");
  uploadBatch(engine, placed);
  await engine.advantages(warmupAdvantages(config), placed.length, tokenCount(placed));
  engine.clearTotals();
  await engine.step(
    placed.map(({ sequence }) => sequence),
    warmupSettings(config, update),
  );
  const read = await readUpdate(engine, placed, { reference: false, klInReward: false });
  const rows = rowCount(placed);
  const skipped = watch(read, "sft.lr");
  count(run, placed, 1, skipped, 3 * flopsOf(run, placed));
  const metrics = {
    ...imitationMetrics(read, rows),
    ...episodes,
    "timing_s/gen": gen,
    "timing_s/update_actor": clock(),
    "training/skipped_steps": run.counters.skippedSteps,
  };
  return {
    metrics: { ...metrics, "actor/lr": warmupSettings(config, update).actorLr },
    trajectories,
    tokens: tokenCount(placed),
  };
}

/** Replies that PPO would always cut must not be taught. @throws ConfigError */
function checkReplyLength(longest: number, { rollout: { response_length: limit } }: RunConfig): void {
  if (longest <= limit) return;
  throw new ConfigError(
    "invalid_config",
    `rollout.response_length is ${limit}, but a demonstrated reply has ${longest} tokens.`,
    `Use at least ${longest}, or a shorter rollout.prompt_format.`,
  );
}

/** One PPO update: collect with the current policy, estimate advantages, optimise. */
async function* ppoUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
): AsyncGenerator<TrainerEvent, UpdateResult> {
  const { engine, config, task } = run;
  const { rollout: collect, algorithm, actor } = config;
  const clock = stopwatch();
  const episodes = trainingEpisodes({
    seeds: TRAIN_SEEDS,
    runSeed: config.seed,
    update,
    count: collect.train_batch_size,
    perLevel: collect.n_trajectory,
  });
  const trajectories = yield* withProgress(
    (done) => phase("ppo", update, "rollout", done, episodes.length),
    (onTrajectory) =>
      rollout({
        task,
        policy: run.policy,
        episodes,
        parallel: run.policy.slots,
        sampling: samplingOf(config, update),
        onTrajectory,
      }),
  );
  const placed = placeTrajectories(trajectories);
  const gen = clock();

  yield phase("ppo", update, "advantage");
  uploadBatch(engine, placed);
  const temperature = trainingTemperature(config);
  const sequences = placed.map(({ sequence }) => sequence);
  // Work is only queued until the device has settled; without that, a time would be somebody else's.
  const settled = async () => {
    await engine.gpu.settle();
    return clock();
  };
  await engine.score(algorithm.adv_estimator === "gae" ? withAllRows(placed) : sequences, temperature);
  const scoring = await settled();
  const needsReference = algorithm.use_kl_in_reward || (actor.use_kl_loss && actor.kl_loss_type !== "full");
  if (needsReference) await engine.scoreReference(sequences, temperature);
  const reference = needsReference ? { "timing_s/ref": await settled() } : {};
  await engine.advantages(advantageOptions(config), placed.length, tokenCount(placed));
  const adv = await settled();

  engine.clearTotals();
  const stepCount = actor.ppo_epochs * Math.ceil(sequences.length / actor.ppo_mini_batch_size);
  let steps = 0;
  for (let epoch = 0; epoch < actor.ppo_epochs; epoch++) {
    for (const minibatch of minibatches(config, sequences, update, epoch)) {
      yield phase("ppo", update, "update", steps, stepCount);
      await engine.step(minibatch, liveSettings(config, run.config));
      steps++;
    }
  }
  const read = await readUpdate(engine, placed, {
    reference: needsReference,
    klInReward: algorithm.use_kl_in_reward,
  });
  fillTrajectories(placed, read);
  const skipped = watch(read, "actor.lr");
  const forward = flopsOf(run, placed);
  // Generation and scoring are one forward pass each, training is three, an exact KL runs the reference once more.
  const passes =
    2 +
    (needsReference ? 1 : 0) +
    actor.ppo_epochs * (3 + (actor.use_kl_loss && actor.kl_loss_type === "full" ? 1 : 0));
  count(run, placed, steps, skipped, passes * forward);
  const metrics: Metrics = {
    ...episodeMetrics(trajectories, metricOptions(run)),
    ...ppoMetrics(placed, read, rowCount(placed) * actor.ppo_epochs),
    ...klInRewardMetrics(placed, algorithm.kl_coef),
    "training/rollout_probs_diff_mean": probabilityDifference(placed, read.logprobs),
    "training/skipped_steps": run.counters.skippedSteps,
    "actor/lr": actor.lr,
    "critic/lr": config.critic.lr,
    "timing_s/gen": gen,
    "timing_s/old_log_prob": scoring,
    ...reference,
    "timing_s/adv": adv,
    "timing_s/update_actor": clock(),
  };
  return { metrics, trajectories, tokens: tokenCount(placed) };
}

/** Numbers may change while the update runs; what was scored and compiled for it may not. */
function liveSettings(begun: RunConfig, now: RunConfig): StepSettings {
  const { kind, temperature } = ppoSettings(begun);
  return { ...ppoSettings(now), kind, temperature };
}

/** Shuffled minibatches of `ppo_mini_batch_size` episodes; the order follows from seed, update and epoch. */
function minibatches<T>(
  { seed, actor }: RunConfig,
  items: readonly T[],
  update: number,
  epoch: number,
): T[][] {
  const shuffled = rng(seed).fork("minibatches").fork(`${update}`).fork(`${epoch}`).shuffle(items);
  const size = actor.ppo_mini_batch_size;
  return Array.from({ length: Math.ceil(shuffled.length / size) }, (_, i) =>
    shuffled.slice(i * size, (i + 1) * size),
  );
}

/** Plays the validation levels, sampled at temperature 1 and greedily. */
async function* validate(run: Run, stage: Stage): AsyncGenerator<TrainerEvent> {
  const { task, config, update } = run;
  const levels = config.trainer.val_size;
  const temperatures = [1, 0];
  const evaluations = yield* withProgress(
    (done) => phase(stage, update, "validate", done, levels * temperatures.length),
    (onTrajectory) =>
      evaluate(run.policy, {
        task,
        firstSeed: VALIDATION_FIRST_SEED,
        levels,
        temperatures,
        sampling: {
          temperature: 1,
          topP: 1,
          topK: 0,
          maxTokens: config.rollout.response_length,
          seed: config.seed >>> 0,
        },
        parallel: run.policy.slots,
        measure: (trajectories) => episodeMetrics(trajectories, { ...metricOptions(run), split: "val" }),
        onTrajectory,
      }),
  );
  for (const evaluation of evaluations) {
    const { temperature, episodes, successes, interval, metrics, trajectories } = evaluation;
    // Before the last report: whoever saves when it comes saves a run that owes nothing.
    if (evaluation === evaluations.at(-1)) run.counters.validatedUpdate = update;
    const report: ValidationReport = { update, stage, temperature, episodes, successes, interval, metrics };
    yield { type: "validation", report };
    const sample = trajectories[update % trajectories.length];
    if (temperature > 0 && sample)
      yield { type: "trajectory", update, source: "validation", trajectory: sample };
  }
}

/** Whether the update that is done is one that is followed by a validation, and none was made. */
function owesValidation({ config, update, counters }: Run): boolean {
  const done = update - warmupUpdates(config);
  if (done <= 0 || counters.validatedUpdate >= update) return false;
  const { test_freq: every } = config.trainer;
  return update === totalUpdates(config) || (every > 0 && done % every === 0);
}

const isCheckpointDue = ({ config }: Run, update: number): boolean =>
  update % config.trainer.save_freq === 0 ||
  update === totalUpdates(config) ||
  update === warmupUpdates(config);

function shown(trajectories: readonly Trajectory[], update: number): Trajectory[] {
  const wanted = [
    trajectories.find((t) => t.success),
    trajectories.find((t) => !t.success),
    trajectories[update % Math.max(1, trajectories.length)],
  ];
  return [...new Set(wanted.filter((t): t is Trajectory => t !== undefined))].slice(0, SHOWN_TRAJECTORIES);
}

const metricOptions = ({ config }: Run) => ({ maxReplyTokens: config.rollout.response_length });

const rowCount = (placed: readonly Placed[]) =>
  placed.reduce((sum, { trajectory }) => sum + trajectory.tokens.lossMask.reduce((s, m) => s + m, 0), 0);

function flopsOf({ engine }: Run, placed: readonly Placed[]): number {
  const lengths = placed.map(({ sequence }) => sequence.ids.length);
  const imageTokenCount = placed.reduce(
    (sum, { sequence }) => sum + sequence.imagePatch.filter((p) => p >= 0).length,
    0,
  );
  return trajectoryFlops(engine.architecture, lengths, rowCount(placed), imageTokenCount);
}

function count(
  { counters }: Run,
  placed: readonly Placed[],
  steps: number,
  skipped: number,
  flops: number,
): void {
  counters.tokens += tokenCount(placed);
  counters.episodes += placed.length;
  counters.optimizerSteps += steps;
  counters.skippedSteps += skipped;
  counters.flops += flops;
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

function metricsEvent(
  run: Run,
  stage: Stage,
  { metrics, tokens }: UpdateResult,
  stepMs: number,
): TrainerEvent {
  const { counters } = run;
  counters.wallMs += stepMs;
  const values = {
    ...metrics,
    "timing_s/step": stepMs / 1000,
    "perf/throughput": tokens / (stepMs / 1000),
    "perf/tflop": counters.flops / 1e12,
  };
  return {
    type: "metrics",
    stage,
    update: run.update,
    values,
    tokens: counters.tokens,
    episodes: counters.episodes,
    wallMs: counters.wallMs,
  };
}

/** Seconds since the last call. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - last) / 1000;
    last = now;
    return seconds;
  };
}
