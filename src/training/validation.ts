// Validation: success on levels that training never plays.
import { VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { isValidationDue } from "../config/run-length.ts";
import { evaluate } from "../eval/evaluate.ts";
import { episodeMetrics, underVal } from "../rl/metrics.ts";
import type { Stage, TrainingFact, ValidationReport } from "./events.ts";
import { withProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { metricOptions, phase, stopwatch } from "./update.ts";

/** Plays the validation levels, sampled at temperature 1 and greedily. Yields one of the sampled episodes, or all. */
export async function* validate(run: Run, stage: Stage, all = false): AsyncGenerator<TrainingFact> {
  const { evalTask: task, config, update } = run;
  const levels = config.trainer.val_size;
  const temperatures = [1, 0];
  const clock = stopwatch();
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
        // The judge's cost of these episodes is reported here, because no update may follow.
        measure: (trajectories) => ({
          ...episodeMetrics(trajectories, { ...metricOptions(run), split: "val" }),
          ...underVal(run.judgeSpent()),
        }),
        onTrajectory,
      }),
  );
  const seconds = clock();
  for (const evaluation of evaluations) {
    const { temperature, episodes, successes, interval, metrics, trajectories } = evaluation;
    // Set before the last report, so that a checkpoint saved at that report contains it.
    if (evaluation === evaluations.at(-1)) run.counters.validatedUpdate = update;
    const found = { temperature, episodes, successes, interval, metrics };
    const report: ValidationReport = { update, stage, seconds, ...found };
    yield { type: "validation", report };
    if (temperature === 0) continue;
    const at = update % trajectories.length;
    for (const trajectory of all ? trajectories : trajectories.slice(at, at + 1))
      yield { type: "trajectory", update, source: "validation", trajectory };
  }
}

/** Whether a validation is due after the last update and has not been made. */
export function isValidationMissing({ config, update, counters }: Run): boolean {
  return counters.validatedUpdate < update && isValidationDue(config, update);
}
