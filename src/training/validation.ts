// Validation: success on levels of its own. Training plays none of them unless the configuration's seeds overlap, which a
// warning reports (warnings.ts).
import { validationSeeds } from "../config/levels.ts";
import { isValidationDue } from "../config/run-length.ts";
import { type Evaluation, evaluate } from "../eval/evaluate.ts";
import { type Metrics, underVal } from "../rl/metrics.ts";
import { sampleMetrics, turnCounts } from "../rl/samples-per-level.ts";
import type { Stage, TrainingFact, ValidationReport } from "./events.ts";
import { withProgress } from "./progress.ts";
import type { Run, ValidationSet } from "./run.ts";
import { phase, playedMetrics, stopwatch } from "./update.ts";

/**
 * Plays the validation levels, sampled and greedily. Yields one of the sampled episodes, or all; of the greedy ones where none
 * are sampled.
 */
export async function* validate(run: Run, stage: Stage, all = false): AsyncGenerator<TrainingFact> {
  const { config, update } = run;
  const clock = stopwatch();
  const seeds = validationSeeds(config);
  const own = yield* playSet(run, stage, { name: config.env.name, task: run.evalTask, seeds });
  const further: Evaluation[][] = [];
  const sets = run.evalSets;
  for (const set of sets) further.push(yield* playSet(run, stage, set));
  const evaluations = own.map((evaluation, i) => ({
    ...evaluation,
    metrics: Object.assign(
      { ...evaluation.metrics },
      ...further.map((set, k) => headlines(set[i]!, sets[k]!.name)),
    ),
  }));
  const seconds = clock();
  for (const evaluation of evaluations) {
    const { temperature, episodes, successes, interval, metrics, levels: sources, trajectories } = evaluation;
    // Set before the last report, so that a checkpoint saved at that report contains it.
    if (evaluation === evaluations.at(-1)) run.counters.validatedUpdate = update;
    const found = {
      temperature,
      episodes,
      successes,
      interval,
      metrics,
      ...(sources && { levels: sources }),
    };
    const report: ValidationReport = { update, stage, seconds, ...found };
    yield { type: "validation", report };
    if (evaluation !== evaluations[0]) continue;
    const at = update % trajectories.length;
    for (const trajectory of all ? trajectories : trajectories.slice(at, at + 1))
      yield { type: "trajectory", update, source: "validation", trajectory };
  }
}

/** Plays one set of levels at each temperature; greedily once, even if the sampled part is greedy. */
async function* playSet(
  run: Run,
  stage: Stage,
  { name, task, seeds }: ValidationSet,
): AsyncGenerator<TrainingFact, Evaluation[]> {
  const { config, update } = run;
  const { val_n: samples, val_temperature: sampled, val_top_p: topP, val_top_k: topK } = config.trainer;
  const plays = sampled > 0 ? samples + 1 : 1;
  return yield* withProgress(
    (done) => phase(stage, update, "validate", done, seeds.length * plays),
    (onTrajectory) =>
      evaluate(run.policy, {
        task,
        seeds,
        samples,
        temperatures: sampled > 0 ? [sampled, 0] : [0],
        sampling: {
          temperature: sampled,
          topP,
          topK,
          maxTokens: config.rollout.response_length,
          seed: config.seed >>> 0,
        },
        parallel: run.policy.slots,
        // The judge's cost of these episodes is reported here, because no update may follow.
        measure: (trajectories) => ({
          ...playedMetrics(run, trajectories, "val", task),
          ...sampleMetrics(trajectories, name),
          ...turnCounts(trajectories),
          ...underVal(run.judgeSpent()),
        }),
        onTrajectory,
      }),
  );
}

/** Of a further set only what its name is part of; its other numbers would hide those of the main levels. */
const headlines = ({ metrics, successes, episodes }: Evaluation, name: string): Metrics => ({
  ...Object.fromEntries(Object.entries(metrics).filter(([key]) => /^val-(core|aux)\/[^/]+\/.+@/.test(key))),
  [`val/success/${name}`]: successes / episodes,
});

/** Whether a validation is due after the last update and has not been made. */
export function isValidationMissing({ config, update, counters }: Run): boolean {
  return counters.validatedUpdate < update && isValidationDue(config, update);
}
