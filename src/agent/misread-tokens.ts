// Which tokens of demonstrated replies belong to turns that were misread (`sft.misread_fraction`): later turns read them, and nobody should
// learn to write them.
import type { Trajectory } from "../core/types.ts";
import { replyPlaces } from "./reply-places.ts";
import { templates } from "./templates/index.ts";

/** 1 at each token of a reply whose reasoning has other facts than its state, over all tokens of an episode. A reply without reasoning says none. */
export function misreadTokens({
  envId,
  turns,
  tokens,
}: Pick<Trajectory, "envId" | "turns" | "tokens">): Uint8Array {
  const marks = new Uint8Array(tokens.ids.length);
  const template = templates.get(envId);
  if (!template.misread) return marks;
  const places = replyPlaces(tokens);
  for (const [k, { reply, before, parsed }] of turns.entries()) {
    const reasons = parsed.sections.some(({ kind }) => kind === "reasoning");
    if (reasons && !reply.includes(template.facts(before)))
      for (const place of places.get(k) ?? []) marks[place] = 1;
  }
  return marks;
}
