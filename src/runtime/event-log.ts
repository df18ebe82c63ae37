// What of the event stream is kept beside a run, and how it is read back.
import type { CheckpointStore } from "../persistence/store.ts";
import type { TrainerEvent } from "./events.ts";

/**
 * Trajectories are large and phases are many; neither is needed to show a run again. Everything else is a few numbers
 * for each update.
 */
export function isStorable(event: TrainerEvent): boolean {
  return event.type !== "trajectory" && event.type !== "phase" && event.type !== "prepare";
}

/** The stored events of a run. JSON writes NaN and infinities as null; in metrics that is undone. */
export async function loadHistory(store: CheckpointStore, runId: string): Promise<TrainerEvent[]> {
  const events = (await store.loadEvents(runId)) as TrainerEvent[];
  return events.map((event) =>
    event.type === "metrics" ? { ...event, values: withoutNull(event.values) } : event,
  );
}

function withoutNull(values: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? Number.NaN]));
}

/** Appends to a run's log in order and never makes training wait; a full disk is reported once and then ignored. */
export class EventLog {
  private pending: TrainerEvent[] = [];
  private written: Promise<void> = Promise.resolve();
  private broken = false;

  constructor(
    private readonly store: CheckpointStore,
    private readonly runId: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  add(event: TrainerEvent): void {
    if (isStorable(event) && !this.broken) this.pending.push(event);
  }

  /** Puts other events in place of all that were stored before, ahead of those that are still to be written. */
  rewrite(events: readonly TrainerEvent[]): void {
    const kept = events.filter(isStorable);
    this.written = this.written.then(() => this.attempt(() => this.store.replaceEvents(this.runId, kept)));
  }

  /** Resolves when everything added so far is stored, or is known not to be. */
  flush(): Promise<void> {
    const batch = this.pending;
    this.pending = [];
    if (batch.length > 0)
      this.written = this.written.then(() => this.attempt(() => this.store.appendEvents(this.runId, batch)));
    return this.written;
  }

  private async attempt(write: () => Promise<void>): Promise<void> {
    if (this.broken) return;
    try {
      await write();
    } catch (error) {
      this.broken = true;
      this.onFailure(error);
    }
  }
}
