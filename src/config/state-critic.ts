// The critic that reads the simulator's state (`critic.asymmetric`) is named beside every result of a run that trained with it.

import { estimatorOf } from "./rules/registered.ts";
import type { RunConfig } from "./run-config.ts";

/** Goes with every result of such a run. */
export const STATE_CRITIC = "The critic read the simulator's state; the policy saw pictures only.";

/**
 * `STATE_CRITIC` if it is true of the run, otherwise "".
 * @param learned Whether the run's checkpoint has what such a critic learned, which stays when the setting is turned off.
 */
export function stateCriticText({ algorithm, critic }: RunConfig, learned = false): string {
  const hasCritic = estimatorOf(algorithm)?.valueTokens !== "none";
  return hasCritic && (critic.asymmetric || learned) ? STATE_CRITIC : "";
}
