// Going back to a checkpoint: which of the things that were told about a run still hold.
import { AlarmWatch } from "../rl/alarms/watch.ts";
import type { TrainerEvent } from "../training/events.ts";

/** The update that an event is about; 0 for what concerns the run as a whole. */
function updateOf(event: TrainerEvent): number {
  if (event.type === "validation") return event.report.update;
  return "update" in event ? event.update : 0;
}

/**
 * What still holds of a run's history when the run goes on from its checkpoint of `update` in another way than before:
 * everything up to that update, but of its settings only those that the checkpoint has.
 */
export function historyUpTo(history: readonly TrainerEvent[], update: number): TrainerEvent[] {
  const saved = history.findLastIndex((event) => event.type === "checkpoint" && event.update === update);
  return history.filter((event, at) => {
    const isUnsavedChange = event.type === "config_changed" && saved >= 0 && at > saved;
    return updateOf(event) <= update && !isUnsavedChange;
  });
}

/** The run's last session ended because numbers were no longer finite. */
export function hasDiverged(history: readonly TrainerEvent[]): boolean {
  const last = history.findLast(({ type }) => type === "run_started" || type === "run_finished");
  return last?.type === "run_finished" && last.reason === "diverged";
}

/** The last update whose numbers were told. */
export function lastTold(history: readonly TrainerEvent[]): number {
  return history.findLast((event) => event.type === "metrics")?.update ?? 0;
}

/** The watch of a run with this history. It does not repeat an alarm that the history holds. */
export function watchOf(history: readonly TrainerEvent[]): AlarmWatch {
  const watch = new AlarmWatch();
  for (const event of history) {
    if (isWatched(event)) watch.remember(event);
    if (event.type === "alarm") watch.recall(event);
  }
  return watch;
}

/** The alarms that begin or end with an event. */
export function alarmsOf(watch: AlarmWatch, event: TrainerEvent): TrainerEvent[] {
  return isWatched(event) ? watch.see(event).map((change) => ({ type: "alarm", ...change })) : [];
}

/** The warm-up imitates a teacher: its numbers are another matter than PPO's. */
const isWatched = (event: TrainerEvent): event is Extract<TrainerEvent, { type: "metrics" }> =>
  event.type === "metrics" && event.stage === "ppo";
