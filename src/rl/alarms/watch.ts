// Puts every alarm's question after each update, and tells when one begins and when it is over.
import type { Alarm, Sighting } from "./alarm.ts";
import type { History, MetricRow } from "./history.ts";
import { alarms } from "./index.ts";

/** That an alarm began or ended, seen at `update`. Plain data, whole without the alarm's code: it is stored with a run. */
export interface AlarmChange extends Sighting {
  readonly update: number;
  /** The alarm's id. */
  readonly alarm: string;
  readonly state: "begun" | "over";
  readonly severity: Alarm["severity"];
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Rows kept of the run's beginning and of its newest part: alarms compare the two, and a long run must not fill the memory. */
const FIRST_ROWS = 100;
const NEWEST_ROWS = 300;

/** Remembers its reports, so it repeats none; the rows and changes of an earlier session restore its memory. */
export class AlarmWatch {
  private readonly history: MetricRow[] = [];
  /** The last thing that was told of each alarm. */
  private readonly told = new Map<string, AlarmChange>();

  constructor(private readonly watched: readonly Alarm[] = alarms.all) {}

  /** Takes in an update that was told of before, without asking. */
  remember(row: MetricRow): void {
    const names = Object.entries(row.values).filter(([name]) => this.isRead(name));
    this.history.push({ update: row.update, values: Object.fromEntries(names) });
    if (this.history.length > FIRST_ROWS + NEWEST_ROWS) this.history.splice(FIRST_ROWS, 1);
  }

  /** Takes in what was told before of an alarm. */
  recall(change: AlarmChange): void {
    this.told.set(change.alarm, change);
  }

  /** What changed with a new update. */
  see(row: MetricRow): AlarmChange[] {
    this.remember(row);
    return this.watched.flatMap((alarm) => this.ask(alarm, row.update) ?? []);
  }

  private ask(alarm: Alarm, update: number): AlarmChange | null {
    const last = this.told.get(alarm.id);
    const sighting = last?.state === "begun" ? last : null;
    const change = sighting
      ? ended(alarm, this.history, sighting)
      : alarm.raise(this.history, last?.update ?? 0);
    if (!change) return null;
    const told = toldOf(alarm, change, update, sighting ? "over" : "begun");
    this.recall(told);
    return told;
  }

  private isRead(name: string): boolean {
    return this.watched.some(({ reads }) => reads.some((beginning) => name.startsWith(beginning)));
  }
}

const ended = (alarm: Alarm, history: History, sighting: Sighting): Sighting | null =>
  alarm.isOver(history, sighting) ? sighting : null;

function toldOf(
  { id, severity, title, meaning, remedy }: Alarm,
  { began, evidence }: Sighting,
  update: number,
  state: AlarmChange["state"],
): AlarmChange {
  return { alarm: id, state, update, began, evidence, severity, title, meaning, remedy };
}
