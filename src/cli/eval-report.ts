// What `eval` reports: tables, JSON, and with --dump every episode of the checkpoint as files.
import { join } from "node:path";
import { openingIds } from "../agent/prompt.ts";
import { formatShare } from "../core/format.ts";
import { levelsText } from "../core/level-source.ts";
import { meanWithHalfWidth } from "../core/mean-interval.ts";
import type { Trajectory } from "../core/types.ts";
import { evaluationFiles } from "../eval/episode-files.ts";
import type { Evaluation } from "../eval/evaluate.ts";
import { type PairedDifference, pairedDifference } from "../eval/paired.ts";
import { measuredValues } from "../rl/measured.ts";
import { writeInto } from "./disk.ts";
import type { PlayerResult } from "./eval-run.ts";
import { explainableTable } from "./explainable.ts";
import { formatTable, samplingName } from "./format-progress.ts";
import { bytesOf } from "./logs/logs.ts";
import { type Changes, nameOfValue } from "./source.ts";

/** What is printed of a player. */
type Reported = Omit<PlayerResult, "task">;

/**
 * The tables of all players, followed by notes on the settings, the levels and the checkpoint, which is the first player.
 * @param changes what `--set` changed in the checkpoint's configuration
 */
export function resultText(results: readonly Reported[], changes: Changes = {}): string {
  const { policy, evaluation, explainable, critic, seen, asked } = results[0]!;
  const neighbours = neighbourTable(policy, evaluation);
  return [
    resultTable(results),
    ...(results.length > 1 ? [`\n${differenceTable(results)}`, `\n${descriptions(results)}`] : []),
    ...changesText(changes),
    ...(evaluation.levels ? [`${levelsText(evaluation.levels)}.`] : []),
    ...(seen === undefined ? [] : [`Levels left out because training plays them: ${seen} of ${asked}.`]),
    ...(critic ? [critic] : []),
    ...(neighbours ? [`\n${neighbours}`] : []),
    `\n${meanings(results, neighbours !== "")}`,
    ...(explainable ? [`\n${explainableTable(explainable)}`] : []),
  ].join("\n");
}

const changesText = (changes: Changes): string[] => {
  const texts = Object.entries(changes).map(([path, value]) => `${path}=${nameOfValue(value) || '""'}`);
  return texts.length > 0 ? [`Settings changed: ${texts.join(", ")}.`] : [];
};

/** What the other players do, a line each. */
export const descriptions = (results: readonly Pick<Reported, "policy" | "description">[]): string =>
  results
    .flatMap(({ policy, description }) => (description === undefined ? [] : `${policy}: ${description}`))
    .join("\n");

/** Columns of the table that are shares, each with its metric and its meaning. */
const SHARES = [
  ["format", "val/format_correct", "turns in the right form"],
  ["grounding", "val/grounding_accuracy", "mean score of what turns say they see"],
  ["prediction", "val/worldmodeling_accuracy", "mean score of what turns say will be"],
  ["all neighbours", "val/surroundings_accuracy/all", "turns that name every tile beside the player rightly"],
] as const;

/** What the columns mean that have a value, a line each. */
function meanings(results: readonly Reported[], neighbours: boolean): string {
  const has = (metric: string) => results.some(({ evaluation }) => evaluation.metrics[metric] !== undefined);
  return [
    "turns: mean of an episode",
    ...SHARES.flatMap(([title, metric, meaning]) => (has(metric) ? [`${title}: ${meaning}`] : [])),
    ...(neighbours
      ? [
          "neighbours missed: tiles of this kind that replies do not name so",
          "false alarms: other tiles that replies name so",
        ]
      : []),
  ].join("\n");
}

/** One row for each policy. */
export function resultTable(results: readonly Reported[]): string {
  const measures = measuresOf(results[0]!.evaluation);
  const shares = SHARES.map(([title]) => title);
  const head = [
    "policy",
    "sampling",
    "episodes",
    "success",
    "95 % interval",
    "turns",
    ...shares,
    ...measures,
  ];
  return formatTable([head, ...results.map((result) => rowOf(result, measures))]);
}

function rowOf({ policy, scripted, evaluation }: Reported, measures: readonly string[]): string[] {
  const { temperature, episodes, successes, interval, metrics, trajectories } = evaluation;
  return [
    policy,
    scripted ? "–" : samplingName(temperature),
    String(episodes),
    formatShare(successes / episodes),
    `${formatShare(interval[0])} … ${formatShare(interval[1])}`,
    metrics["val/num_turns/mean"]?.toFixed(2) ?? "–",
    ...SHARES.map(([, name]) => share(metrics[name])),
    ...measures.map((name) => meanWithHalfWidth(measuredValues(trajectories, name))),
  ];
}

const share = (value: number | undefined) => (value === undefined ? "–" : formatShare(value));

/** Where what a reply says of the tiles beside the player is wrong, by their kind. */
const MISSED = "val/surroundings_miss/";
const FALSE_ALARMS = "val/surroundings_false_alarm/";

/** A row for each kind of tile beside the player, and for what is claimed there by its place, the one missed most first; empty where no reply states them. */
function neighbourTable(policy: string, { metrics }: Evaluation): string {
  const kinds = new Set([MISSED, FALSE_ALARMS].flatMap((prefix) => namesAfter(prefix, metrics)));
  if (kinds.size === 0) return "";
  const missed = (kind: string) => metrics[MISSED + kind];
  const rows = [...kinds]
    .toSorted((a, b) => (missed(b) ?? -1) - (missed(a) ?? -1))
    .map((kind) => [kind.replaceAll("_", " "), share(missed(kind)), share(metrics[FALSE_ALARMS + kind])]);
  return formatTable([[policy, "neighbours missed", "false alarms"], ...rows]);
}

/** The ends of the metrics' names that begin with `prefix`. */
const namesAfter = (prefix: string, metrics: Evaluation["metrics"]): string[] =>
  Object.keys(metrics).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));

/** How much better the first player is than each other one. */
export function differenceTable([first, ...others]: readonly Reported[]): string {
  const rows = others.map(({ policy, evaluation }) => [
    policy,
    ...Object.values(differencesOf(first!.evaluation, evaluation)).map(differenceText),
  ]);
  return formatTable([[`${first!.policy} against`, "success", ...measuresOf(first!.evaluation)], ...rows]);
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

/** "+0.500 ± 0.566". If the difference is the same on every level, the interval would have no width, so none is given. */
function differenceText(difference: PairedDifference | null): string {
  if (!difference) return "–";
  const { mean, half } = difference;
  return `${signed(mean)} ${half > ROUNDING ? `± ${half.toFixed(3)}` : "on every level"}`;
}

/** Equal differences of means may differ by an error of rounding. */
const ROUNDING = 1e-9;

const signed = (x: number): string => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;

const MEASURED = "val/measured/";

const measuresOf = ({ metrics }: Evaluation): string[] => namesAfter(MEASURED, metrics);

/**
 * The figures of every player; of those after the first also `difference`, how much better the first is.
 * @param changes what `--set` changed in the checkpoint's configuration
 */
export const resultJson = (results: readonly Reported[], changes: Changes): string =>
  JSON.stringify(results.map((result) => ({ ...figuresOf(result, results[0]!), changes })));

function figuresOf(
  { policy, scripted, evaluation, explainable, critic, seen }: Reported,
  first: Reported,
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

/** Writes the episodes of a player into the folder of --dump. @throws UsageError naming a path that cannot be written. */
export async function dumpEpisodes(
  { policy, evaluation, task }: PlayerResult,
  folder: string,
): Promise<void> {
  const files = evaluationFiles(evaluation.trajectories, {
    tag: policy.replace(/\W+/g, "_"),
    createdAt: new Date().toISOString(),
    envConfig: task.envConfig,
    maxTurns: task.maxTurns,
    system: task.vocabulary.decode(openingIds(task.vocabulary, { envId: task.spec.id, format: task.format })),
  });
  for (const { path, content } of files) await writeInto(join(folder, path), bytesOf(content), "--dump");
}
