// The training loop. Read it top to bottom: SFT updates, then PPO updates; after an update, a validation if one is due. The
// updates themselves are in sft-update.ts and ppo-update.ts.
import { isCheckpointDue, sftUpdates, totalUpdates } from "../config/run-length.ts";
import type { Trajectory } from "../core/types.ts";
import type { Tensor } from "../gpu/memory.ts";
import { readNamed } from "../gpu/read.ts";
import { Collector } from "./collector.ts";
import { Demonstrations } from "./demonstrations.ts";
import { SHOWN_TRAJECTORIES, type Stage, type TrainingFact } from "./events.ts";
import { ppoUpdate } from "./ppo-update.ts";
import { checkRehearsal } from "./rehearsal.ts";
import type { Run } from "./run.ts";
import { endSftWhenRight } from "./sft-test.ts";
import { sftUpdate } from "./sft-update.ts";
import { type NonFiniteWatch, skippedSteps, watchNonFinite } from "./skipped-steps.ts";
import type { UpdateResult } from "./update.ts";
import { isValidationMissing, validate } from "./validation.ts";
import { watchUpdates } from "./watch-updates.ts";

/**
 * Trains until every update is done, or until `signal` aborts: then to the end of the update in progress. A validation in
 * progress ends within its present turn, and nothing of it is yielded. Nothing runs between two updates, so a caller pauses training by not
 * pulling.
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
    yield* trainFrom(await courseOf(run, collector, signal, episodes === "all"));
  } catch (error) {
    // A validation was cut. Any other error counts, even while the run stops.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    collector?.cancel();
  }
}

/** What training keeps from one update to the next. */
interface Course {
  readonly run: Run;
  readonly collector: Collector | null;
  readonly signal: AbortSignal;
  readonly demonstrations: Demonstrations;
  readonly warnings: ReturnType<typeof watchUpdates>;
  /** Yields all episodes of the policy, not a few of each update. */
  readonly all: boolean;
  /** Counts the skipped steps since the optimisers were reset. */
  watch: NonFiniteWatch;
}

const courseOf = async (
  run: Run,
  collector: Collector | null,
  signal: AbortSignal,
  all: boolean,
): Promise<Course> => ({
  run,
  collector,
  signal,
  all,
  watch: watchNonFinite(await skippedSoFar(run)),
  warnings: watchUpdates(run),
  demonstrations: new Demonstrations(run),
});

async function* trainFrom(course: Course): AsyncGenerator<TrainingFact> {
  const { run, signal, warnings } = course;
  await checkRehearsal(run);
  yield* stageEvents(run);
  yield* warnings.begin();
  // The run may have been stopped between an update and its validation.
  if (isValidationMissing(run)) yield* validation(course, "ppo");
  while (run.update < totalUpdates(run.config) && !signal.aborted) yield* nextUpdate(course);
  // The total may have been lowered to an update that is already done.
  if (!signal.aborted && isValidationMissing(run)) yield* validation(course, "ppo");
}

/** An update and what it reports, then the validation and the checkpoint that are due. */
async function* nextUpdate(course: Course): AsyncGenerator<TrainingFact> {
  const { run } = course;
  const update = run.update + 1;
  const stage: Stage = update <= sftUpdates(run.config) ? "warmup" : "ppo";
  if (stage === "ppo" && update === sftUpdates(run.config) + 1) yield* beginPpo(course);
  const started = performance.now();
  const result = yield* updateOf(course, stage, update);
  const stepMs = performance.now() - started;
  run.update = update;
  yield* reportUpdate(course, stage, result, stepMs);
  if (isValidationMissing(run)) yield* validation(course, stage);
  if (isCheckpointDue(run.config, update)) yield { type: "checkpoint_due", update };
}

const validation = ({ run, signal, all }: Course, stage: Stage) => validate(run, stage, signal, all);

const updateOf = ({ run, collector, demonstrations, watch }: Course, stage: Stage, update: number) =>
  stage === "warmup"
    ? sftUpdate(run, update, watch, demonstrations)
    : ppoUpdate(run, update, watch, collector);

/** Reports an update that `run.update` counts. */
function* reportUpdate(
  { run, warnings, all }: Course,
  stage: Stage,
  result: UpdateResult,
  stepMs: number,
): Generator<TrainingFact> {
  // Before the metrics, because the run may be stopped right after them.
  yield* trajectoryEvents(result, run.update, all && stage === "ppo");
  if (stage === "warmup") yield* endSftWhenRight(run, result.metrics);
  yield metricsEvent(run, stage, result, stepMs);
  yield* warnings.check(stage, result);
}

/** Steps that the optimisers have skipped since they were reset. */
async function skippedSoFar({ engine }: Run): Promise<number> {
  const { optimizerState, criticState } = engine.buffers;
  const whole = (tensor: Tensor) => ({ tensor, length: tensor.length });
  const states = { optimizer: whole(optimizerState), criticOptimizer: whole(criticState) };
  return skippedSteps(await readNamed(engine.gpu, states));
}

function* stageEvents({ config }: Run): Generator<TrainingFact> {
  const warmup = sftUpdates(config);
  if (warmup > 0) yield { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: warmup };
  yield { type: "stage", stage: "ppo", firstUpdate: warmup + 1, lastUpdate: totalUpdates(config) };
}

/** Begins PPO from the weights that SFT or a checkpoint left: copies them to the ref policy, resets Adam, validates. */
async function* beginPpo(course: Course): AsyncGenerator<TrainingFact> {
  const { run } = course;
  if (run.engine.options.refPolicy) run.engine.freezeRefPolicy();
  run.engine.resetOptimizer();
  // A run that was saved after this validation does not repeat it.
  if (run.counters.validatedUpdate < run.update) yield* validation(course, run.update > 0 ? "warmup" : "ppo");
  // Resetting the optimiser resets its count of skipped steps.
  course.watch = watchNonFinite(0);
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
