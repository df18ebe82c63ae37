// The newest trajectories of a run, kept beside its checkpoints, so that its traces can be read after a reload.
import type { CheckpointStore } from "../persistence/store.ts";
import type { StoredTrajectoryEvent, TrainerEvent } from "../training/events.ts";
import type { LogReports } from "./event-log.ts";
import { knownTrajectories } from "./stored-events.ts";

/** The stored trajectories of a run, oldest first; none when there are none or the file is damaged. Other values are dropped. */
export async function loadTraces(store: CheckpointStore, runId: string): Promise<StoredTrajectoryEvent[]> {
  return knownTrajectories(await store.loadTrajectories(runId));
}

/** Remembers the newest and writes them when the run is saved. What cannot be written is tried again at the next flush. */
export class TraceLog {
  private newest: StoredTrajectoryEvent[] = [];
  private changed = false;

  constructor(
    private readonly store: CheckpointStore,
    private readonly runId: string,
    private readonly keep: number,
    private readonly reports: LogReports,
  ) {}

  /** Begins with what an earlier session stored up to an update, which the next writing would otherwise lose. */
  async restore(upTo = Number.POSITIVE_INFINITY): Promise<void> {
    const stored = await loadTraces(this.store, this.runId);
    const kept = stored.filter(({ update }) => update <= upTo);
    this.newest = kept.slice(-this.keep);
    this.changed = kept.length < stored.length;
  }

  add(event: TrainerEvent): void {
    if (event.type !== "trajectory") return;
    this.newest.push(event);
    if (this.newest.length > this.keep) this.newest.shift();
    this.changed = true;
  }

  /** Resolves when everything added so far is stored, or is known not to be. */
  async flush(): Promise<void> {
    if (!this.changed) return;
    this.changed = false;
    try {
      await this.store.saveTrajectories(this.runId, this.newest);
      this.reports.onWritten();
    } catch (error) {
      this.changed = true;
      this.reports.onFailure(error);
    }
  }
}
