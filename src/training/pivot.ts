// PIVOT's teacher (arXiv 2609.35303): the policy itself reads its failed episodes again, after information on how they were lost.
// What it then finds likely of what was sampled is a constant of the loss.
import { pivotOf, pivotPrefix, randomPivot, withPrefix } from "../agent/pivot.ts";
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type Rng, rng } from "../core/rng.ts";
import { countMarked } from "../core/statistics.ts";
import { NO_TEACHER } from "../gpu/kernels/ppo-loss.ts";
import { readNamed } from "../gpu/read.ts";
import type { Sequence } from "../policy/wgsl/pack.ts";
import type { Metrics } from "../rl/metrics.ts";
import { pivotMetrics } from "../rl/pivot.ts";
import { type PackedTrajectory, targetPlaces, tokenCount } from "./batch.ts";
import { trainingTemperature } from "./hyperparameters.ts";
import type { Run } from "./run.ts";

/**
 * Scores the sampled tokens of the failed episodes with the teacher and gives its log-probabilities to the loss. After the
 * batch was scored. Resolves to the metrics of the term, at the policy that begins the update; empty without `actor.use_pivot`.
 * @param trained the trajectories of `packed` that are trained on.
 */
export async function teach(
  { engine, task }: Pick<Run, "engine" | "task">,
  config: RunConfig,
  packed: readonly PackedTrajectory[],
  trained: readonly PackedTrajectory[],
  update: number,
): Promise<Metrics> {
  const { use_pivot, pivot_beta } = config.actor;
  if (!use_pivot) return {};
  const random = rng(config.seed).fork("pivot").fork(`${update}`);
  const sequences = teacherSequences(trained, task, config, random);
  await engine.scoreNew(
    sequences.map(({ privileged }) => privileged),
    trainingTemperature(config),
  );
  const length = tokenCount(packed);
  const { batch } = engine.buffers;
  const read = await readNamed(engine.gpu, {
    teacher: { tensor: batch.newLogprobs, length },
    student: { tensor: batch.oldLogprobs, length },
  });
  const places = targetPlaces(sequences.map(({ plain }) => plain));
  const logprobs = new Float32Array(length).fill(NO_TEACHER);
  for (const place of places) logprobs[place] = read.teacher[place] as number;
  engine.setTeacher(logprobs);
  const taught = places.map((place) => ({
    teacher: read.teacher[place] as number,
    student: read.student[place] as number,
  }));
  const count = trained.reduce((sum, { lossMask }) => sum + countMarked(lossMask), 0);
  return pivotMetrics(taught, count, pivot_beta);
}

/** The sequences of failed episodes, as they are and as the teacher reads them. Only sampled tokens are targets. */
function teacherSequences(
  packed: readonly PackedTrajectory[],
  task: Task,
  { actor }: Pick<RunConfig, "actor">,
  random: Rng,
): { plain: Sequence; privileged: Sequence }[] {
  const known = new Map();
  return packed.flatMap(({ trajectory, sequences, start }) => {
    if (trajectory.success) return [];
    const loss =
      actor.pivot_step === "random"
        ? randomPivot(trajectory, random.fork(trajectory.id))
        : pivotOf(trajectory, task, known);
    const prefix = pivotPrefix(trajectory, loss, task, actor.pivot_prefix);
    return sequences.map((sequence) => {
      const from = sequence.batchStart - start;
      const sampled = trajectory.tokens.responseMask.subarray(from, from + sequence.ids.length);
      const plain = { ...sequence, targetMask: sampled };
      return { plain, privileged: withPrefix(plain, prefix, task) };
    });
  });
}
