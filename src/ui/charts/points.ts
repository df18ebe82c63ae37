// The validations of a run as points of a chart.
import type { SuccessCount } from "../../training/events.ts";
import type { RunView, Validation } from "../store/run-view.ts";
import { type ChartSpec, VALIDATION_SUCCESS, validatedLines } from "./catalog.ts";

export interface FigurePoint {
  /** The line that it belongs to. */
  label: string;
  /** A CSS variable of the palette. */
  color: string;
  x: number;
  y: number;
  update: number;
  /** Episodes that were played. */
  n: number;
  /** Of a success rate only: what it counts. */
  successes: number | null;
  /** Distances down and up to the interval's ends, as error bars want them; 0 where there is none. */
  error: [number, number];
  /** Always the likeliest token, instead of sampling. */
  greedy: boolean;
  /** Of another run, drawn without its interval: those of several runs would cover each other. */
  compared?: true;
}

export type Validated = Pick<RunView, "validations" | "series" | "greedy">;

/** The points of validations that have a value of the chart's metrics. */
export function validationPoints(
  view: Validated,
  chart: ChartSpec,
  toX: (update: number) => number,
): FigurePoint[] {
  const validated = validatedLines(chart);
  return view.validations.flatMap((report) =>
    validated.flatMap(({ validation, label, color }) => {
      const y = validationValue(view, report, validation);
      if (y === undefined) return [];
      const point = validationPoint(report, y, countOf(report, validation), toX);
      return [{ ...point, label, color }];
    }),
  );
}

function validationValue(view: Validated, report: Validation, key: string): number | undefined {
  const { update, temperature, episodes, successes } = report;
  if (key === VALIDATION_SUCCESS) return episodes > 0 ? successes / episodes : 0;
  return (temperature > 0 ? view.series : view.greedy).get(key)?.exactlyAt(update);
}

/**
 * What a success rate counts: episodes on the levels of the first environment, of a further one or of a validation set. Undefined of
 * other metrics, and of further levels in runs of earlier versions.
 */
function countOf(report: Validation, key: string): SuccessCount | undefined {
  if (key === VALIDATION_SUCCESS) return report;
  const { further } = report;
  if (!further || !key.startsWith(`${VALIDATION_SUCCESS}/`)) return undefined;
  // The first environment's levels are those of the report itself.
  return further[key.slice(VALIDATION_SUCCESS.length + 1)] ?? report;
}

function validationPoint(
  { update, episodes, temperature }: Validation,
  y: number,
  count: SuccessCount | undefined,
  toX: (update: number) => number,
): Omit<FigurePoint, "label" | "color"> {
  const [low, high] = count?.interval ?? [y, y];
  const error: [number, number] = [Math.max(0, y - low), Math.max(0, high - y)];
  const n = count?.episodes ?? episodes;
  return {
    x: toX(update),
    y,
    error,
    update,
    n,
    successes: count?.successes ?? null,
    greedy: temperature === 0,
  };
}

/** The points that lie on an axis. */
export const pointsWithin = (
  points: readonly FigurePoint[],
  [from, to]: readonly [number, number],
): FigurePoint[] => points.filter(({ x }) => x >= from && x <= to);

/** Validated updates whose points are drawn. More would cover each other, and each is a handful of elements. */
const DRAWN_VALIDATIONS = 40;

/** Every second update's points, every fourth and so on until they are few; the newest always. */
export function spreadOut(points: readonly FigurePoint[]): FigurePoint[] {
  const updates = [...new Set(points.map(({ update }) => update))];
  let step = 1;
  while (updates.length / step > DRAWN_VALIDATIONS) step *= 2;
  const drawn = new Set(updates.filter((_, i) => i % step === 0 || i === updates.length - 1));
  return points.filter(({ update }) => drawn.has(update));
}
