// Every metric at every update, unsmoothed and undecimated.
import type { RunView } from "../store/run-view.ts";
import type { SeriesTable } from "../store/series.ts";
import { type Column, updatesOf } from "./numbers.ts";

type Numbers = Pick<RunView, "series" | "greedy" | "axes">;

/** One row an update, one column a metric, of greedy validations too; an empty cell where a metric was not logged. */
export function metricsCsv(view: Numbers): string {
  const named = [...columnsOfTable(view.series), ...columnsOfTable(view.greedy, "greedy:")];
  const keys = named.map(([key]) => key);
  const columns = named.map(([, column]) => column);
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

/** The columns of a table by name. Greedy validations have the names of sampled ones, so theirs get a prefix. */
function columnsOfTable(table: SeriesTable, prefix = ""): [string, Map<number, number>][] {
  return [...table.keys].sort().map((key) => {
    const { xs, ys } = table.get(key)!;
    return [prefix + key, new Map(Array.from(xs, (x, i) => [x, ys[i]!]))];
  });
}

/** The numbers of one chart: one row an update, one column a line or a kind of validation, whose interval has its own. */
export function chartCsv(columns: readonly Column[]): string {
  const cells = columns.flatMap(({ label, unit, values, intervals }) => {
    const head = (name: string) => quoted(unit ? `${name} (${unit})` : name);
    const bound = (end: 0 | 1) => (update: number) => intervals?.get(update)?.[end] ?? "";
    const own = { head: head(label), at: (update: number) => values.get(update) ?? "" };
    if (!intervals) return [own];
    return [
      own,
      { head: head(`${label}, 95 % from`), at: bound(0) },
      { head: head(`${label}, 95 % to`), at: bound(1) },
    ];
  });
  const rows = updatesOf(columns).map((update) => [update, ...cells.map(({ at }) => at(update))]);
  return `${[["update", ...cells.map(({ head }) => head)], ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** A cell with a comma or a quote is quoted (RFC 4180). */
const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
