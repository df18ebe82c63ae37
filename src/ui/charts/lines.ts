// The lines of a chart: the numbers that a run has of its metrics, raw and smoothed, and where they lie on the horizontal axis.
import { findMetric } from "../metrics/dictionary.ts";
import type { RunView } from "../store/run-view.ts";
import type { Numbers } from "../store/series.ts";
import type { XAxis } from "../store/view-options.ts";
import { type ChartSpec, resolveKey } from "./catalog.ts";
import { smooth } from "./smoothing.ts";

export interface FigureLine {
  /** Column of `rows`; its raw values are in `raw:<id>` and its band in `band:<id>`. */
  id: string;
  /** Of the metric, as the catalog has it. */
  key: string;
  label: string;
  color: string;
  /** Lengths of dashes and gaps in pixels; empty for a solid line. */
  dash: string;
  smoothing: number;
  /** Full-resolution columns for tooltips, tables and export. They are those of the run, which no chart copies. */
  updates: Float64Array;
  raw: Numbers;
  /** Made when it is read: a chart that kept it would hold as much as the run's own numbers. */
  readonly smoothed: Float64Array;
}

/** The lines of a chart for which the run has numbers. */
export function linesOf(
  { series: table, stages }: Pick<RunView, "series" | "stages">,
  chart: ChartSpec,
  chosenSmoothing: number | null,
): FigureLine[] {
  return chart.lines.flatMap(({ key, label, color, dash = "" }, index): FigureLine[] => {
    const resolved = resolveKey(table, key);
    const series = resolved ? table.get(resolved) : undefined;
    if (!series) return [];
    const smoothing = smoothingOf(key, chosenSmoothing);
    const { xs: updates, ys: raw } = series;
    const line: FigureLine = {
      ...{ id: `y${index}`, key, label, color, dash, smoothing, updates, raw },
      get smoothed() {
        return smoothByStage(updates, raw, smoothing, stages);
      },
    };
    return [line];
  });
}

/** Smoothing starts again with each stage: values of SFT say nothing about PPO updates. */
function smoothByStage(
  xs: Float64Array,
  ys: Numbers,
  factor: number,
  stages: RunView["stages"],
): Float64Array {
  const out = new Float64Array(ys.length);
  const starts = stages.map((span) => xs.findIndex((x) => x >= span.firstUpdate)).filter((at) => at > 0);
  let from = 0;
  for (const to of [...new Set(starts), ys.length]) {
    out.set(smooth(xs.subarray(from, to), ys.subarray(from, to), factor), from);
    from = to;
  }
  return out;
}

/** A metric that is never smoothed by default (learning rates, gradient norms) stays so under the common slider. */
function smoothingOf(key: string, chosen: number | null): number {
  const usual = findMetric(key)?.smoothing ?? 0.6;
  return chosen === null || usual === 0 ? usual : chosen;
}

/** Where an update lies on the chosen axis: its number, or the turns, tokens or minutes spent until then. */
export function xOf(view: Pick<RunView, "axes">, axis: XAxis, update: number): number {
  switch (axis) {
    case "update":
      return update;
    case "turns":
      return view.axes.turns.at(update) ?? 0;
    case "tokens":
      return view.axes.tokens.at(update) ?? 0;
    case "time":
      return (view.axes.wallMs.at(update) ?? 0) / 60_000;
  }
}
