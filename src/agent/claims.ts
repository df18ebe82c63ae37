// The claims that a reply has to make, by environment and format.

import { type FormatId, formats } from "../core/formats.ts";
import type { EnvSpec, Surroundings } from "../envs/env.ts";
import { type StateFormatId, stateFormats } from "./states.ts";
import { templates } from "./templates/index.ts";

/** Entities whose cells each part has to give; empty if the format lacks the part. */
interface Claims {
  observation: readonly string[];
  prediction: readonly string[];
}

/**
 * An observation names the player and what the environment claims, a drawn board everything that it shows; a prediction
 * only what actions can move, because repeating the place of the goal would earn a reward without predicting anything. An
 * environment without claims has nothing to judge.
 */
export function claimsOf(
  spec: Pick<EnvSpec, "id" | "claims">,
  format: FormatId,
  stateFormat: StateFormatId = "natural",
): Claims {
  if (spec.claims.length === 0) return { observation: [], prediction: [] };
  const { parts } = formats.get(format);
  const all = ["player", ...spec.claims];
  const template = templates.ids.includes(spec.id) ? templates.get(spec.id) : null;
  const seen = template ? stateFormats.get(stateFormat).claims(template, all) : all;
  return {
    observation: parts.includes("observation") ? seen : [],
    prediction: parts.includes("prediction") ? (template?.predicts ?? all) : [],
  };
}

/** The claims about a world that replies of a format make. */
export const worldClaimsOf = (format: FormatId): ("observation" | "prediction")[] => {
  const { parts } = formats.get(format);
  return (["observation", "prediction"] as const).filter((claim) => parts.includes(claim));
};

/** What lies beside the player, if a reply's reasoning states it; undefined for formats without reasoning. */
export const surroundingsOf = (
  { surroundings }: Pick<EnvSpec, "surroundings">,
  format: FormatId,
): Surroundings | undefined => (formats.get(format).parts.includes("reasoning") ? surroundings : undefined);
