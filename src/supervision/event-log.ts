// What of the event stream is kept beside a run, and how it is read back.
import { withoutSecrets } from "../core/address.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import type { TrainerEvent } from "../training/events.ts";
import { knownEvents } from "./stored-events.ts";

/**
 * Trajectories are large and phases are many; neither is needed to show a run again. Everything else is a few numbers
 * for each update.
 */
function isStorable(event: TrainerEvent): boolean {
  return event.type !== "trajectory" && event.type !== "phase" && event.type !== "prepare";
}

/** The stored events of a run. What is damaged is left out, and so are credentials in the address of a judge. */
export async function loadHistory(store: CheckpointStore, runId: string): Promise<TrainerEvent[]> {
  const { events } = knownEvents(await store.loadEvents(runId));
  return events.map((event) =>
    event.type === "run_started" ? { ...event, config: withoutSecrets(event.config) } : event,
  );
}

/** Events that wait for room on the disk; some 40 MB of metrics. */
export const KEPT_EVENTS = 10_000;

/** What a log reports about itself. */
export interface LogReports {
  /** Nothing could be written; it is tried again at the next flush. */
  onFailure(error: unknown): void;
  /** A write succeeded. */
  onWritten(): void;
  /** More events wait than are kept, so the oldest metrics are missing from the log. */
  onDropped?(): void;
}

/**
 * Appends to a run's log in order and never makes training wait. What cannot be written waits for the next flush, so that
 * the log has no gap once there is room again.
 */
export class EventLog {
  /** Events that will replace the stored log; null when it stays. */
  private replacement: readonly TrainerEvent[] | null = null;
  private pending: TrainerEvent[] = [];
  private written: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: CheckpointStore,
    private readonly runId: string,
    private readonly reports: LogReports,
    private readonly keep = KEPT_EVENTS,
  ) {}

  add(event: TrainerEvent): void {
    if (!isStorable(event)) return;
    this.pending.push(event);
    this.bound();
  }

  /** Puts other events in place of all that were stored before, ahead of those that are still to be written. */
  rewrite(events: readonly TrainerEvent[]): void {
    this.replacement = events.filter(isStorable);
    void this.flush();
  }

  /** Resolves when everything added so far is stored, or is known not to be. */
  flush(): Promise<void> {
    this.written = this.written.then(() => this.writeAll());
    return this.written;
  }

  private async writeAll(): Promise<void> {
    try {
      while (await this.writeNext()) this.reports.onWritten();
    } catch (error) {
      this.reports.onFailure(error);
    }
  }

  /** Whether there was anything to write. */
  private async writeNext(): Promise<boolean> {
    const { replacement, pending } = this;
    if (replacement) {
      await this.store.replaceEvents(this.runId, replacement);
      if (this.replacement === replacement) this.replacement = null;
      return true;
    }
    if (pending.length === 0) return false;
    this.pending = [];
    try {
      await this.store.appendEvents(this.runId, pending);
    } catch (error) {
      this.pending = [...pending, ...this.pending];
      this.bound();
      throw error;
    }
    return true;
  }

  /** What happened to the run matters more than the numbers of one update, so the oldest metrics go first. */
  private bound(): void {
    while (this.pending.length > this.keep) {
      const oldest = this.pending.findIndex(({ type }) => type === "metrics");
      this.pending.splice(Math.max(0, oldest), 1);
      this.reports.onDropped?.();
    }
  }
}
