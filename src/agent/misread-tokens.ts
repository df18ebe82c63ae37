// Which tokens of demonstrated replies belong to turns that were misread (`sft.misread_fraction`): later turns read them, and nobody should
// learn to write them.
import type { ParsedReply, SceneTruth, Trajectory } from "../core/types.ts";
import { replyPlaces } from "./reply-places.ts";
import { templates } from "./templates/index.ts";
import type { Template } from "./templates/template.ts";

/** 1 at each token of a reply that says something else than its state, over all tokens of an episode. */
export function misreadTokens({
  envId,
  turns,
  tokens,
}: Pick<Trajectory, "envId" | "turns" | "tokens">): Uint8Array {
  const marks = new Uint8Array(tokens.ids.length);
  const template = templates.get(envId);
  if (!template.misread) return marks;
  const places = replyPlaces(tokens);
  for (const [k, { before, parsed }] of turns.entries())
    if (!saysTruth(template, parsed, before)) for (const place of places.get(k) ?? []) marks[place] = 1;
  return marks;
}

/** Whether the parts of a reply that state anything state what is. */
function saysTruth(template: Template, { observation, reasoning }: ParsedReply, truth: SceneTruth): boolean {
  const views = [template.describe(truth), template.dictionary?.write(truth) ?? []].flat();
  const sees = observation === "" || views.some((view) => observation.includes(view));
  return sees && (reasoning === "" || reasoning.includes(template.facts(truth)));
}
