// Stores a run's events beside its checkpoints and reads them back.
import { withoutSecrets } from "../core/address.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import type { TrainerEvent } from "../training/events.ts";
import { knownEvents, UNLOGGED } from "./stored-events.ts";

const isStorable = ({ type }: TrainerEvent): boolean =>
  !(UNLOGGED as readonly TrainerEvent["type"][]).includes(type);

/** The stored events of a run, without damaged ones and without credentials in the address of a judge. */
export async function loadHistory(store: CheckpointStore, runId: string): Promise<TrainerEvent[]> {
  return knownEvents(await store.loadEvents(runId)).map((event) =>
    event.type === "run_started" ? { ...event, config: withoutSecrets(event.config) } : event,
  );
}

/** The maximum number of events that wait to be written: about 40 MB of metrics. */
export const KEPT_EVENTS = 10_000;

/** Callbacks of a log. */
export interface LogReports {
  /** A write failed; the next flush retries it. */
  onFailure(error: unknown): void;
  /** A write succeeded. */
  onWritten(): void;
  /** Too many events wait to be written, so the oldest metrics are dropped. */
  onDropped?(): void;
}

/**
 * Appends to a run's log in order without blocking training. Events that cannot be written wait for the next flush, so the
 * log has no gap once there is room again.
 */
export class EventLog {
  /** Events that will replace the stored log, or null. */
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

  /** Replaces all stored events; those still to be written follow. */
  rewrite(events: readonly TrainerEvent[]): void {
    this.replacement = events.filter(isStorable);
    void this.flush();
  }

  /** Resolves when everything added so far is stored, or writing it has failed. */
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

  /** Resolves to false if there was nothing to write. */
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

  /** Drops the oldest metrics first: other events matter more to the history of a run. */
  private bound(): void {
    while (this.pending.length > this.keep) {
      const oldest = this.pending.findIndex(({ type }) => type === "metrics");
      this.pending.splice(Math.max(0, oldest), 1);
      this.reports.onDropped?.();
    }
  }
}
