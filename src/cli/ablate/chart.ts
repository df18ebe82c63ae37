// Learning curves of an ablation as a Vega-Lite chart: the mean over the seeds, and the range that they span.
import type { TopLevelSpec } from "vega-lite";
import type { CellResult } from "./results.ts";

/** One validation of one run. */
interface Point {
  row: string;
  update: number;
  success: number;
}

/** Colours that stay apart for colour-blind eyes and in grey (Okabe and Ito, 2008). */
const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/** The chart of some rows under their names. */
export function curvesSpec(title: string, rows: readonly { name: string; cell: CellResult }[]): TopLevelSpec {
  const values: Point[] = rows.flatMap(({ name, cell }) =>
    cell.runs.flatMap(({ curve }) => curve.map((point) => ({ row: name, ...point }))),
  );
  const names = rows.map(({ name }) => name);
  const x = { field: "update", type: "quantitative", title: "PPO updates" } as const;
  const color = {
    field: "row",
    title: null,
    sort: names,
    scale: { domain: names, range: COLORS },
    legend: { symbolOpacity: 1, symbolType: "stroke", symbolStrokeWidth: 3 },
  } as const;
  const y = {
    field: "success",
    type: "quantitative" as const,
    scale: { domain: [0, 1] },
    title: "Success on unseen levels",
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title,
    width: 560,
    height: 320,
    background: "white",
    data: { values },
    layer: [
      {
        mark: { type: "area", opacity: 0.15 },
        encoding: {
          x,
          color,
          y: { ...y, aggregate: "min" },
          y2: { field: "success", aggregate: "max" },
        },
      },
      {
        mark: { type: "line", point: { size: 24 } },
        encoding: { x, color, y: { ...y, aggregate: "mean" } },
      },
    ],
  };
}

/** A chart as SVG text. The libraries are loaded only here. */
export async function drawSvg(spec: TopLevelSpec): Promise<string> {
  const [{ compile }, { parse, View }] = await Promise.all([import("vega-lite"), import("vega")]);
  return new View(parse(compile(spec).spec), { renderer: "none" }).toSVG();
}
