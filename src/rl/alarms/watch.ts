// Checks every alarm after each update and reports when one begins or ends.
import type { Alarm, Detection } from "./alarm.ts";
import type { History, MetricRow } from "./history.ts";
import { alarms } from "./index.ts";

/** An alarm that began or ended, detected at `update`. Complete plain data, because it is stored with a run. */
export interface AlarmChange extends Detection {
  readonly update: number;
  /** The alarm's id. */
  readonly alarm: string;
  readonly state: "begun" | "over";
  readonly severity: Alarm["severity"];
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** The rows to keep: the first and the newest. Alarms compare these, and a long run must not fill the memory. */
const FIRST_ROWS = 100;
const NEWEST_ROWS = 300;

/** Reports each change once. The rows and changes of an earlier session can be added with `remember` and `restore`. */
export class AlarmWatch {
  private readonly history: MetricRow[] = [];
  /** The last change of each alarm. */
  private readonly changes = new Map<string, AlarmChange>();

  constructor(private readonly watched: readonly Alarm[] = alarms.all) {}

  /** Adds the metrics of an update without checking alarms. */
  remember(row: MetricRow): void {
    const names = Object.entries(row.values).filter(([name]) => this.isRead(name));
    this.history.push({ update: row.update, values: Object.fromEntries(names) });
    if (this.history.length > FIRST_ROWS + NEWEST_ROWS) this.history.splice(FIRST_ROWS, 1);
  }

  /** Adds a change that was reported before. */
  restore(change: AlarmChange): void {
    this.changes.set(change.alarm, change);
  }

  /** Adds the metrics of a new update; returns the alarms that began or ended with it. */
  check(row: MetricRow): AlarmChange[] {
    this.remember(row);
    return this.watched.flatMap((alarm) => this.checkOne(alarm, row.update) ?? []);
  }

  private checkOne(alarm: Alarm, update: number): AlarmChange | null {
    const last = this.changes.get(alarm.id);
    const current = last?.state === "begun" ? last : null;
    const change = current
      ? ended(alarm, this.history, current)
      : alarm.detect(this.history, last?.update ?? 0);
    if (!change) return null;
    const reported = changeOf(alarm, change, update, current ? "over" : "begun");
    this.restore(reported);
    return reported;
  }

  private isRead(name: string): boolean {
    return this.watched.some(({ reads }) => reads.some((beginning) => name.startsWith(beginning)));
  }
}

const ended = (alarm: Alarm, history: History, current: Detection): Detection | null =>
  alarm.isOver(history, current) ? current : null;

function changeOf(
  { id, severity, title, meaning, remedy }: Alarm,
  { began, evidence }: Detection,
  update: number,
  state: AlarmChange["state"],
): AlarmChange {
  return { alarm: id, state, update, began, evidence, severity, title, meaning, remedy };
}
