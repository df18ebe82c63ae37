// Reports each update once, however often it is computed. Nothing else removes repeated events.
import type { TrainerEvent } from "../training/events.ts";

/**
 * After a loss or a reload, training continues from a checkpoint and repeats the updates after it. Training is
 * deterministic, so the repeated events are equal to those already reported and are suppressed. Phases pass, so that the
 * repeated work shows progress.
 */
export class EventDeduplicator {
  private lastMetrics = 0;
  private readonly validations = new Set<string>();
  /** This session has emitted all trajectories of the updates before this one. */
  private newest = 0;
  /** Trajectory → its update. Only of `newest` and later, and of updates after the last checkpoint: others cannot repeat. */
  private readonly trajectories = new Map<string, number>();
  private readonly stages = new Set<string>();
  private readonly sftEnds = new Set<string>();
  private readonly changes = new Map<string, string>();

  /** @param history the events of earlier sessions. */
  constructor(history: readonly TrainerEvent[] = []) {
    for (const event of history) this.admit(event);
    // A history holds no trajectories, so those of its updates are emitted when they are repeated.
    this.newest = 0;
  }

  /** Whether to emit this event; an admitted event counts as emitted. */
  admit(event: TrainerEvent): boolean {
    switch (event.type) {
      case "metrics":
        return this.admitMetrics(event.update);
      case "validation":
        return isNew(
          this.validations,
          `${event.report.stage} ${event.report.update} ${event.report.temperature}`,
        );
      case "stage":
        return isNew(this.stages, `${event.stage} ${event.firstUpdate} ${event.lastUpdate}`);
      case "sft_ended":
        return isNew(this.sftEnds, String(event.update));
      case "trajectory":
        return this.admitTrajectory(`${event.source} ${event.update} ${event.trajectory.id}`, event.update);
      case "config_changed":
        return this.admitChange(event.path, JSON.stringify(event.to));
      case "checkpoint":
        this.forgetTrajectories(event.update);
        return true;
      default:
        return true;
    }
  }

  private admitMetrics(update: number): boolean {
    if (update <= this.lastMetrics) return false;
    this.lastMetrics = update;
    this.newest = update;
    // Keeping the keys of a whole run would need more memory than anything else here.
    this.forgetTrajectories(update - 1);
    return true;
  }

  private admitTrajectory(key: string, update: number): boolean {
    if (update < this.newest || this.trajectories.has(key)) return false;
    this.trajectories.set(key, update);
    return true;
  }

  private admitChange(path: string, value: string): boolean {
    if (this.changes.get(path) === value) return false;
    this.changes.set(path, value);
    return true;
  }

  private forgetTrajectories(saved: number): void {
    for (const [key, update] of this.trajectories) if (update <= saved) this.trajectories.delete(key);
  }
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
