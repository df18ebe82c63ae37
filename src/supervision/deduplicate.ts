// Each update is reported once, however often it had to be computed.
import type { TrainerEvent } from "../training/events.ts";

/**
 * After a loss or a reload, training goes on from a checkpoint and computes again what came after it. Being
 * deterministic, it finds the same numbers, so what was already reported is suppressed: whoever adds up tokens or draws
 * a line sees every update exactly once. Phases pass, so that the repeated work is seen to progress.
 */
export class Continuity {
  private lastMetrics = 0;
  private readonly validations = new Set<string>();
  /** All trajectories of the updates before this one have been emitted in this session. */
  private newest = 0;
  /** Trajectory → its update; of later updates, and of those since the last checkpoint only, which can come again. */
  private readonly trajectories = new Map<string, number>();
  private readonly stages = new Set<string>();
  private readonly changes = new Map<string, string>();

  /** @param history what consumers were told in an earlier session. */
  constructor(history: readonly TrainerEvent[] = []) {
    for (const event of history) this.admit(event);
    // A history holds no trajectories, so those of its updates are emitted when they are played again.
    this.newest = 0;
  }

  /** Whether consumers should be told; an event that was admitted counts as told. */
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
    // Keys of a whole run would be most of what its worker keeps for it.
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
