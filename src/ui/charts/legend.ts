// What a chart's marks mean: the same list beside the chart and in its picture.
import type { ChartSpec } from "./catalog.ts";
import type { Figure } from "./figure.ts";

export interface LegendItem {
  mark: "line" | "area" | "dot" | "diamond";
  /** A CSS variable of the palette. */
  color: string;
  /** Lengths of a line's dashes and gaps in pixels; absent: it is solid. */
  dash?: string;
  label: string;
}

/** Pixels of a dashed line in a legend: its dashes twice. */
export const DASHED_WIDTH = 24;

/** Empty for a single line without company, which the title names. */
export function legendOf(
  chart: ChartSpec,
  { lines, compared, points }: Pick<Figure, "lines" | "compared" | "points">,
): LegendItem[] {
  const [point] = points;
  if (lines.length < 2 && compared.length === 0 && !point) return [];
  if (compared.length > 0 || points.some((of) => of.compared))
    return legendOfRuns({ lines, compared, points });
  const mark = chart.kind === "stack" ? "area" : "line";
  const alone = chart.validation !== undefined && lines.length === 1;
  // Points of a line have its colour, which is named even before the line begins.
  const byLine = chart.lines.some(({ validation }) => validation);
  const drawn = (byLine ? chart.lines : lines).map(
    ({ color, dash, label }) =>
      ({ mark, color, ...(dash && { dash }), label: alone ? "Training" : label }) as const,
  );
  if (!point) return drawn;
  const validated = lines.length > 1 && !byLine ? `${point.label}, validation` : "Validation";
  const interval = point.successes === null ? "" : ", 95 % interval";
  const color = byLine ? "--muted" : point.color;
  return [
    ...drawn,
    { mark: "dot", color, label: `${validated}${interval}` },
    { mark: "diamond", color, label: "Greedy" },
  ];
}

/** Runs beside each other. One that was only validated has no line, and is named by its points. */
function legendOfRuns({
  lines,
  compared,
  points,
}: Pick<Figure, "lines" | "compared" | "points">): LegendItem[] {
  const drawn = [...lines, ...compared].map(
    ({ color, dash, label }): LegendItem => ({ mark: "line", color, ...(dash && { dash }), label }),
  );
  const others = new Map(points.map(({ label, color }) => [label, color]));
  for (const { label } of drawn) others.delete(label);
  const validated = [...others].map(([label, color]): LegendItem => ({ mark: "dot", color, label }));
  if (points.length === 0) return drawn;
  const interval = points.some(({ successes, compared: of }) => successes !== null && !of);
  return [
    ...drawn,
    ...validated,
    { mark: "dot", color: "--muted", label: `Validation${interval ? ", 95 % interval" : ""}` },
    { mark: "diamond", color: "--muted", label: "Greedy" },
  ];
}

/** Items in rows as wide as `room`, each item `widthOf` wide; one that is wider has a row of its own. */
export function legendRows<T>(items: readonly T[], widthOf: (item: T) => number, room: number): T[][] {
  const rows: T[][] = [];
  let left = 0;
  for (const item of items) {
    const width = widthOf(item);
    if (rows.length === 0 || width > left) {
      rows.push([]);
      left = room;
    }
    rows.at(-1)!.push(item);
    left -= width;
  }
  return rows;
}
