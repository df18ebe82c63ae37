// `eval`: how often a checkpoint succeeds on given levels, with a confidence interval.
import { readSeeds, SEEDS_SYNTAX } from "../config/seeds.ts";
import { platformClock } from "../core/clock.ts";
import { refuseTogether, UsageError, type Values } from "./args.ts";
import { checkpointConfig, checkpointOption } from "./checkpoint.ts";
import type { Command } from "./command.ts";
import { assertFolder } from "./disk.ts";
import { EvalProgress } from "./eval-progress.ts";
import { dumpEpisodes, resultJson, resultText } from "./eval-report.ts";
import { DEFAULT_LEVELS, type EvalRequest, evaluatePlayers } from "./eval-run.ts";
import { assertRepeats, EXPLAINABLE_SAMPLES, EXPLAINABLE_SEEDS } from "./explainable.ts";
import type { Io } from "./io.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { housesOption, pluginOption } from "./plugins.ts";
import { shownSimilarity } from "./similarity.ts";
import { overrides, sourceOptions } from "./source.ts";

/** The default of `--seeds`, where the configuration names no levels either. */
const DEFAULT_SEEDS = `${DEFAULT_LEVELS[0]}-${DEFAULT_LEVELS.at(-1)}`;

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
    "Levels and episodes depend only on the seeds, so two checkpoints are compared on the same levels. With --baselines or --controls, a second table says how much better the checkpoint is than each other player, level by level, with the 95 % interval of the mean difference, unless the difference is the same on every level; below it is what each of these does.",
  options: {
    ...checkpointOption,
    seeds: {
      value: "<seeds>",
      help: `Levels: ${SEEDS_SYNTAX}. Default: those of trainer.val_seeds, or ${DEFAULT_SEEDS} where that is empty; with --env <set>, those of the set.`,
    },
    unseen: { help: "Leave out levels that training plays under any of its seeds." },
    env: {
      ...envOption,
      help: "What to play: an environment, by its name in envs, or a validation set, by its name in trainer.val_sets. Default: the first environment.",
    },
    temperature: { value: "<t>", help: "Sampling temperature. Default: 1." },
    greedy: { help: "Always the most likely token; the same as --temperature 0." },
    baselines: {
      help: "Also the scripted baselines: random, demonstrator, short-sighted, oracle, and for SVG the nearest training icon.",
    },
    controls: {
      help: "Also the checkpoint with something hidden: the picture blanked, or the text of another level; and the instruction of another level where there is one.",
    },
    set: sourceOptions.set!,
    ...judgeOptions,
    ...pluginOption,
    ...shownSimilarity,
    ...housesOption,
    explainable: {
      help: `Also the share of the variance of returns that the state explains before a reply and at its end, which limits the critic's explained variance. Where chance decides, as in Blackjack, it compares different levels. Plays levels ${EXPLAINABLE_SEEDS} ${EXPLAINABLE_SAMPLES} times unless --seeds and --samples say otherwise.`,
    },
    samples: { value: "<n>", help: "Episodes of each level, for mean@k, best@k and worst@k. Default: 1." },
    dump: {
      value: "<folder>",
      help: "Write every episode of the checkpoint as VAGEN's evaluator does: summary.json, and for each episode metrics.json, messages.json, transcript.txt and images.",
    },
    json: { help: "Print JSON with every metric, and the differences between players." },
  },
  plays: checkpointConfig,
  async run(values, io) {
    const request = requestOf(values, io);
    const folder = values.text("dump");
    // Before a level is played, because a long evaluation would otherwise end in an error.
    if (folder !== undefined) assertFolder(folder, "--dump");
    const results = await evaluatePlayers(request, new EvalProgress(io, () => platformClock.now()));
    io.out(values.has("json") ? resultJson(results, request.changes) : resultText(results, request.changes));
    // After the results, which a full disk must not cost.
    if (folder !== undefined) await dumpEpisodes(results[0]!, folder);
    return 0;
  },
};

/** @throws UsageError for options that cannot be served by any checkpoint. */
function requestOf(values: Values, io: Io): EvalRequest {
  const checkpoint = values.text("checkpoint");
  if (checkpoint === undefined)
    throw new UsageError(
      "eval needs a checkpoint.",
      "For example: --checkpoint run, for the newest checkpoint in that folder.",
    );
  return {
    checkpoint,
    ...playOf(values),
    changes: overrides(values),
    consent: consentOf(values, io),
    game: values.text("env"),
    unseen: values.has("unseen"),
    baselines: values.has("baselines"),
    controls: values.has("controls"),
    explainable: values.has("explainable"),
    similarities: values.list("similarity"),
  };
}

/** The levels, the temperature and the episodes of each level. @throws UsageError */
function playOf(values: Values): Pick<EvalRequest, "seeds" | "temperature" | "samples"> {
  refuseTogether(
    values,
    "greedy",
    ["temperature"],
    "--greedy is the same as --temperature 0: give one of them.",
  );
  const isExplained = values.has("explainable");
  const named = values.text("seeds") ?? (isExplained ? EXPLAINABLE_SEEDS : undefined);
  const seeds = named === undefined ? undefined : parseSeeds(named);
  const temperature = values.has("greedy")
    ? 0
    : (values.number("temperature", 0, false, HIGHEST_TEMPERATURE) ?? 1);
  const samples = values.number("samples", 1, true, MOST_SAMPLES) ?? (isExplained ? EXPLAINABLE_SAMPLES : 1);
  assertRepeats(values, temperature, samples);
  return { seeds, temperature, samples };
}

/** `10001-10256`, a single seed, or any other text of seeds. @throws UsageError */
export function parseSeeds(text: string): readonly number[] {
  const read = readSeeds(text);
  if ("seeds" in read) return read.seeds;
  throw new UsageError(`--seeds is "${text}": ${read.problem}.`, `For example: --seeds ${DEFAULT_SEEDS}`);
}
