// The numbers of a run's log, one row for each update and each validation.
import type { TrainerEvent } from "../../training/events.ts";

export interface LoggedRow {
  /** Updates done. */
  readonly step: number;
  /** Time of the row, in seconds since 1970. */
  readonly seconds: number;
  /** Only finite numbers. */
  readonly values: Readonly<Record<string, number>>;
}

/** Prefix of what a policy reached greedily: the same names exist for the sampled part of a validation. */
const GREEDY = "greedy/";

/** Rows in the order of the log. Times follow from the run's start and the time that it had trained. */
export function loggedRows(history: readonly TrainerEvent[]): LoggedRow[] {
  const rows: LoggedRow[] = [];
  let [started, trained] = [0, 0];
  for (const event of history) {
    if (event.type === "run_started" && started === 0) started = event.time;
    if (event.type === "metrics") trained = event.wallMs;
    const row = rowOf(event);
    if (row) rows.push({ ...row, seconds: (started + trained) / 1000 });
  }
  return rows;
}

function rowOf(event: TrainerEvent): Pick<LoggedRow, "step" | "values"> | null {
  if (event.type === "metrics") return { step: event.update, values: finite(event.values) };
  if (event.type !== "validation") return null;
  const { update, temperature, metrics, successes, episodes } = event.report;
  const all = finite({ "val/success": successes / Math.max(1, episodes), ...metrics });
  const names = Object.entries(all).map(([name, value]) => [temperature > 0 ? name : GREEDY + name, value]);
  return { step: update, values: Object.fromEntries(names) };
}

const finite = (values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));

/**
 * The rows as CSV with the columns `step` and `timestamp`, as Trackio's `import_csv` reads it. Numbers that a row does not
 * have stay empty; rows of one step are one line.
 */
export function csvOf(rows: readonly LoggedRow[]): string {
  const byStep = new Map<number, LoggedRow>();
  for (const row of rows) {
    const before = byStep.get(row.step);
    byStep.set(row.step, { ...row, values: { ...before?.values, ...row.values } });
  }
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const lines = [...byStep.values()].map(({ step, seconds, values }) =>
    [step, new Date(seconds * 1000).toISOString(), ...names.map((name) => values[name] ?? "")].join(","),
  );
  return `${[["step", "timestamp", ...names.map(quoted)].join(","), ...lines].join("\n")}\n`;
}

/** Names of extensions may have any character. */
const quoted = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
