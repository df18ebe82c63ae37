// An update of the first stage: imitate fresh demonstrations.
import { decisionTokens, factTokens } from "../agent/decision-tokens.ts";
import { misreadTokens } from "../agent/misread-tokens.ts";
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { flopsOfPasses, TRAINING_PASSES } from "../policy/wgsl/flops.ts";
import type { StepSettings } from "../policy/wgsl/step-settings.ts";
import { estimators } from "../rl/advantage/index.ts";
import { episodeMetrics, type Metrics } from "../rl/metrics.ts";
import { estimateAdvantages } from "./advantages.ts";
import { type PackedTrajectory, sequencesOf, tokenCount } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import { type Demonstrations, packDemonstrations } from "./demonstrations.ts";
import type { TrainingFact } from "./events.ts";
import { sftAdvantages, sftSettings } from "./hyperparameters.ts";
import { weighMarked } from "./loss-weights.ts";
import type { Run } from "./run.ts";
import { testSft } from "./sft-test.ts";
import type { NonFiniteWatch } from "./skipped-steps.ts";
import { count, flopsOf, metricOptions, phase, stopwatch, type UpdateResult } from "./update.ts";
import { sftMetrics } from "./update-metrics.ts";
import { readUpdate, type UpdateReadback } from "./update-readback.ts";
import { teachable, usableEpisodes } from "./usable.ts";

/** One supervised update on fresh demonstrations. While the GPU works, those of the next update are made. */
export async function* sftUpdate(
  run: Run,
  update: number,
  watch: NonFiniteWatch,
  demonstrations: Demonstrations,
): AsyncGenerator<TrainingFact, UpdateResult> {
  // A setting that changes during the update counts from the next one on.
  const { config } = run;
  const settings = sftSettings(config, update);
  yield phase("warmup", update, "rollout");
  const clock = stopwatch();
  const lesson = lessonOf(run, config, await demonstrations.take(update));
  const gen = clock();
  yield phase("warmup", update, "update");
  await step(run.engine, lesson.packed, config, settings);
  demonstrations.prepare(update + 1);
  const read = await readBack(run, lesson, watch);
  const trained = clock();
  const metrics = {
    ...sftMetrics(lesson.packed, read),
    ...(yield* testSft(run, update)),
    ...lesson.metrics,
    "timing_s/gen": gen,
    "timing_s/update_actor": trained,
    "training/skipped_steps": run.counters.skippedSteps,
    "actor/lr": settings.actorLr,
  };
  return { metrics, trajectories: lesson.usable, tokens: tokenCount(lesson.packed) };
}

/** Demonstrations as an update learns from them. */
interface Lesson {
  /** The demonstrations that are not left out. */
  usable: Trajectory[];
  packed: PackedTrajectory[];
  /** Of all demonstrations. */
  metrics: Metrics;
}

/** @throws ConfigError for a demonstrated summary that is cut off. */
function lessonOf(run: Run, config: RunConfig, trajectories: Trajectory[]): Lesson {
  const metrics = episodeMetrics(trajectories, metricOptions(run));
  checkSummaries(trajectories, run.demoTask);
  const taught = teachable(trajectories, config.rollout.response_length);
  const usable = usableEpisodes(taught);
  const tooLong = 1 - taught.length / trajectories.length;
  const packed = packLesson(usable, config, run.demoTask);
  return { usable, packed, metrics: { ...metrics, "sft/too_long": tooLong } };
}

/** Packs demonstrations, with the weights of their tokens. */
function packLesson(
  usable: readonly Trajectory[],
  config: RunConfig,
  { vocabulary }: Task,
): PackedTrajectory[] {
  const { misread_fraction: misread, decision_weight, fact_weight } = config.sft;
  const packed = packDemonstrations(usable, config, misread > 0 ? misreadTokens : undefined);
  weighMarked(packed, [
    { factor: decision_weight, marksOf: (one) => decisionTokens(one, vocabulary) },
    { factor: fact_weight, marksOf: (one) => factTokens(one, vocabulary) },
  ]);
  return packed;
}

/** Computes the returns that the critic learns from, and takes one optimiser step. */
async function step(
  engine: Engine,
  packed: PackedTrajectory[],
  config: RunConfig,
  settings: StepSettings,
): Promise<void> {
  uploadBatch(engine, packed);
  const estimator = estimators.get(config.algorithm.adv_estimator);
  const unscored = { scored: false, everyToken: false, refPolicy: false };
  await estimateAdvantages(engine, estimator, packed, sftAdvantages(config), unscored);
  engine.clearTotals();
  await engine.step(sequencesOf(packed), settings);
}

/** Waits for the step, and counts what it did. */
async function readBack(
  run: Run,
  { packed, usable }: Lesson,
  watch: NonFiniteWatch,
): Promise<UpdateReadback> {
  const read = await readUpdate(run.engine, packed, { refPolicy: false, klInReward: false });
  const flops = flopsOfPasses(TRAINING_PASSES, flopsOf(run, packed));
  count(run, packed, usable.length, 1, watch(read, "sft.lr"), flops);
  return read;
}

/** Demonstrated summaries must be whole: PPO would have to write what SFT never showed. @throws ConfigError */
function checkSummaries(trajectories: readonly Trajectory[], { layout, vocabulary }: Task): void {
  const isCut = ({ tokens }: Trajectory) =>
    (tokens.sequences ?? []).some(
      ({ summaryFrom, to }) => summaryFrom !== undefined && tokens.ids[to - 1] !== vocabulary.eos,
    );
  if (layout?.kind !== "compact" || !trajectories.some(isCut)) return;
  throw new ConfigError(
    "invalid_config",
    message`A demonstrated summary does not fit into ${layout.maxSummary} tokens.`,
    message`Raise ${setting("trainer.compact_summary_budget")}, or choose a shorter ${setting("rollout.state_format")}.`,
  );
}
