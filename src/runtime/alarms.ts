// Alarms in the stream of a run's events: rebuilt from its history, asked after each of its updates.
import { AlarmWatch } from "../rl/alarms/watch.ts";
import type { TrainerEvent } from "./events.ts";

/** The watch of a run that was told this history: what it told already, it does not tell again. */
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
