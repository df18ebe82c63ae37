// What a run's reply settings add to its vocabulary. The trainer builds the vocabulary from it, the trace page reads with it.
import { feedbackOf } from "./feedback.ts";
import type { RunConfig } from "./run-config.ts";

/** The reply format, the representation of states, under AReaL's workflow the feedback, and the words of lost games and of summaries. */
export function replyWords(config: RunConfig) {
  const { actor, rollout, trainer } = config;
  return {
    format: rollout.prompt_format,
    stateFormat: rollout.state_format,
    feedback: rollout.workflow === "areal" ? [feedbackOf(config)] : [],
    pivot: actor.use_pivot,
    // A recording may come from a studio that had no such setting.
    summaries: trainer?.harness === "compact",
  };
}
