// Every metric at every update, unsmoothed and undecimated.
import type { RunView } from "../store/run-view.ts";

/** One row an update, one column a metric; an empty cell where a metric was not logged. */
export function metricsCsv(view: Pick<RunView, "series" | "axes">): string {
  const keys = [...view.series.keys].sort();
  const columns = keys.map((key) => {
    const { xs, ys } = view.series.get(key)!;
    return new Map(Array.from(xs, (x, i) => [x, ys[i]!]));
  });
  const updates = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const head = ["update", "tokens", "wall_ms", ...keys];
  const rows = updates.map((update) => [
    update,
    view.axes.tokens.at(update) ?? "",
    view.axes.wallMs.at(update) ?? "",
    ...columns.map((column) => column.get(update) ?? ""),
  ]);
  return `${[head, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}
