// The view model of a chart: from full series to what is drawn. Order: full data → smoothing → decimation → drawing.

import { counted } from "../lib/format.ts";
import { findMetric } from "../metrics/dictionary.ts";
import type { RunView } from "../store/run-view.ts";
import type { Series } from "../store/series.ts";
import type { XAxis, XRange } from "../store/view-options.ts";
import { SHORT_MINUTES } from "./axis-format.ts";
import { type ChartSpec, VALIDATION_SUCCESS } from "./catalog.ts";
import {
  asThisRun,
  type ComparedCurve,
  type ComparedRun,
  comparedIn,
  drawnCurve,
  THIS_RUN,
} from "./compared.ts";
import { bucketsIn, decimate } from "./decimate.ts";
import { type FigureLine, linesOf, xOf } from "./lines.ts";
import { type FigurePoint, pointsWithin, spreadOut, validationPoints } from "./points.ts";
import { niceScale, ticksWithin } from "./scale.ts";
import { isSmoothed } from "./smoothing.ts";

interface FigureOptions {
  x: XAxis;
  range: XRange;
  /** EMA factor, or null for each metric's own default. */
  smoothing: number | null;
  /** Width of the plot in pixels: two pixels for each bucket. */
  width: number;
  /** Runs to draw beside that on screen. */
  compared?: readonly ComparedRun[];
}

type FigureRow = { x: number } & Record<string, number | null | [number, number]>;

export interface Figure {
  lines: readonly FigureLine[];
  rows: readonly FigureRow[];
  /** The curves of other runs, which have rows of their own: on most axes their points lie between those of the run. */
  compared: readonly ComparedCurve[];
  /** Validations that are drawn: on this axis, and few enough to be distinguished. */
  points: readonly FigurePoint[];
  /** All of the run, for tooltips, tables and export; made when they are read, like what is smoothed. */
  validations: () => readonly FigurePoint[];
  /** x positions of values that are not finite. */
  broken: readonly number[];
  /** Values outside a fixed axis: the line leaves the plot there. */
  beyond: readonly { x: number; side: "above" | "below"; color: string }[];
  /** The axis is a share, written in percent. */
  share: boolean;
  /** The axis is logarithmic, where all of it is positive. */
  log: boolean;
  xDomain: readonly [number, number];
  xTicks: readonly number[];
  yDomain: readonly [number, number];
  yTicks: readonly number[];
}

/** Everything a chart draws for the present state of a run. */
export function buildFigure(view: RunView, chart: ChartSpec, options: FigureOptions): Figure {
  // Values that are made on demand hold these, and not the view, whose episodes would stay with an undrawn chart.
  const { axes, stages, series, greedy, validations: reports } = view;
  const { x, compared: runs = [], smoothing, width } = options;
  const toX = (update: number) => xOf({ axes }, x, update);
  const others = comparedIn(view, runs, chart, options);
  const isBeside = others.lines.length > 0 || others.points.some((points) => points.length > 0);
  const lines = linesOf({ series, stages }, isBeside ? asThisRun(chart) : chart, smoothing);
  const validated = () => {
    const own = validationPoints({ validations: reports, series, greedy }, chart, toX);
    return isBeside ? own.map((point) => ({ ...point, ...THIS_RUN })) : own;
  };
  const validations = () => [...validated(), ...others.points.flat()];
  const xDomain = withCompared(domainOfX(view, options, lines, validated()), others);
  const drawn = justAfter(xDomain);
  const { rows, broken } = sampleRows(lines, toX, drawn, bucketsIn(width));
  const compared = others.lines.map((line) => drawnCurve(line, drawn, bucketsIn(width)));
  const points = [validated(), ...others.points].flatMap((of) => spreadOut(pointsWithin(of, xDomain)));
  const axis = yScale(chart, rows, lines, compared, points);
  return {
    lines,
    rows,
    compared,
    points,
    validations,
    broken,
    xDomain,
    xTicks: ticksOfX(xDomain, options.x),
    ...axis,
    log: chart.scale === "log",
    beyond: beyondAxis(rows, lines, compared, chart, axis.yDomain),
  };
}

/**
 * The axis without its very beginning, which is the end of the update before: a point there belongs to the earlier stage. None is before
 * update 0, where only validations are.
 */
const justAfter = ([from, to]: readonly [number, number]): readonly [number, number] => [
  from === 0 ? 0 : from + (to - from) * 1e-9,
  to,
];

/** The axis as long as the longest of the other runs needs it. */
function withCompared(
  [from, to]: readonly [number, number],
  { lines, points }: ReturnType<typeof comparedIn>,
): readonly [number, number] {
  const ends = [...lines.map(({ xs }) => xs.at(-1)!), ...points.flatMap((of) => of.at(-1)?.x ?? [])];
  return [from, Math.max(to, ...ends)];
}

/** The decimated lines, raw and smoothed, as rows in order of x; and where a line has values that are not finite. */
function sampleRows(
  lines: readonly FigureLine[],
  toX: (update: number) => number,
  drawn: readonly [number, number],
  buckets: number,
): Pick<Figure, "rows" | "broken"> {
  const broken: number[] = [];
  const rows = new Map<number, FigureRow>();
  const row = (x: number): FigureRow => {
    const fresh = rows.get(x) ?? { x };
    rows.set(x, fresh);
    return fresh;
  };
  for (const { id, updates, raw, smoothed } of lines) {
    const xs = updates.map(toX);
    for (const sample of decimate(xs, smoothed, drawn, buckets)) row(sample.x)[id] = sample.last;
    for (const { x, last, min, max, broken: isBroken } of decimate(xs, raw, drawn, buckets)) {
      row(x)[`raw:${id}`] = last;
      if (min !== null && max !== null) row(x)[`band:${id}`] = [min, max];
      if (isBroken) broken.push(x);
    }
  }
  return { rows: [...rows.values()].sort((a, b) => a.x - b.x), broken };
}

/** Where a line is outside its axis. */
function beyondAxis(
  rows: readonly FigureRow[],
  lines: readonly FigureLine[],
  compared: readonly ComparedCurve[],
  chart: ChartSpec,
  [low, high]: readonly [number, number],
): Figure["beyond"] {
  if (chart.kind === "stack") return [];
  const own = lines.flatMap(({ id, color }) => rows.map((row) => ({ x: row.x, y: row[id], color })));
  const others = compared.flatMap((line) => line.rows.map((row) => ({ ...row, color: line.color })));
  return [...own, ...others].flatMap(({ x, y, color }) => {
    if (typeof y !== "number" || (y >= low && y <= high)) return [];
    return [{ x, side: y < low ? ("below" as const) : ("above" as const), color }];
  });
}

/** Every update that has a number in the chart, in order: of its lines, and of the validations on its axis. */
export function updatesOfFigure({
  lines,
  compared,
  validations,
  xDomain,
}: Pick<Figure, "lines" | "compared" | "validations" | "xDomain">): Float64Array {
  const points = pointsWithin(validations(), xDomain);
  const ofLines = [...lines, ...compared].flatMap(({ updates }) => [...updates]);
  const all = [...ofLines, ...points.map(({ update }) => update)];
  return Float64Array.from(new Set(all)).sort();
}

/**
 * The newest value as it is drawn: of the first line, or the height of a stack. A reward part that is no
 * longer paid (its weight was set to 0) does not count.
 */
export function newestValue(lines: readonly FigureLine[], kind?: ChartSpec["kind"]): number | undefined {
  if (kind !== "stack") return lines[0]?.smoothed.at(-1);
  const newest = Math.max(...lines.map(({ updates }) => updates.at(-1) ?? -1));
  const parts = lines.filter(({ updates }) => updates.at(-1) === newest);
  return parts.length > 0 ? parts.reduce((sum, { smoothed }) => sum + smoothed.at(-1)!, 0) : undefined;
}

/** The line that the newest value is of, where there are several; empty for one, and for the height of a stack. */
export const newestLabel = (lines: readonly FigureLine[], kind?: ChartSpec["kind"]): string =>
  lines.length > 1 && kind !== "stack" ? lines[0]!.label : "";

/** From the start of the chosen range (or of what the chart has, if that is later) to the newest update. */
function domainOfX(
  view: RunView,
  { x, range }: FigureOptions,
  lines: readonly FigureLine[],
  validated: readonly FigurePoint[],
): readonly [number, number] {
  const newest = Math.max(view.update, lastX(view.axes.wallMs), validated.at(-1)?.update ?? 0);
  const ofLines = lines.flatMap((line) => (line.updates.length > 0 ? [line.updates[0]!] : []));
  const first = Math.min(...ofLines, validated[0]?.update ?? newest);
  const stageStart = (view.stages.find((span) => span.stage === view.stage)?.firstUpdate ?? 1) - 1;
  const ended = lines.every((line) => (line.updates.at(-1) ?? 0) <= stageStart);
  // A chart of an earlier stage keeps its own range: there is nothing of it in the current one.
  const from = range === "stage" && !ended ? Math.max(stageStart, Math.min(first - 1, newest)) : first - 1;
  const to =
    ended && range === "stage" ? Math.max(...lines.map((line) => line.updates.at(-1) ?? 0), from) : newest;
  const start = from < 1 ? 0 : from;
  if (x === "update") return [start, Math.max(to, start + 5)];
  const [low, high] = [start === 0 ? 0 : xOf(view, x, start), xOf(view, x, to)];
  return [low, high > low ? high : low + 1];
}

/** Whole ticks of what comes in ones; of minutes so few that they are written in seconds, whole seconds. */
export function ticksOfX(domain: readonly [number, number], x: XAxis): number[] {
  if (x !== "time") return ticksWithin(domain, 5, true);
  if (domain[1] > SHORT_MINUTES) return ticksWithin(domain, 5);
  return ticksWithin([domain[0] * 60, domain[1] * 60], 5, true).map((seconds) => seconds / 60);
}

const lastX = (series: Series) => (series.length > 0 ? series.xs[series.length - 1]! : 0);

function yScale(
  chart: ChartSpec,
  rows: readonly FigureRow[],
  lines: readonly FigureLine[],
  compared: readonly ComparedCurve[],
  points: readonly FigurePoint[],
): Pick<Figure, "yDomain" | "yTicks" | "share"> {
  const heights = [
    ...rows.flatMap((row) => heightsOf(row, lines, chart.kind)),
    ...compared.flatMap((line) => line.rows.flatMap(({ y }) => y ?? [])),
    ...points.map(({ y }) => y),
  ].filter(Number.isFinite);
  if (chart.fitted) return fittedScale(heights);
  const range = findMetric(chart.lines[0]?.key ?? chart.validation ?? VALIDATION_SUCCESS)?.range ?? null;
  if (range && Number.isFinite(range[1])) {
    const [low, high] = range;
    if (low === 0 && high === 1) return { ...SHARES, share: true };
    if (low === 0) return { yDomain: range, yTicks: ticksWithin(range, high, true), share: false };
    return { yDomain: range, yTicks: [low, low / 2, 0, high / 2, high], share: false };
  }
  if (chart.guide && heights.length > 0) heights.push(chart.guide.value);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const fromZero = range?.[0] === 0 || (chart.kind === "stack" && low >= 0);
  return { ...niceScale([low, high], { fromZero, log: chart.scale === "log" }), share: false };
}

/** Where the axis of a fitted chart ends at the earliest: lower ticks would have to be written with decimals. */
const LEAST_SHARE = 0.05;

/** An axis of shares that ends above the largest of them. */
function fittedScale(shares: readonly number[]): ReturnType<typeof yScale> {
  const fitted = niceScale([0, Math.max(LEAST_SHARE, ...shares)], { fromZero: true });
  return { ...(fitted.yDomain[1] > 1 ? SHARES : fitted), share: true };
}

/** The axis of shares. */
const SHARES: Pick<Figure, "yDomain" | "yTicks"> = { yDomain: [0, 1], yTicks: [0, 0.25, 0.5, 0.75, 1] };

/** What a row needs of the value axis: values and bands of its lines, or the two ends of its stack. */
function heightsOf(row: FigureRow, lines: readonly FigureLine[], kind: ChartSpec["kind"]): number[] {
  const drawn = lines.filter(({ id }) => typeof row[id] === "number");
  const values = drawn.map(({ id }) => row[id] as number);
  const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0);
  if (kind === "stack") return [sum(values.filter((v) => v > 0)), sum(values.filter((v) => v < 0))];
  return [...values, ...drawn.flatMap(({ id }) => (row[`band:${id}`] as [number, number] | undefined) ?? [])];
}

/**
 * Where updates lie on the axis of a chart. One that the run on screen has not reached lies where another run has it, which makes no
 * difference along updates.
 */
export function placesIn(
  { compared, points }: Figure,
  axes: RunView["axes"],
  x: XAxis,
): (update: number) => number {
  const newest = lastX(axes.wallMs);
  const beyond = new Map<number, number>();
  for (const { updates, xs } of compared)
    updates.forEach((update, i) => void (update > newest && beyond.set(update, xs[i]!)));
  for (const { update, x } of points) if (update > newest && !beyond.has(update)) beyond.set(update, x);
  return (update) => beyond.get(update) ?? xOf({ axes }, x, update);
}

/** Index of the point nearest to an update; −1 in an empty line. */
export function nearest(updates: Float64Array, update: number): number {
  let best = -1;
  for (let i = 0; i < updates.length; i++) {
    if (best < 0 || Math.abs(updates[i]! - update) < Math.abs(updates[best]! - update)) best = i;
  }
  return best;
}

/** How a line is smoothed, beside every number of it that is: "EMA 0.6"; empty for a line of raw values. */
export const smoothedBy = (line: Pick<FigureLine, "raw" | "smoothing"> | undefined): string =>
  line && isSmoothed(line.raw.length, line.smoothing) ? `EMA ${line.smoothing}` : "";

/** One sentence for screen readers: last value, trend, range, number of updates. */
export function summarise(
  title: string,
  line: FigureLine | undefined,
  write: (value: number) => string,
): string {
  const finite = line ? [...line.smoothed].filter(Number.isFinite) : [];
  if (finite.length === 0) return `${title}: no values yet.`;
  const last = finite.at(-1)!;
  const earlier = finite[Math.max(0, finite.length - 1 - Math.ceil(finite.length / 5))]!;
  const change = last - earlier;
  const small = Math.abs(change) <= 0.02 * (Math.abs(last) + Math.abs(earlier));
  const trend = finite.length < 3 || small ? "steady" : change > 0 ? "rising" : "falling";
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const smoothed = smoothedBy(line);
  return `${title}: last ${write(last)}${smoothed && ` (${smoothed})`}, ${trend}, between ${write(low)} and ${write(high)}, ${counted(finite.length, "update")}.`;
}
