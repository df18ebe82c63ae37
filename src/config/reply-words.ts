// What a run's reply settings add to its vocabulary. The trainer builds the vocabulary from it, the trace page reads with it.
import { feedbackOf } from "./feedback.ts";
import type { RunConfig } from "./run-config.ts";

/** The reply format, the representation of states and, under AReaL's workflow, the feedback. */
export function replyWords(config: RunConfig) {
  const { rollout } = config;
  return {
    format: rollout.prompt_format,
    stateFormat: rollout.state_format,
    feedback: rollout.workflow === "areal" ? [feedbackOf(config)] : [],
  };
}
