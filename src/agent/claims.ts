// What the agent has to state in a reply, by environment and format: the questions that a judge is asked.
import type { EnvSpec } from "../envs/env.ts";
import { type FormatId, formats } from "./formats.ts";
import { phraseBooks } from "./phrases/index.ts";

/** Entities whose cells each part has to give; empty when the format has no such part. */
export interface Claims {
  observation: readonly string[];
  prediction: readonly string[];
}

/**
 * An observation names the player and what the environment claims; a prediction only what actions can move, because
 * repeating where the goal is would earn a reward without foreseeing anything.
 */
export function claimsOf(spec: Pick<EnvSpec, "id" | "claims">, format: FormatId): Claims {
  const { parts } = formats.get(format);
  const all = ["player", ...spec.claims];
  const movable = phraseBooks.ids.includes(spec.id) ? phraseBooks.get(spec.id).predicts : all;
  return {
    observation: parts.includes("observation") ? all : [],
    prediction: parts.includes("prediction") ? movable : [],
  };
}
