// Every metric at every update, unsmoothed and undecimated.
import type { RunView } from "../store/run-view.ts";
import type { FigureLine } from "./figure.ts";

/** One row an update, one column a metric; an empty cell where a metric was not logged. */
export function metricsCsv(view: Pick<RunView, "series" | "axes">): string {
  const keys = [...view.series.keys].sort();
  const columns = keys.map((key) => {
    const { xs, ys } = view.series.get(key)!;
    return new Map(Array.from(xs, (x, i) => [x, ys[i]!]));
  });
  const updates = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const head = ["update", "turns", "tokens", "wall_ms", ...keys];
  const rows = updates.map((update) => [
    update,
    view.axes.turns.at(update) ?? "",
    view.axes.tokens.at(update) ?? "",
    view.axes.wallMs.at(update) ?? "",
    ...columns.map((column) => column.get(update) ?? ""),
  ]);
  return `${[head, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** The lines of one chart, unsmoothed: one row an update, one column a line. */
export function linesCsv(lines: readonly Pick<FigureLine, "label" | "updates" | "raw">[]): string {
  const columns = lines.map(({ updates, raw }) => new Map(Array.from(updates, (x, i) => [x, raw[i]!])));
  const updates = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const rows = updates.map((update) => [update, ...columns.map((column) => column.get(update) ?? "")]);
  const head = ["update", ...lines.map(({ label }) => quoted(label))];
  return `${[head, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** A cell that holds a comma or a quote stands in quotes (RFC 4180). */
const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
