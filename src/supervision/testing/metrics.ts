// An event that most tests of a stream need.
import type { TrainerEvent } from "../../training/events.ts";

/** The metrics of an update of PPO, without any values. */
export const metrics = (update: number): TrainerEvent => ({
  ...{ type: "metrics", stage: "ppo", update, values: {} },
  ...{ tokens: 0, episodes: 0, wallMs: 0 },
});
