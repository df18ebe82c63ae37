// `eval`: how often a checkpoint succeeds on given levels, with a confidence interval.
import { basename, join } from "node:path";
import { openingIds } from "../agent/prompt.ts";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { entryConfig } from "../config/entries.ts";
import { trainingSeeds, validationSeeds } from "../config/levels.ts";
import { type RunConfig, VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { readSeeds, SEEDS_SYNTAX } from "../config/seeds.ts";
import { stateCriticText } from "../config/state-critic.ts";
import { formatShare } from "../core/format.ts";
import { levelsText } from "../core/level-source.ts";
import { mean, variance } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { baselines } from "../eval/baselines.ts";
import { controls } from "../eval/controls.ts";
import { evaluationFiles } from "../eval/episode-files.ts";
import { type Evaluation, evaluate } from "../eval/evaluate.ts";
import { type PairedDifference, pairedDifference } from "../eval/paired.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import type { Policy } from "../policy/policy.ts";
import type { Explainable } from "../rl/explainable.ts";
import { measuredValues } from "../rl/measured.ts";
import { sampleMetrics, turnCounts } from "../rl/samples-per-level.ts";
import { buildRun } from "../run/build-run.ts";
import { unseenLevels } from "../run/held-out.ts";
import type { Consent } from "../run/judge-consent.ts";
import type { Run } from "../training/run.ts";
import { playedMetrics } from "../training/update.ts";
import { UsageError, type Values } from "./args.ts";
import type { Command } from "./command.ts";
import { writeInto } from "./disk.ts";
import {
  assertRepeats,
  EXPLAINABLE_SAMPLES,
  EXPLAINABLE_SEEDS,
  explainableOf,
  explainableTable,
} from "./explainable.ts";
import { formatTable, samplingName } from "./format-progress.ts";
import { requestGpu } from "./gpu.ts";
import type { Io } from "./io.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { bytesOf } from "./logs/logs.ts";
import { assertPlugins, housesOption, pluginOption } from "./plugins.ts";
import { openSimilarities, similarityOption, withSimilarity } from "./similarity.ts";
import { changed, inHouses, overrides, readCheckpoint, sourceOptions } from "./source.ts";

/** The levels of a run whose configuration names none to validate on. */
const DEFAULT_SEEDS = `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + 255}`;

/** As for rollouts. */
export const HIGHEST_TEMPERATURE = 5;
const MOST_SAMPLES = 64;

/** `--env`, for runs in several environments. */
export const envOption = {
  value: "<name>",
  help: "For a run in several environments: the one to play, by its name in envs. Default: the first.",
};

export const evalCommand: Command = {
  summary: "Measure the success of a checkpoint on fixed levels.",
  details:
    "Levels and episodes depend only on the seeds, so two checkpoints are compared on the same levels. With --baselines or --controls, a second table says how much better the checkpoint is than each other player, level by level, with the 95 % interval of the mean difference; below it is what each of these does.",
  options: {
    checkpoint: {
      value: "<run|file>",
      help: "A run's folder (its newest checkpoint), a file, or a bundled name.",
    },
    seeds: {
      value: "<seeds>",
      help: `Levels: ${SEEDS_SYNTAX}. Default: those of trainer.val_seeds, or ${DEFAULT_SEEDS} where that is empty.`,
    },
    unseen: { help: "Leave out levels that training plays under any of its seeds." },
    env: envOption,
    temperature: { value: "<t>", help: "Sampling temperature. Default: 1." },
    greedy: { help: "Always the most likely token; the same as --temperature 0." },
    baselines: {
      help: "Also the scripted baselines: random, demonstrator, short-sighted, oracle, and for SVG the nearest training icon.",
    },
    controls: {
      help: "Also the checkpoint with something hidden: the picture blanked, and the instruction of another level where there is one.",
    },
    set: sourceOptions.set!,
    ...judgeOptions,
    ...pluginOption,
    ...similarityOption,
    ...housesOption,
    explainable: {
      help: `Also the share of the variance of returns that the state explains before a reply and at its end, which limits the critic's explained variance. Plays levels ${EXPLAINABLE_SEEDS} ${EXPLAINABLE_SAMPLES} times unless --seeds and --samples say otherwise.`,
    },
    samples: { value: "<n>", help: "Episodes of each level, for mean@k, best@k and worst@k. Default: 1." },
    dump: {
      value: "<folder>",
      help: "Write every episode of the checkpoint as VAGEN's evaluator does: summary.json, and for each episode metrics.json, messages.json, transcript.txt and images.",
    },
    json: { help: "Print JSON with every metric, and the differences between players." },
  },
  async run(values, io) {
    const results = await evaluateAll(values, io);
    await dumpEpisodes(results[0]!, values);
    io.out(
      values.has("json")
        ? JSON.stringify(results.map((result) => toJson(result, results[0]!)))
        : resultText(results),
    );
    return 0;
  },
};

interface Result {
  policy: string;
  /** What a baseline does, or what a control hides; absent for the checkpoint. */
  description?: string;
  /** A baseline that samples no tokens. */
  scripted: boolean;
  evaluation: Evaluation;
  task: Task;
  /** Of the checkpoint, where it is asked for. */
  explainable?: Explainable;
  /** Levels that --unseen left out; undefined without it. */
  seen?: number;
  /** A sentence about the critic that the checkpoint was trained with, if it read the simulator's state. */
  critic?: string;
}

function resultText(results: readonly Result[]): string {
  const { evaluation, explainable, critic, seen } = results[0]!;
  return [
    resultTable(results),
    ...(results.length > 1 ? [`\n${differenceTable(results)}`, `\n${descriptions(results)}`] : []),
    ...(evaluation.levels ? [`${levelsText(evaluation.levels)}.`] : []),
    ...(seen === undefined ? [] : [`Levels left out because training plays them: ${seen}.`]),
    ...(critic ? [critic] : []),
    ...(explainable ? [`\n${explainableTable(explainable)}`] : []),
  ].join("\n");
}

/** What the other players do, a line each. */
export const descriptions = (results: readonly Pick<Result, "policy" | "description">[]): string =>
  results
    .flatMap(({ policy, description }) => (description === undefined ? [] : `${policy}: ${description}`))
    .join("\n");

/** Writes the episodes of the checkpoint where --dump says. */
async function dumpEpisodes({ policy, evaluation, task }: Result, values: Values): Promise<void> {
  const folder = values.text("dump");
  if (folder === undefined) return;
  const files = evaluationFiles(evaluation.trajectories, {
    tag: policy.replace(/\W+/g, "_"),
    createdAt: new Date().toISOString(),
    envConfig: task.envConfig,
    maxTurns: task.maxTurns,
    system: task.vocabulary.decode(openingIds(task.vocabulary, { envId: task.spec.id, format: task.format })),
  });
  for (const { path, content } of files) await writeInto(join(folder, path), bytesOf(content), "--dump");
}

async function evaluateAll(values: Values, io: Io): Promise<Result[]> {
  const name = values.text("checkpoint");
  if (name === undefined)
    throw new UsageError(
      "eval needs a checkpoint.",
      "For example: --checkpoint run, for the newest checkpoint in that folder.",
    );
  const isExplained = values.has("explainable");
  const named = values.text("seeds") ?? (isExplained ? EXPLAINABLE_SEEDS : undefined);
  const given = named === undefined ? undefined : parseSeeds(named);
  const temperature = values.has("greedy")
    ? 0
    : (values.number("temperature", 0, false, HIGHEST_TEMPERATURE) ?? 1);
  const samples = values.number("samples", 1, true, MOST_SAMPLES) ?? (isExplained ? EXPLAINABLE_SAMPLES : 1);
  assertRepeats(values, temperature, samples);
  const isCompared = values.has("baselines");
  const hidden = values.has("controls") ? controls.all : [];
  return withRun(name, overrides(values), consentOf(values, io), async (run, meta) => {
    const entry = values.text("env");
    const own = taskNamed(run.evalTask, entry);
    const config = entryConfig(run.config, entry);
    const wanted = given ?? levelsOf(config);
    const levels = values.has("unseen") ? unseenOf(own, config, wanted) : wanted;
    const similarities = await openSimilarities(values.list("similarity"), own.spec.id);
    const evaluation = await measure(run, run.policy, levels, temperature, samples, own);
    const results: Result[] = [
      {
        policy: basename(name),
        scripted: false,
        evaluation,
        task: own,
        critic: criticOf(meta),
        ...(values.has("unseen") && { seen: wanted.length - levels.length }),
        ...(isExplained && { explainable: explainableOf(evaluation) }),
      },
    ];
    const training = trainingSeeds(config);
    for (const { title, describe, create, plays } of isCompared ? baselines.all : []) {
      if (plays?.(own) === false) continue;
      const evaluation = await measure(run, create(own, training), levels, temperature, samples, own);
      results.push({ policy: title, description: describe(own), scripted: true, evaluation, task: own });
    }
    for (const { title, description, apply } of hidden) {
      const task = apply(own);
      if (!task) continue;
      const evaluation = await measure(run, run.policy, levels, temperature, samples, task);
      results.push({ policy: title, description, scripted: false, evaluation, task });
    }
    for (const similarity of similarities)
      for (const result of results) result.evaluation = await withSimilarity(result.evaluation, similarity);
    return results;
  });
}

function unseenOf(task: Task, config: RunConfig, wanted: readonly number[]): number[] {
  const levels = unseenLevels(task, config, wanted);
  if (levels.length > 0) return levels;
  throw new UsageError(
    `--unseen leaves no level: training plays all ${wanted.length}.`,
    "Name other levels with --seeds.",
  );
}

/** The task of a run in the environment of that name, by default the first. @throws UsageError */
export function taskNamed(task: Task, name: string | undefined): Task {
  const found = name === undefined || name === task.spec.id ? task : task.others?.get(name);
  if (found) return found;
  const names = [task.spec.id, ...(task.others?.keys() ?? [])];
  throw new UsageError(
    `--env is "${name}"; the run has no environment of that name.`,
    `It has: ${names.join(", ")}.`,
  );
}

/** Evaluates a checkpoint on the validation levels, in its own environment. */
export const evaluateCheckpoint = (
  file: string,
  temperature: number,
  consent: Consent,
): Promise<Evaluation> =>
  withRun(file, {}, consent, (run) => measure(run, run.policy, levelsOf(run.config), temperature));

/** The levels on which a checkpoint of that configuration is measured. */
export const levelsOf = (config: RunConfig): readonly number[] =>
  config.trainer.val_seeds === "" ? parseSeeds(DEFAULT_SEEDS) : validationSeeds(config);

/** `stateCriticText` of a checkpoint; SFT trains no such critic. */
export function criticOf({ config, update, stateCritic }: CheckpointMeta): string {
  const trained = checkedRunConfig(config, "The checkpoint's configuration");
  return update > sftUpdates(trained) ? stateCriticText(trained, stateCritic !== undefined) : "";
}

/** Builds a checkpoint's run with some settings changed, and disposes of it after `use`, which also gets what the file says. */
export async function withRun<T>(
  name: string,
  changes: Readonly<Record<string, unknown>>,
  consent: Consent,
  use: (run: Run, meta: CheckpointMeta) => Promise<T>,
): Promise<T> {
  const checkpoint = await readCheckpoint(name, "--checkpoint");
  assertPlugins(checkpoint.meta, name, { otherHouses: true });
  const trained = checkedRunConfig(checkpoint.meta.config, "The checkpoint's configuration");
  const stored = inHouses(changed(trained, changes));
  // The checkpoint that its own run started from does not matter, and advice should not mention it.
  const config = { ...stored, trainer: { ...stored.trainer, init_checkpoint: "" } };
  const host = nodeJudgeHost({ consent });
  // Under another id than the run's own, so that only the weights are loaded.
  const run = await buildRun(`eval of ${name}`, config, await requestGpu(), checkpoint, undefined, host);
  try {
    return await use(run, checkpoint.meta);
  } finally {
    run.dispose();
  }
}

/** Plays a policy on levels, one episode each by default. */
export async function measure(
  run: Run,
  policy: Policy,
  seeds: readonly number[],
  temperature: number,
  samples = 1,
  task = run.evalTask,
): Promise<Evaluation> {
  const { rollout, seed } = run.config;
  const [evaluation] = await evaluate(policy, {
    seeds,
    task,
    temperatures: [temperature],
    samples,
    parallel: run.policy.slots,
    sampling: { temperature, topP: 1, topK: 0, maxTokens: rollout.response_length, seed: seed >>> 0 },
    measure: (trajectories) => ({
      ...playedMetrics(run, trajectories, "val", task),
      ...sampleMetrics(trajectories, task.spec.id),
      ...turnCounts(trajectories),
    }),
  });
  return evaluation!;
}

/** `10001-10256`, a single seed, or any other text of seeds. @throws UsageError */
export function parseSeeds(text: string): readonly number[] {
  const read = readSeeds(text);
  if ("seeds" in read) return read.seeds;
  throw new UsageError(`--seeds is "${text}": ${read.problem}.`, `For example: --seeds ${DEFAULT_SEEDS}`);
}

/** Columns of the table that are shares: turns in the right form, right claims, turns in which all neighbours are right. */
const SHARES = [
  ["format", "val/format_correct"],
  ["grounding", "val/grounding_accuracy"],
  ["prediction", "val/worldmodeling_accuracy"],
  ["all neighbours", "val/surroundings_accuracy/all"],
] as const;

/** One row for each policy. */
export function resultTable(results: readonly Omit<Result, "task">[]): string {
  const measures = measuresOf(results[0]!.evaluation);
  const rows = results.map(
    ({
      policy,
      scripted,
      evaluation: { temperature, episodes, successes, interval, metrics, trajectories },
    }) => [
      policy,
      scripted ? "–" : samplingName(temperature),
      String(episodes),
      formatShare(successes / episodes),
      `${formatShare(interval[0])} … ${formatShare(interval[1])}`,
      metrics["val/num_turns/mean"]?.toFixed(2) ?? "–",
      ...SHARES.map(([, name]) => share(metrics[name])),
      ...measures.map((name) => withInterval(measuredValues(trajectories, name))),
    ],
  );
  return formatTable([
    [
      "policy",
      "sampling",
      "episodes",
      "success",
      "95 % interval",
      "turns",
      ...SHARES.map(([title]) => title),
      ...measures,
    ],
    ...rows,
  ]);
}

/** How much more `ours` has than `theirs`, level by level: of success, and of every measure of the environment. */
function differencesOf(ours: Evaluation, theirs: Evaluation): Record<string, PairedDifference | null> {
  const against = (score: (trajectory: Trajectory) => number) =>
    pairedDifference(ours.trajectories, theirs.trajectories, score);
  return {
    success: against(({ success }) => Number(success)),
    ...Object.fromEntries(
      measuresOf(ours).map((name) => [name, against((one) => measuredValues([one], name)[0]!)]),
    ),
  };
}

/** How much better the first player is than each other one. */
export function differenceTable([first, ...others]: readonly Omit<Result, "task">[]): string {
  const rows = others.map(({ policy, evaluation }) => [
    policy,
    ...Object.values(differencesOf(first!.evaluation, evaluation)).map(differenceText),
  ]);
  return formatTable([[`${first!.policy} against`, "success", ...measuresOf(first!.evaluation)], ...rows]);
}

const signed = (x: number): string => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;

const differenceText = (difference: PairedDifference | null): string =>
  difference ? `${signed(difference.mean)} ± ${difference.half.toFixed(3)}` : "–";

const MEASURED = "val/measured/";

const measuresOf = ({ metrics }: Evaluation): string[] =>
  Object.keys(metrics).flatMap((name) => (name.startsWith(MEASURED) ? name.slice(MEASURED.length) : []));

/** The mean of the episodes, and half of its 95 % interval. */
function withInterval(values: readonly number[]): string {
  const half = 1.96 * Math.sqrt(variance(values) / values.length);
  return `${mean(values).toFixed(3)} ± ${half.toFixed(3)}`;
}

const share = (value: number | undefined) => (value === undefined ? "–" : formatShare(value));

/** The figures of a player; of those after the first also `difference`, how much better the first is. */
function toJson(
  { policy, scripted, evaluation, explainable, critic, seen }: Omit<Result, "task">,
  first: Omit<Result, "task">,
): object {
  const { trajectories: _, ...figures } = evaluation;
  const isFirst = evaluation === first.evaluation;
  return {
    policy,
    scripted,
    ...figures,
    ...(!isFirst && { difference: differencesOf(first.evaluation, evaluation) }),
    ...(explainable && { explainable }),
    ...(critic && { critic }),
    ...(seen !== undefined && { seen }),
  };
}
