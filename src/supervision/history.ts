// Which events of a run still hold after it went back to a checkpoint, and what its history says about its state.
import { AlarmWatch } from "../rl/alarms/watch.ts";
import type { TrainerEvent } from "../training/events.ts";

/** The update of an event; 0 if it concerns the whole run. */
function updateOf(event: TrainerEvent): number {
  if (event.type === "validation") return event.report.update;
  return "update" in event ? event.update : 0;
}

/**
 * The part of a history that still holds if the run continues differently from its checkpoint of `update`: the events up
 * to that update, without changes of values that the checkpoint does not contain.
 */
export function historyUpTo(history: readonly TrainerEvent[], update: number): TrainerEvent[] {
  const saved = history.findLastIndex((event) => event.type === "checkpoint" && event.update === update);
  return history.filter((event, at) => {
    const isUnsavedChange = event.type === "config_changed" && saved >= 0 && at > saved;
    return updateOf(event) <= update && !isUnsavedChange;
  });
}

/** Whether the run's last session ended because the loss was no longer finite. */
export function hasDiverged(history: readonly TrainerEvent[]): boolean {
  const last = history.findLast(({ type }) => type === "run_started" || type === "run_finished");
  return last?.type === "run_finished" && last.reason === "diverged";
}

/** The last update with metrics. */
export function lastReported(history: readonly TrainerEvent[]): number {
  return history.findLast((event) => event.type === "metrics")?.update ?? 0;
}

/** An alarm watch with this history. It does not repeat the alarms in it. */
export function watchOf(history: readonly TrainerEvent[]): AlarmWatch {
  const watch = new AlarmWatch();
  for (const event of history) {
    if (isWatched(event)) watch.remember(event);
    if (event.type === "alarm") watch.restore(event);
  }
  return watch;
}

/** The alarms that begin or end with an event. */
export function alarmsOf(watch: AlarmWatch, event: TrainerEvent): TrainerEvent[] {
  return isWatched(event) ? watch.check(event).map((change) => ({ type: "alarm", ...change })) : [];
}

/** Alarms describe PPO; the metrics of SFT updates mean something else. */
const isWatched = (event: TrainerEvent): event is Extract<TrainerEvent, { type: "metrics" }> =>
  event.type === "metrics" && event.stage === "ppo";
