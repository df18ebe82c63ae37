// What a run's way of talking adds to its vocabulary: the trainer builds the vocabulary from it, the trace page reads with it.
import type { RunConfig } from "./run-config.ts";

/** The reply format, the representation of states, and what the user says under AReaL's workflow. */
export function replyWords({ rollout }: RunConfig) {
  return {
    format: rollout.prompt_format,
    stateFormat: rollout.state_format,
    feedback: rollout.workflow === "areal" ? [rollout.feedback] : [],
  };
}
