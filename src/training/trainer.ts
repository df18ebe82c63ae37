// The training loop. Read it top to bottom: a supervised warm-up, then PPO; after an update what is due, a validation or a
// checkpoint. The updates themselves are in warmup-update.ts and ppo-update.ts.
import { isCheckpointDue, totalUpdates, warmupUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import type { Stage, TrainerEvent } from "./events.ts";
import { SHOWN_TRAJECTORIES } from "./events.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { warmupUpdate } from "./sft-update.ts";
import type { UpdateResult } from "./update.ts";
import { watchNonFinite } from "./update-report.ts";
import { owesValidation, validate } from "./validation.ts";
import { watchJudge, watchReplies } from "./warnings.ts";

/**
 * Trains until every update is done or `signal` aborts; the update that runs then is finished. One event at a time: not pulling is pausing.
 * A `checkpoint` event asks the caller to save; its name and size are for the caller to fill in.
 * @param episodes which of those that the policy plays are told; a few of each update to look at, or all.
 * @throws PolicyError("non_finite"), GpuError; the run can then be rebuilt from its last checkpoint.
 */
export async function* train(
  run: Run,
  signal: AbortSignal,
  episodes: "sample" | "all" = "sample",
): AsyncGenerator<TrainerEvent> {
  const all = episodes === "all";
  const { optimizerState } = run.engine.buffers;
  const skippedBefore = (await run.engine.readFlat(optimizerState))[OPTIMIZER_STATE.skipped] as number;
  let watch = watchNonFinite(skippedBefore);
  const judgeFailures = watchJudge();
  const cutReplies = watchReplies();
  yield startedEvent(run);
  yield* stageEvents(run);
  // A run that was stopped between an update and its validation still owes it.
  if (owesValidation(run)) yield* validate(run, "ppo", all);
  while (run.update < totalUpdates(run.config) && !signal.aborted) {
    const update = run.update + 1;
    const stage: Stage = update <= warmupUpdates(run.config) ? "warmup" : "ppo";
    if (stage === "ppo" && update === warmupUpdates(run.config) + 1) {
      yield* beginPpo(run, all);
      // The optimiser begins anew, and its count with it.
      watch = watchNonFinite(0);
    }
    const started = performance.now();
    const result = yield* (stage === "warmup" ? warmupUpdate : ppoUpdate)(run, update, watch);
    const stepMs = performance.now() - started;
    run.update = update;
    // Before the metrics: an update that a run is stopped after is one whose episodes can be read.
    const { trajectories } = result;
    for (const trajectory of all && stage === "ppo" ? trajectories : shown(trajectories, update))
      yield { type: "trajectory", update, source: "train", trajectory };
    yield metricsEvent(run, stage, result, stepMs);
    yield* judgeFailures(trajectories, update);
    // Demonstrations are as long as they are meant to be.
    if (stage === "ppo") yield* cutReplies(result.metrics, run.config, update);
    if (owesValidation(run)) yield* validate(run, stage, all);
    if (isCheckpointDue(run.config, update)) yield { type: "checkpoint", update, bytes: 0, name: "" };
  }
  // The total may have been lowered after an update that had not been the last.
  if (!signal.aborted && owesValidation(run)) yield* validate(run, "ppo", all);
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

/** PPO starts from what the warm-up (or a checkpoint) left: freeze it as the reference, forget Adam's moments, measure. */
async function* beginPpo(run: Run, all: boolean): AsyncGenerator<TrainerEvent> {
  if (run.engine.options.reference) run.engine.copyPolicyToReference();
  run.engine.resetOptimizer();
  // A run that was saved after this validation has made it.
  if (run.update === 0 || run.counters.validatedUpdate < run.update)
    yield* validate(run, run.update > 0 ? "warmup" : "ppo", all);
}

function shown(trajectories: readonly Trajectory[], update: number): Trajectory[] {
  const wanted = [
    trajectories.find((t) => t.success),
    trajectories.find((t) => !t.success),
    trajectories[update % Math.max(1, trajectories.length)],
  ];
  return [...new Set(wanted.filter((t): t is Trajectory => t !== undefined))].slice(0, SHOWN_TRAJECTORIES);
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
