// Which charts there are, in which order and from which metrics. A chart whose metrics are absent is not shown; a metric
// that no chart names gets a plain chart of its own, so nothing that the trainer logs is hidden.
import type { FormatId } from "../../core/formats.ts";
import { canEarn } from "../../rl/reward/index.ts";
import type { Stage } from "../../training/events.ts";
import { rewardColor } from "../episode/reward-color.ts";
import { formatPercent } from "../lib/format.ts";
import { findMetric, type MetricGroup } from "../metrics/dictionary.ts";
import { measureTitle } from "../metrics/measure-title.ts";
import { rewardTitle } from "../metrics/reward-title.ts";
import type { SeriesTable } from "../store/series.ts";

type Logged = Pick<SeriesTable, "keys" | "get">;

interface LineSpec {
  /** Metric key without a trailing `/<environment>`. */
  readonly key: string;
  readonly label: string;
  /** A CSS variable of the palette. */
  readonly color: string;
  /** Lengths of dashes and gaps in pixels; absent: the line is solid. */
  readonly dash?: string;
  /** Adds this metric of the validations as points in the line's colour. */
  readonly validation?: string;
}

export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  readonly group: MetricGroup | "Overview" | "Other";
  /** The lines are parts of a whole, drawn above each other. */
  readonly kind?: "stack";
  readonly lines: readonly LineSpec[];
  readonly scale?: "log";
  /** Shares that should be small: the axis ends above the largest of them, not at 100 %. */
  readonly fitted?: true;
  /** Draws the min–max band of what decimation hides. */
  readonly band?: boolean;
  /** Adds this metric of the validations as points, success with its interval. It belongs to the first line. */
  readonly validation?: string;
  /** A fixed line of reference. */
  readonly guide?: { readonly value: number; readonly label: string };
  /** Explains values near 0 in a new run. */
  readonly nearZero?: string;
  /** Explains values that are all exactly 0. */
  readonly allZero?: string;
}

/** The share of a validation's levels that were solved: the one with an interval. */
export const VALIDATION_SUCCESS = "val/success";

/** The colour of the points of a chart with one validated metric. */
const VALIDATION_COLOR = "--run-2";

/** What a chart draws of validations: the metric, and the line that it belongs to. */
export function validatedLines(chart: ChartSpec): Required<Omit<LineSpec, "key" | "dash">>[] {
  const { lines, title, validation } = chart;
  const first = { label: lines[0]?.label ?? title, color: VALIDATION_COLOR };
  return [
    ...(validation ? [{ ...first, validation }] : []),
    ...lines.flatMap(({ label, color, validation: own }) => (own ? [{ label, color, validation: own }] : [])),
  ];
}

const line = (key: string, label: string, color = "--run-1"): LineSpec => ({ key, label, color });
const one = (
  key: string,
  group: ChartSpec["group"],
  more: Partial<ChartSpec> & { color?: string } = {},
): ChartSpec => {
  const { color, ...rest } = more;
  const title = findMetric(key)?.title ?? key;
  return { id: key, title, group, lines: [line(key, title, color)], ...rest };
};

/** A measure of the replies' text, for each kind of text. */
const ofTexts = (key: string, title: string): ChartSpec => ({
  id: key,
  title,
  group: "Reasoning",
  lines: [
    line(`${key}/observation`, "Observation", "--observation"),
    line(`${key}/reasoning`, "Reasoning", "--reasoning"),
    line(`${key}/prediction`, "Prediction", "--prediction"),
    line(`${key}/reply`, "Reply", "--control"),
  ],
});

/**
 * What can lie beside the player of FrozenLake and Sokoban, most of interest first. A run in both logs all eight, two more than there are
 * run colours: these are the seven of the palette's that stay furthest apart (palette.test.ts). Sokoban's target has the colour of
 * FrozenLake's goal, dashed.
 */
const KINDS: readonly (readonly [kind: string, label: string, color: string, dash?: string])[] = [
  ["hole", "Hole", "--run-2"],
  ["box", "Box", "--run-1"],
  ["stuck_box", "Stuck box", "--run-6"],
  ["goal", "Goal", "--run-5"],
  ["target", "Target", "--run-5", "6 3"],
  ["edge", "Edge", "--control"],
  ["wall", "Wall", "--prediction"],
  ["free", "Free", "--run-3"],
];

/** A measure of what the reasoning says about the tiles beside the player, for each kind of tile. */
const ofKinds = (key: string): ChartSpec => ({
  id: key,
  title: findMetric(key)?.title ?? key,
  group: "Overview",
  fitted: true,
  lines: KINDS.map(([kind, label, color, dash]) => ({
    ...line(`${key}/${kind}`, label, color),
    ...(dash && { dash }),
    validation: `val/${key}/${kind}`,
  })),
});

/** Every ratio is taken before the policy has changed. */
const ONE_STEP = "0 where an update is one step: one pass over one minibatch.";

/** Before the id of a term, in the names of metrics. */
const OF_TERM = "reward/";

function rewardLine(id: string): LineSpec {
  return line(`${OF_TERM}${id}`, rewardTitle(id), rewardColor(id));
}

/** The episode's reward by its terms: these first, then any others that the run has. */
const RETURN: ChartSpec = {
  id: "return",
  title: "Return by part",
  group: "Overview",
  kind: "stack",
  lines: ["task", "format", "state_estimation", "transition_modeling"].map(rewardLine),
};

/** With a line for each term that was paid, those of extensions included. */
function returnChart(table: Logged): ChartSpec {
  const named = RETURN.lines.map(({ key }) => key);
  const others = table.keys.filter((key) => key.startsWith(OF_TERM) && !named.includes(key));
  const lines = others.map((key) => rewardLine(key.slice(OF_TERM.length)));
  return { ...RETURN, lines: [...RETURN.lines, ...lines] };
}

/** The metrics of a run without what its replies cannot earn, which is 0 by construction. */
function earnable(table: Logged, format: FormatId): Logged {
  const isOwn = (key: string) => !key.startsWith(OF_TERM) || canEarn(key.slice(OF_TERM.length), format);
  return {
    keys: table.keys.filter(isOwn),
    get: (key) => (isOwn(key) ? table.get(key) : undefined),
  };
}

const SUCCESS = one("train/success", "Overview", {
  id: "success",
  band: true,
  validation: VALIDATION_SUCCESS,
});

/** The colours and dashes of lines that are environments. After three lines the dash changes, after six the colours begin again. */
const ENTRY_COLORS = ["--run-1", "--run-2", "--run-3", "--run-4", "--run-5", "--run-6"];
const ENTRY_DASHES = ["", "7 3", "2 2", "8 2 2 2", "3 5"];

/** The look of a line among several environments: no two of the first thirty look alike. */
function entryLook(index: number): Pick<LineSpec, "color" | "dash"> {
  const color = ENTRY_COLORS[index % ENTRY_COLORS.length]!;
  const dash = ENTRY_DASHES[Math.floor(index / 3) % ENTRY_DASHES.length]!;
  return { color, ...(dash && { dash }) };
}

/** An environment's name in titles. The first one has no name of its own, and is logged under that of its kind. */
const entryTitle = (name: string, main: string): string => (name === main ? `${name} (main)` : name);

/** The names of the environments for which a metric is logged, the first environment's first. */
export const entriesOf = ({ keys }: Pick<Logged, "keys">, prefix: string): string[] =>
  keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));

const entryLines = (names: readonly string[], prefix: string, main: string): LineSpec[] =>
  names.map((name, i) => ({ ...line(`${prefix}${name}`, entryTitle(name, main)), ...entryLook(i) }));

/** The return in each of several environments; where there is one, it is the mean score. */
function returnsByEntry(table: Logged, main: string): ChartSpec[] {
  const prefix = "train/score/";
  const names = entriesOf(table, prefix);
  if (names.length < 2) return [];
  return [{ ...one("train/score", "Reward"), lines: entryLines(names, prefix, main) }];
}

/**
 * Success in a run: one chart where there is one environment; else all of them in one chart, and each with its validations, of which
 * the first one comes before there is anything from training.
 */
function successCharts(table: Logged, environments: readonly string[]): ChartSpec[] {
  const names = environments.length > 1 ? environments : entriesOf(table, TRAINED);
  const [main = ""] = environments;
  if (names.length < 2) return [SUCCESS];
  const { id, title, group } = SUCCESS;
  const lines = entryLines(names, TRAINED, main);
  return [{ id, title, group, lines }, ...names.map((name) => successOf(name, entryTitle(name, main)))];
}

/** Success in one environment, or on the levels of a validation set, in which nothing is trained. */
const successOf = (name: string, title: string): ChartSpec => ({
  ...one(`${TRAINED}${name}`, "Overview", { band: true, validation: `${VALIDATION_SUCCESS}/${name}` }),
  title: `${SUCCESS.title}: ${title}`,
});

/** Where success in training is logged, by environment. */
const TRAINED = "train/success/";

const FACTS_RIGHT = one("sft/facts_right", "SFT");

/** With a guide at the share that ends SFT. @param target 0: SFT does all of its updates, and has no guide. */
const factsChart = (target: number): ChartSpec =>
  target > 0
    ? { ...FACTS_RIGHT, guide: { value: target, label: `SFT ends at ${formatPercent(target)}` } }
    : FACTS_RIGHT;

const SCORE: ChartSpec = {
  id: "score",
  title: "Episode score",
  group: "Reward",
  lines: [
    line("critic/score/mean", "Mean"),
    line("critic/score/max", "Best", "--run-3"),
    line("critic/score/min", "Worst", "--run-2"),
    line("critic/rewards/mean", "Mean after KL", "--run-4"),
  ],
};

export const CHARTS: readonly ChartSpec[] = [
  SUCCESS,
  RETURN,
  one("grounding_accuracy", "Overview", {
    color: "--observation",
    band: true,
    validation: "val/grounding_accuracy",
  }),
  one("worldmodeling_accuracy", "Overview", {
    color: "--prediction",
    band: true,
    validation: "val/worldmodeling_accuracy",
  }),
  one("surroundings_accuracy", "Overview", {
    color: "--reasoning",
    band: true,
    validation: "val/surroundings_accuracy",
  }),
  ofKinds("surroundings_miss"),
  ofKinds("surroundings_false_alarm"),
  one("actor/ppo_kl", "Overview", { band: true, allZero: ONE_STEP }),
  one("actor/entropy", "Overview", { band: true }),
  one("critic/vf_explained_var", "Overview", {
    guide: { value: 0, label: "no better than the mean" },
    nearZero: "Near 0 is usual at first: SFT trains no critic.",
  }),
  one("num_turns/mean", "Overview"),
  one("perf/throughput", "Overview"),

  one("sft/loss", "SFT", { id: "imitation", band: true }),
  one("sft/token_accuracy", "SFT"),
  FACTS_RIGHT,

  {
    id: "form",
    title: "Valid format and actions",
    group: "Reasoning",
    validation: "val/format_correct",
    lines: [
      line("train/format_correct", "Format", "--run-1"),
      line("train/action_is_valid", "Action exists", "--run-4"),
      line("train/action_is_effective", "Action moves", "--run-3"),
    ],
  },
  {
    id: "lost",
    title: "Lost games",
    group: "Reasoning",
    validation: "val/pivot/lost_early",
    lines: [
      line("pivot/lost_early", "Lost before the end", "--run-2"),
      line("pivot/deadlock", "Losses by deadlock", "--run-3"),
    ],
  },
  one("pivot/turn", "Reasoning", { validation: "val/pivot/turn" }),
  one("tool_calls/mean", "Reasoning", { validation: "val/tool_calls/mean" }),
  one("tool_calls/answered", "Reasoning"),
  ofTexts("diversity/distinct_4", "Phrase diversity"),
  ofTexts("diversity/echo_share", "Echo: the most frequent text"),
  ofTexts("diversity/repeat_share", "Repetition within an episode"),
  SCORE,
  one("critic/score/std", "Reward"),
  one("custom_metrics/train/reward_variance", "Reward"),
  one("train/done", "Reward"),
  one("actor/pg_loss", "PPO health"),
  one("actor/kl_loss", "PPO health"),
  one("rehearsal/loss", "PPO health"),
  one("rehearsal/token_accuracy", "PPO health"),
  one("actor/pivot_loss", "PPO health"),
  one("actor/pivot_gate", "PPO health"),
  one("actor/pivot_tokens", "PPO health"),
  one("critic/kl", "PPO health"),
  one("critic/kl_coeff", "PPO health"),
  one("actor/pg_clipfrac", "PPO health", {
    guide: { value: 0.3, label: "step too large above" },
    allZero: ONE_STEP,
  }),
  one("actor/grad_norm", "PPO health", { scale: "log" }),
  {
    id: "lr",
    title: "Learning rate",
    group: "PPO health",
    scale: "log",
    lines: [line("actor/lr", "Actor"), line("critic/lr", "Critic", "--run-2")],
  },
  one("training/rollout_probs_diff_mean", "PPO health", { scale: "log" }),
  {
    id: "explained-at-turns",
    title: "Explained variance at turns",
    group: "Critic",
    guide: { value: 0, label: "no better than the mean" },
    lines: [
      line("critic/vf_explained_var/turn_start", "Start of turn"),
      line("critic/vf_explained_var/turn_end", "End of turn", "--run-2"),
    ],
  },
  {
    id: "returns-at-turns",
    title: "Variance of returns at turns",
    group: "Critic",
    lines: [
      line("critic/returns_var/turn_start", "Start of turn"),
      line("critic/returns_var/turn_end", "End of turn", "--run-2"),
    ],
  },
  one("critic/vf_loss", "Critic"),
  one("critic/vf_clipfrac", "Critic"),
  {
    id: "values",
    title: "Values and returns",
    group: "Critic",
    lines: [line("critic/values/mean", "Value"), line("critic/returns/mean", "Return", "--run-2")],
  },
  one("critic/advantages/mean", "Critic"),
  one("conversations/mean", "Length", { validation: "val/conversations/mean" }),
  one("conversations/closed_share", "Length", { validation: "val/conversations/closed_share" }),
  one("conversations/summary_tokens", "Length", { validation: "val/conversations/summary_tokens" }),
  one("conversations/no_progress", "Length", { allZero: "Every episode made progress." }),
  one("response_length/mean", "Length"),
  one("response_length/clip_ratio", "Length"),
  {
    id: "timing",
    title: "Time per update by phase",
    group: "Speed",
    kind: "stack",
    lines: [
      line("timing_s/gen", "Rollout", "--run-1"),
      line("timing_s/old_log_prob", "Scoring", "--run-3"),
      line("timing_s/ref", "Ref policy", "--run-4"),
      line("timing_s/adv", "Advantages", "--run-5"),
      line("timing_s/update_actor", "Optimise", "--run-2"),
      line("timing_s/rehearsal", "Rehearsal", "--run-6"),
    ],
  },
  one("timing_s/step", "Speed"),
  one("perf/tflop", "Speed"),
];

/**
 * Shown where it matters (a notice, a table), known to describe something else than the policy, or the same number as
 * another: where a run has one task, its `train/score` is the mean of all episode scores.
 */
const WITHOUT_CHART =
  /^(val|custom_metrics\/val|demonstrations|train\/score)\/|^training\/skipped_|\/(min|max)$|_accuracy\//;

/** A chart for a key that no chart names; a metric of an extension has its validations too. */
function plainChart(key: string): ChartSpec {
  if (findMetric(key)?.group !== "Extensions") return one(key, "Other");
  const validation = key.replace(/^custom_metrics\/train\//, "custom_metrics/val/");
  return one(key, "Extensions", validation === key ? {} : { validation });
}

/** Charts of one metric, such as the returns of several sources, with what their keys differ in behind their titles; measures always are. */
function distinguished(charts: readonly ChartSpec[], main: string): ChartSpec[] {
  return charts.map((chart) => {
    const alike = charts.filter(({ title }) => title === chart.title).map(({ id }) => id.split("/"));
    // The first part, such as `val-core`, says how the trainer sorts metrics.
    const [, ...parts] = chart.id.split("/");
    const measure = measureOf(chart.id);
    const own = parts.filter((part) => part === measure || !alike.every((others) => others.includes(part)));
    if (own.length === 0) return chart;
    const titles = own.map((part) => (part === measure ? measureTitle(part) : entryTitle(part, main)));
    const title = `${chart.title}: ${titles.join(", ")}`;
    return { ...chart, title, lines: chart.lines.map((drawn) => ({ ...drawn, label: title })) };
  });
}

/** The measure whose mean a chart of this id shows; undefined of other metrics, and of measures with a title of their own. */
const measureOf = (id: string): string | undefined =>
  findMetric(id)?.key === "train/measured" ? id.split("/").at(-1) : undefined;

/** The series of a key: logged under it, or under it with the name of an environment. */
export function resolveKey(table: Logged, key: string): string | null {
  if (table.get(key)) return key;
  return table.keys.find((logged) => logged.replace(/\/[^/]+$/, "") === key) ?? null;
}

/** The table without what is quiet. */
function loud(table: Logged): Logged {
  const quiet = quietKeys(table);
  return {
    keys: table.keys.filter((key) => !quiet.includes(key)),
    get: (key) => (quiet.includes(key) ? undefined : table.get(key)),
  };
}

export interface ChartSection {
  readonly group: ChartSpec["group"];
  readonly charts: readonly ChartSpec[];
}

/** What some metrics are by construction, and how far from it they carry information. */
const QUIET: Readonly<Record<string, { value: number; within: number }>> = {
  // Each batch is played by the newest policy, unless episodes are played ahead.
  "version_stats/sample_staleness_theta_avg": { value: 1, within: 0 },
  "version_stats/sample_staleness_theta_max": { value: 1, within: 0 },
  "version_stats/sample_staleness_proximal_avg": { value: 0, within: 0 },
  // Nothing was clipped from below, and no judge failed.
  "actor/pg_clipfrac_lower": { value: 0, within: 0 },
  "judge/not_judged": { value: 0, within: 0 },
  // Means of whitened advantages: rounding.
  "critic/advantages/mean": { value: 0, within: 1e-4 },
  "actor/pg_loss": { value: 0, within: 1e-5 },
};

/** Metrics that still have the value they have by construction: they have no chart yet. */
export function quietKeys(table: Logged): string[] {
  return Object.entries(QUIET).flatMap(([key, { value, within }]) => {
    const logged = resolveKey(table, key);
    const values = logged ? table.get(logged)?.ys : undefined;
    return logged && values?.every((y) => Math.abs(y - value) <= within) ? [logged] : [];
  });
}

/** The list of charts, those that depend on the run as they are for it. */
const chartsOf = (
  table: Logged,
  sftTarget: number,
  environments: readonly string[],
  sets: readonly string[],
): ChartSpec[] =>
  CHARTS.flatMap((chart) => {
    if (chart === SUCCESS)
      return [
        ...successCharts(table, environments),
        ...sets.map((name) => successOf(name, `${name} (validation set)`)),
      ];
    if (chart === RETURN) return [returnChart(table)];
    if (chart === SCORE) return [chart, ...returnsByEntry(table, environments[0] ?? "")];
    return [chart === FACTS_RIGHT ? factsChart(sftTarget) : chart];
  });

/**
 * The charts that have something to show, by group; while SFT runs its own charts come first.
 * @param sftTarget the share of right facts that ends SFT; 0 if none does.
 * @param environments names of the run's environments. The first one is logged under its kind.
 * @param format of its replies, where that is known.
 * @param sets names of the run's further validation sets.
 */
export function chartsToShow(
  all: Logged,
  stage: Stage | null,
  sftTarget = 0,
  environments: readonly string[] = [],
  format?: FormatId,
  sets: readonly string[] = [],
): ChartSection[] {
  const table = loud(format ? earnable(all, format) : all);
  const isLogged = (key: string | undefined) => key !== undefined && resolveKey(table, key) !== null;
  const charts = chartsOf(table, sftTarget, environments, sets);
  const shown = charts.flatMap((chart) => {
    const lines = chart.lines.filter(({ key, validation }) => isLogged(key) || isLogged(validation));
    return lines.length > 0 || isLogged(chart.validation) ? [{ ...chart, lines }] : [];
  });
  const named = new Set(charts.flatMap((chart) => chart.lines.map((l) => l.key)));
  const others = table.keys.filter(
    (key) => !named.has(key) && !named.has(key.replace(/\/[^/]+$/, "")) && !WITHOUT_CHART.test(key),
  );
  const isFirst = ({ group }: ChartSpec) => stage === "warmup" && group === "SFT";
  const rest = shown.filter((chart) => !isFirst(chart));
  const sections = new Map<ChartSpec["group"], ChartSpec[]>();
  for (const chart of [
    ...shown.filter(isFirst),
    ...rest,
    ...distinguished(others.map(plainChart), environments[0] ?? ""),
  ]) {
    // The few overview charts that have data in SFT are grouped with its own.
    const group = stage === "warmup" && chart.group === "Overview" ? "SFT" : chart.group;
    sections.set(group, [...(sections.get(group) ?? []), chart]);
  }
  return [...sections].map(([group, charts]) => ({ group, charts }));
}
