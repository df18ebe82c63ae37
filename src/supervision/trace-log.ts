// Stores the newest trajectories of a run beside its checkpoints, so that its traces survive a reload.
import type { CheckpointStore } from "../persistence/store.ts";
import type { StoredTrajectoryEvent, TrainerEvent } from "../training/events.ts";
import type { LogReports } from "./event-log.ts";
import { knownTrajectories } from "./stored-events.ts";

/** The stored trajectories of a run, oldest first, without damaged ones. */
export async function loadTraces(store: CheckpointStore, runId: string): Promise<StoredTrajectoryEvent[]> {
  return knownTrajectories(await store.loadTrajectories(runId));
}

/** Keeps the newest trajectories in memory and writes them on flush. The next flush retries a failed write. */
export class TraceLog {
  private newest: StoredTrajectoryEvent[] = [];
  private changed = false;

  constructor(
    private readonly store: CheckpointStore,
    private readonly runId: string,
    private readonly keep: number,
    private readonly reports: LogReports,
  ) {}

  /** Loads the trajectories that an earlier session stored, up to an update; the next write would otherwise lose them. */
  async restore(upTo = Number.POSITIVE_INFINITY): Promise<void> {
    const stored = await loadTraces(this.store, this.runId);
    const kept = stored.filter(({ update }) => update <= upTo);
    this.newest = kept.slice(-this.keep);
    this.changed = kept.length < stored.length;
  }

  /** Adds a trajectory. One that an earlier session stored takes the place of its first record: its update is repeated after a crash. */
  add(event: TrainerEvent): void {
    if (event.type !== "trajectory") return;
    this.newest = this.newest.filter((known) => !isSame(known, event));
    this.newest.push(event);
    if (this.newest.length > this.keep) this.newest.shift();
    this.changed = true;
  }

  /** Resolves when everything added so far is stored, or writing it has failed. */
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

/** Whether two records are of the same episode of the same update. */
const isSame = (one: StoredTrajectoryEvent, other: StoredTrajectoryEvent): boolean =>
  one.update === other.update && one.source === other.source && one.trajectory.id === other.trajectory.id;
