// The training loop. Read it top to bottom: SFT updates, then PPO updates; after an update, a validation if one is due. The
// updates themselves are in sft-update.ts and ppo-update.ts.
import { isCheckpointDue, sftUpdates, totalUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import { Collector } from "./collector.ts";
import { Demonstrations } from "./demonstrations.ts";
import { SHOWN_TRAJECTORIES, type Stage, type TrainingFact } from "./events.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { endSftWhenRight } from "./sft-test.ts";
import { sftUpdate } from "./sft-update.ts";
import { skippedSteps, watchNonFinite } from "./skipped-steps.ts";
import type { UpdateResult } from "./update.ts";
import { isValidationMissing, validate } from "./validation.ts";
import { watchUpdates } from "./watch-updates.ts";

/**
 * Trains until every update is done, or until the end of the update in which `signal` aborts. Nothing runs between two
 * updates, so a caller pauses training by not pulling.
 * @param episodes which of the policy's episodes to yield: a few of each update, or all.
 * @throws PolicyError("non_finite"), GpuError; the run can then be rebuilt from its last checkpoint.
 */
export async function* train(
  run: Run,
  signal: AbortSignal,
  episodes: "sample" | "all" = "sample",
): AsyncGenerator<TrainingFact> {
  const collector = Collector.of(run);
  try {
    yield* trainWith(run, collector, signal, episodes === "all");
  } finally {
    collector?.cancel();
  }
}

async function* trainWith(
  run: Run,
  collector: Collector | null,
  signal: AbortSignal,
  all: boolean,
): AsyncGenerator<TrainingFact> {
  let watch = watchNonFinite(await skippedSoFar(run));
  const warnings = watchUpdates(run);
  const demonstrations = new Demonstrations(run);
  yield* stageEvents(run);
  yield* warnings.begin();
  // The run may have been stopped between an update and its validation.
  if (isValidationMissing(run)) yield* validate(run, "ppo", all);
  while (run.update < totalUpdates(run.config) && !signal.aborted) {
    const update = run.update + 1;
    const stage: Stage = update <= sftUpdates(run.config) ? "warmup" : "ppo";
    if (stage === "ppo" && update === sftUpdates(run.config) + 1) {
      yield* beginPpo(run, all);
      // Resetting the optimiser resets its count of skipped steps.
      watch = watchNonFinite(0);
    }
    const started = performance.now();
    const result = yield* stage === "warmup"
      ? sftUpdate(run, update, watch, demonstrations)
      : ppoUpdate(run, update, watch, collector);
    const stepMs = performance.now() - started;
    run.update = update;
    // Before the metrics, because the run may be stopped right after them.
    yield* trajectoryEvents(result, update, all && stage === "ppo");
    if (stage === "warmup") yield* endSftWhenRight(run, result.metrics);
    yield metricsEvent(run, stage, result, stepMs);
    yield* warnings.check(stage, result);
    if (isValidationMissing(run)) yield* validate(run, stage, all);
    if (isCheckpointDue(run.config, update)) yield { type: "checkpoint_due", update };
  }
  // The total may have been lowered to an update that is already done.
  if (!signal.aborted && isValidationMissing(run)) yield* validate(run, "ppo", all);
}

/** Steps that the optimisers have skipped since they were reset. */
async function skippedSoFar({ engine }: Run): Promise<number> {
  const { optimizerState, criticState } = engine.buffers;
  const optimizer = await engine.readFlat(optimizerState);
  const criticOptimizer = await engine.readFlat(criticState);
  return skippedSteps({ optimizer, criticOptimizer });
}

function* stageEvents({ config }: Run): Generator<TrainingFact> {
  const warmup = sftUpdates(config);
  if (warmup > 0) yield { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: warmup };
  yield { type: "stage", stage: "ppo", firstUpdate: warmup + 1, lastUpdate: totalUpdates(config) };
}

/** Begins PPO from the weights that SFT or a checkpoint left: copies them to the ref policy, resets Adam, validates. */
async function* beginPpo(run: Run, all: boolean): AsyncGenerator<TrainingFact> {
  if (run.engine.options.refPolicy) run.engine.freezeRefPolicy();
  run.engine.resetOptimizer();
  // A run that was saved after this validation does not repeat it.
  if (run.update === 0 || run.counters.validatedUpdate < run.update)
    yield* validate(run, run.update > 0 ? "warmup" : "ppo", all);
}

function* trajectoryEvents(
  { trajectories }: UpdateResult,
  update: number,
  all: boolean,
): Generator<TrainingFact> {
  for (const trajectory of all ? trajectories : sampled(trajectories, update))
    yield { type: "trajectory", update, source: "train", trajectory };
}

/** A few episodes to look at: a success, a failure, and one that changes with the update. */
function sampled(trajectories: readonly Trajectory[], update: number): Trajectory[] {
  const candidates = [
    trajectories.find((t) => t.success),
    trajectories.find((t) => !t.success),
    trajectories[update % Math.max(1, trajectories.length)],
  ];
  return [...new Set(candidates.filter((t): t is Trajectory => t !== undefined))].slice(
    0,
    SHOWN_TRAJECTORIES,
  );
}

function metricsEvent(
  run: Run,
  stage: Stage,
  { metrics, tokens }: UpdateResult,
  stepMs: number,
): TrainingFact {
  const { counters } = run;
  counters.wallMs += stepMs;
  const values = {
    ...metrics,
    ...run.judgeSpent(),
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
