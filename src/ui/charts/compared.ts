// The curves of other runs in a chart of the run on screen.
import type { RunView } from "../store/run-view.ts";
import type { XAxis } from "../store/view-options.ts";
import type { ChartSpec } from "./catalog.ts";
import { decimate } from "./decimate.ts";
import { type FigureLine, linesOf, xOf } from "./lines.ts";
import { type FigurePoint, type Validated, validationPoints } from "./points.ts";
import { smooth } from "./smoothing.ts";

type Aligned = Pick<RunView, "stages" | "axes">;

/** A run whose curves are drawn beside those of the run on screen, and how they look. */
export interface ComparedRun {
  readonly label: string;
  /** A CSS variable of the palette. */
  readonly color: string;
  /** Lengths of dashes and gaps in pixels. */
  readonly dash: string;
  readonly view: Aligned & Validated;
}

/** The looks of other runs: colours that stay apart from those of a run and its validations (palette.test.ts). */
export const COMPARED_LOOKS = [
  { letter: "B", color: "--run-4", dash: "7 3" },
  { letter: "C", color: "--run-3", dash: "2 2" },
  { letter: "D", color: "--run-6", dash: "8 2 2 2" },
] as const;

/** A line of another run. Its updates are counted as those of the run on screen: each stage begins with the same number in both. */
export interface ComparedLine extends FigureLine {
  /** Where each update lies on the horizontal axis. */
  readonly xs: Float64Array;
}

/** What is drawn of a line. */
export interface ComparedCurve extends ComparedLine {
  readonly rows: readonly { readonly x: number; readonly y: number | null }[];
}

/** Where the updates of another run belong beside those of the run on screen. */
interface Alignment {
  /** The number of its first update of the stage, less one. */
  readonly from: number;
  /** An update as the run on screen counts it. */
  toUpdate(update: number): number;
  /** Where an update lies on the horizontal axis. */
  toX(update: number): number;
}

/** How the run on screen is named beside others. */
const THIS_RUN = "This run";

/**
 * A chart as it draws the run on screen beside others: its line is named after the run and not after the metric, which the title names,
 * and its validations have the colour of the line.
 */
export function asThisRun({ validation, ...chart }: ChartSpec): ChartSpec {
  const lines = chart.lines.map((line) => ({ ...line, label: THIS_RUN, ...(validation && { validation }) }));
  return { ...chart, lines };
}

/** Charts of several lines would have too many, and parts of a whole do not lie beside each other. */
const isComparable = ({ kind, lines }: ChartSpec): boolean => kind !== "stack" && lines.length === 1;

/** The lines of other runs in a chart. A run without the metric, or in a stage that the run on screen does not have, has none. */
export function comparedLines(
  shown: Aligned,
  runs: readonly ComparedRun[],
  chart: ChartSpec,
  { x, smoothing }: { x: XAxis; smoothing: number | null },
): ComparedLine[] {
  if (!isComparable(chart)) return [];
  return runs.flatMap((run, index) => {
    const [line] = linesOf(run.view, chart, smoothing);
    const last = line?.updates.at(-1);
    const alignment = last !== undefined && alignmentOf(shown, run.view, x, last);
    if (!line || !alignment) return [];
    const { label, color, dash } = run;
    return [{ ...ofStage(line, alignment), id: `compared${index}`, label, color, dash }];
  });
}

/** The validations of other runs in a chart, under their names and in their colours. */
export function comparedPoints(
  shown: Aligned,
  runs: readonly ComparedRun[],
  chart: ChartSpec,
  x: XAxis,
): FigurePoint[] {
  if (!isComparable(chart)) return [];
  return runs.flatMap(({ view, label, color }) => {
    const last = view.validations.at(-1)?.update;
    // A validation before the first update of a stage has the number of the update before.
    const alignment = last !== undefined && alignmentOf(shown, view, x, last + 1);
    if (!alignment) return [];
    return validationPoints(view, chart, alignment.toX)
      .filter(({ update }) => update >= alignment.from)
      .map((point) => ({
        ...{ ...point, label, color, compared: true },
        update: alignment.toUpdate(point.update),
      }));
  });
}

/** Of the stage that an update of the other run is in; undefined if the run on screen does not have that stage. */
function alignmentOf(shown: Aligned, other: Aligned, axis: XAxis, update: number): Alignment | undefined {
  const stage = other.stages.findLast(({ firstUpdate }) => firstUpdate <= update);
  const same = shown.stages.find((span) => span.stage === stage?.stage);
  if (!stage || !same) return undefined;
  const [from, to] = [stage.firstUpdate - 1, same.firstUpdate - 1];
  return {
    from,
    toUpdate: (update) => update - from + to,
    // Tokens and time of the stages before differ, too.
    toX: (update) => xOf(shown, axis, to) + xOf(other, axis, update) - xOf(other, axis, from),
  };
}

/** The part of a line that belongs to the stage. */
function ofStage(
  line: FigureLine,
  { from, toUpdate, toX }: Alignment,
): Pick<ComparedLine, "key" | "smoothing" | "updates" | "raw" | "smoothed" | "xs"> {
  const { key, smoothing } = line;
  const first = line.updates.findIndex((update) => update > from);
  const own = line.updates.subarray(first);
  const [updates, raw] = [own.map(toUpdate), line.raw.subarray(first)];
  return { key, smoothing, updates, raw, smoothed: smooth(updates, raw, smoothing), xs: own.map(toX) };
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
