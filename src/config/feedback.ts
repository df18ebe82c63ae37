// What the user says after a reply that was not right.
import type { RunConfig } from "./run-config.ts";

/** The words of AReaL's `MultiTurnWorkflow` (inclusionAI/AReaL, areal/workflow/multi_turn.py), so that runs compare. */
const AREAL_FEEDBACK =
  "Your answer is either wrong or not parsable to the reward function. You may misunderstand the original question. Please carefully read the original question, check the previous errors, and try to answer it again.";

/** The feedback of AReaL's workflow under a configuration. */
export const feedbackOf = ({ rollout }: RunConfig): string =>
  rollout.feedback_text === "areal" ? AREAL_FEEDBACK : rollout.feedback;
