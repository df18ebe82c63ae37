// The curves of other runs in a chart of the run on screen.
import type { RunView, StageSpan } from "../store/run-view.ts";
import type { XAxis } from "../store/view-options.ts";
import { type ChartSpec, resolveKey, VALIDATION_SUCCESS } from "./catalog.ts";
import { decimate } from "./decimate.ts";
import { type FigureLine, linesOf, xOf } from "./lines.ts";
import { type FigurePoint, type Validated, validationPoints } from "./points.ts";
import { smooth } from "./smoothing.ts";

type Shown = Pick<RunView, "stages" | "axes" | "series">;

/** A run whose curves are drawn beside those of the run on screen, and how they look. */
export interface ComparedRun {
  readonly label: string;
  /** A CSS variable of the palette. */
  readonly color: string;
  /** Lengths of dashes and gaps in pixels. */
  readonly dash: string;
  readonly view: Shown & Validated;
}

/** The looks of other runs, one for each place: colours that stay apart from those of the run on screen (palette.test.ts). */
export const COMPARED_LOOKS = [
  { letter: "B", color: "--run-4", dash: "7 3" },
  { letter: "C", color: "--run-3", dash: "2 2" },
  { letter: "D", color: "--run-6", dash: "8 2 2 2" },
] as const;

/**
 * A line of another run, of one stage. Its updates are counted as those of the run on screen: the stage begins with the same number in both.
 * So its columns are its own, unlike those of other lines.
 */
interface ComparedLine extends FigureLine {
  /** Where each update lies on the horizontal axis. */
  readonly xs: Float64Array;
}

/** What is drawn of a line. */
export interface ComparedCurve extends ComparedLine {
  readonly rows: readonly { readonly x: number; readonly y: number | null }[];
}

/** The run on screen beside others: it has one colour in all charts, and is not named after the metric, which the title names. */
export const THIS_RUN = { label: "This run", color: "--run-1" } as const;

/** A chart whose line is that of the run on screen beside others. */
export const asThisRun = (chart: ChartSpec): ChartSpec => ({
  ...chart,
  lines: chart.lines.map((line) => ({ ...line, ...THIS_RUN })),
});

/**
 * Charts of several lines would have too many, and parts of a whole do not lie beside each other. A chart without a line has validations, of
 * a policy that was not trained.
 */
const isComparable = ({ kind, lines }: ChartSpec): boolean => kind !== "stack" && lines.length <= 1;

/** What is compared in a chart: the lines of other runs, and the validations of each. */
interface Compared {
  readonly lines: readonly ComparedLine[];
  readonly points: readonly (readonly FigurePoint[])[];
}

/**
 * The lines and validations of other runs in a chart of the run on screen, of the stage that this run is in there. A run without the
 * metric, or without that stage, has none.
 */
export function comparedIn(
  shown: Shown & Pick<RunView, "update">,
  runs: readonly ComparedRun[],
  chart: ChartSpec,
  { x, smoothing }: { x: XAxis; smoothing: number | null },
): Compared {
  if (!isComparable(chart)) return { lines: [], points: [] };
  const [own] = linesOf(shown, chart, smoothing);
  const newest = own?.updates.at(-1) ?? shown.update + 1;
  const stage = stageAt(shown.stages, newest);
  const each = runs.map((run, index) => {
    const alignment = stage && alignmentOf(shown, run.view, stage, x);
    if (!alignment) return { lines: [], points: [] };
    const same = ofSameTask(shown, run.view, chart);
    const [line] = linesOf(run.view, same, smoothing);
    const { label, color, dash } = run;
    const part = line && ofStage(line, alignment);
    return {
      lines: part ? [{ ...part, id: `compared${index}`, label, color, dash }] : [],
      points: pointsOfStage(run, same, alignment),
    };
  });
  return { lines: each.flatMap(({ lines }) => lines), points: each.map(({ points }) => points) };
}

const stageAt = (stages: readonly StageSpan[], update: number): StageSpan | undefined =>
  stages.findLast(({ firstUpdate }) => firstUpdate <= update);

/**
 * The chart with the metric of the environment that the run on screen has there, if the other run logs it: a run in several environments
 * would be read as the first of its own.
 */
function ofSameTask({ series: shown }: Shown, { series: other }: Shown, chart: ChartSpec): ChartSpec {
  const [line] = chart.lines;
  const exact = line && resolveKey(shown, line.key);
  if (!line || !exact || !other.get(exact)) return chart;
  const environment = exact.slice(line.key.length);
  const validated = `${VALIDATION_SUCCESS}${environment}`;
  const isOfSeveral = other.keys.filter((key) => key.startsWith(`${line.key}/`)).length > 1;
  const isElsewhere = chart.validation === VALIDATION_SUCCESS && isOfSeveral && other.get(validated);
  return { ...chart, lines: [{ ...line, key: exact }], ...(isElsewhere && { validation: validated }) };
}

/** Where the updates of a stage of another run belong beside those of the run on screen. */
interface Alignment {
  /** The number of the stage's first update, less one, and that of its last; the last stage has no end, because a total can be lowered. */
  readonly from: number;
  readonly to: number;
  /** An update as the run on screen counts it. */
  toUpdate(update: number): number;
  /** Where an update lies on the horizontal axis. */
  toX(update: number): number;
}

/** Undefined if the other run does not have the stage. */
function alignmentOf(shown: Shown, other: Shown, stage: StageSpan, axis: XAxis): Alignment | undefined {
  const at = other.stages.findIndex((span) => span.stage === stage.stage);
  const [same, next] = other.stages.slice(at);
  if (at < 0 || !same) return undefined;
  const [from, begin] = [same.firstUpdate - 1, stage.firstUpdate - 1];
  // Tokens and time of the stages before differ, too.
  const shift = xOf(shown, axis, begin) - xOf(other, axis, from);
  return {
    from,
    to: next ? next.firstUpdate - 1 : Number.POSITIVE_INFINITY,
    toUpdate: (update) => update - from + begin,
    toX: (update) => xOf(other, axis, update) + shift,
  };
}

/** The part of a line that belongs to the stage; undefined where it is empty. */
function ofStage({ key, smoothing, updates: all, raw: values }: FigureLine, alignment: Alignment) {
  const { from, to, toUpdate, toX } = alignment;
  // A validation before the first update of all has the number 0.
  const first = all.findIndex((update) => update > from || update === 0);
  const last = all.findLastIndex((update) => update <= to);
  if (first < 0 || last < first) return undefined;
  const own = all.subarray(first, last + 1);
  const [updates, raw] = [own.map(toUpdate), values.subarray(first, last + 1)];
  return {
    ...{ key, smoothing, updates, raw, xs: own.map(toX) },
    smoothed: smooth(updates, raw, smoothing),
  };
}

/** The validations of a stage, that before its first update too, which has the number of the update before. */
function pointsOfStage(
  { view, label, color }: ComparedRun,
  chart: ChartSpec,
  { from, to, toUpdate, toX }: Alignment,
): FigurePoint[] {
  return validationPoints(view, chart, toX)
    .filter(({ update }) => update >= from && update <= to)
    .map((point) => ({ ...point, label, color, compared: true, update: toUpdate(point.update) }));
}

/** What is drawn of a line within an axis. */
export function drawnCurve(
  line: ComparedLine,
  range: readonly [number, number],
  buckets: number,
): ComparedCurve {
  const samples = decimate(line.xs, line.smoothed, range, buckets);
  return { ...line, rows: samples.map(({ x, last }) => ({ x, y: last })) };
}
