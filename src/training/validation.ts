// Validation: success on levels of its own. Training plays none of them unless the configuration's seeds overlap, which a
// warning reports (warnings.ts).
import type { RolloutOptions } from "../agent/rollout.ts";
import { validationSeeds } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import { isValidationDue } from "../config/run-length.ts";
import { type Evaluation, evaluate } from "../eval/evaluate.ts";
import { BILL } from "../judge/llm/bill.ts";
import { type Metrics, underVal } from "../rl/metrics.ts";
import { sampleMetrics, turnCounts } from "../rl/samples-per-level.ts";
import type { Stage, SuccessCount, TrainingFact, ValidationReport } from "./events.ts";
import { withProgress } from "./progress.ts";
import type { Run, ValidationSet } from "./run.ts";
import { phase, playedMetrics, stopwatch } from "./update.ts";

/**
 * Plays the validation levels, sampled and greedily. Yields one of the sampled episodes, or all (of the greedy ones where none
 * are sampled), and then the validation.
 * @throws the signal's reason when aborted; nothing of the validation is yielded then.
 */
export async function* validate(
  run: Run,
  stage: Stage,
  signal: AbortSignal,
  all = false,
): AsyncGenerator<TrainingFact> {
  // Read once: a change of settings that arrives meanwhile is for the next validation.
  const { config, update, counters } = run;
  const clock = stopwatch();
  const own = { name: config.env.name, task: run.evalTask, seeds: validationSeeds(config) };
  const plan = { config, stage, sets: [own, ...run.evalSets], signal };
  const [main, ...further] = yield* playSets(run, plan);
  const seconds = clock();
  const { trajectories } = main!.evaluations[0]!;
  const at = update % trajectories.length;
  // Before the validation, because the run may be stopped or paused right after it.
  for (const trajectory of all ? trajectories : trajectories.slice(at, at + 1))
    yield { type: "trajectory", update, source: "validation", trajectory };
  // Set before the validation is yielded, so that a checkpoint saved then contains it.
  counters.validatedUpdate = update;
  const expected = update === 0 ? run.expected?.(config) : undefined;
  const reports = main!.evaluations.map((evaluation, i) => {
    const others = further.map(({ name, evaluations }) => [name, evaluations[i]!] as const);
    // What is expected is of sampled episodes, which come first.
    return {
      update,
      stage,
      seconds,
      ...resultOf(evaluation, others),
      ...samplesOf(config, evaluation),
      ...(expected && i === 0 && { expected }),
    };
  });
  yield { type: "validation", reports };
}

interface Plan {
  config: RunConfig;
  stage: Stage;
  sets: readonly ValidationSet[];
  signal: AbortSignal;
}

/** The results of a set, one for each temperature. */
interface PlayedSet {
  name: string;
  evaluations: readonly Evaluation[];
}

/** Plays sets of levels one after another. Their progress is counted over all of them. */
function playSets(
  run: Run,
  { config, stage, sets, signal }: Plan,
): AsyncGenerator<TrainingFact, PlayedSet[]> {
  const plays = playsOfLevel(config);
  const episodes = sets.reduce((sum, { seeds }) => sum + seeds.length * plays, 0);
  return withProgress(
    (done) => phase(stage, run.update, "validate", done, episodes),
    async (onTrajectory) => {
      const played: PlayedSet[] = [];
      for (const set of sets) {
        const evaluations = await playSet(run, config, set, { signal, onTrajectory });
        played.push({ name: set.name, evaluations });
      }
      return played;
    },
  );
}

/** How often a level is played: greedily once, even if the sampled part is greedy. */
const playsOfLevel = ({ trainer: { val_n, val_temperature } }: RunConfig): number =>
  val_temperature > 0 ? val_n + 1 : 1;

/** How often each level was played at a temperature, if several times. */
const samplesOf = ({ trainer }: RunConfig, { temperature }: Evaluation): Pick<ValidationReport, "samples"> =>
  temperature > 0 && trainer.val_n > 1 ? { samples: trainer.val_n } : {};

/** Plays a set of levels at each temperature. */
function playSet(
  run: Run,
  config: RunConfig,
  { name, task, seeds }: ValidationSet,
  watch: Required<Pick<RolloutOptions, "signal" | "onTrajectory">>,
): Promise<Evaluation[]> {
  const { policy } = run;
  const { val_n: samples, val_temperature: temperature, val_top_p: topP, val_top_k: topK } = config.trainer;
  const maxTokens = config.rollout.response_length;
  return evaluate(policy, {
    ...watch,
    task,
    seeds,
    samples,
    temperatures: temperature > 0 ? [temperature, 0] : [0],
    sampling: { temperature, topP, topK, maxTokens, seed: config.seed >>> 0 },
    parallel: policy.slots,
    // The judge's cost of these episodes is reported here, because no update may follow.
    measure: (trajectories) => ({
      ...playedMetrics(run, trajectories, "val", task),
      ...sampleMetrics(trajectories, name),
      ...turnCounts(trajectories),
      ...underVal(run.judgeSpent()),
    }),
  });
}

/** A further set's results at one temperature, with its name. */
type Further = readonly [name: string, Evaluation];

/** What is reported of the main levels and of the further sets at one temperature. */
function resultOf(
  main: Evaluation,
  further: readonly Further[],
): Omit<ValidationReport, "update" | "stage" | "seconds" | "samples"> {
  const { temperature, levels } = main;
  const metrics = Object.assign({ ...main.metrics }, billOver(main, further), ...further.map(headlinesOf));
  const counts = further.map(([name, evaluation]) => [name, countOf(evaluation)]);
  return {
    ...{ temperature, ...countOf(main), metrics },
    ...(levels && { levels }),
    ...(counts.length > 0 && { further: Object.fromEntries(counts) }),
  };
}

/** Of a further set only what its name is part of; its other numbers would hide those of the main levels. */
const headlinesOf = ([name, { metrics, successes, episodes }]: Further): Metrics => ({
  ...Object.fromEntries(Object.entries(metrics).filter(([key]) => /^val-(core|aux)\/[^/]+\/.+@/.test(key))),
  [`val/success/${name}`]: successes / episodes,
});

/** The judge's bill over all sets. */
function billOver(main: Evaluation, further: readonly Further[]): Metrics {
  const bills = [main, ...further.map(([, evaluation]) => evaluation)].map(({ metrics }) => metrics);
  const sum = (key: string) => bills.reduce((total, bill) => total + (bill[key] ?? 0), 0);
  return Object.fromEntries(
    BILL.map((name) => `val/${name}`)
      .filter((key) => key in main.metrics)
      .map((key) => [key, sum(key)]),
  );
}

const countOf = ({ episodes, successes, interval }: Evaluation): SuccessCount => ({
  episodes,
  successes,
  interval,
});

/** Whether a validation is due after the last update and has not been made. */
export function isValidationMissing({ config, update, counters }: Run): boolean {
  return counters.validatedUpdate < update && isValidationDue(config, update);
}
