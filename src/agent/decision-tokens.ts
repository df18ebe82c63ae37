// Which tokens of demonstrated replies decide: what leads from the facts to the decision, the decision, and the answer. They are few
// beside the tokens that describe the state, and SFT can weigh them more (`sft.decision_weight`).
import type { Trajectory, Turn } from "../core/types.ts";
import { replyPlaces } from "./reply-places.ts";
import { DECISION } from "./templates/grid.ts";
import { templates } from "./templates/index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A span of a reply: character offsets [from, to). */
type Span = readonly [from: number, to: number];

/** 1 at each of an episode's tokens that decides, over all its tokens. Replies are as `writeReply` writes them. */
export function decisionTokens(
  { envId, turns, tokens }: Pick<Trajectory, "envId" | "turns" | "tokens">,
  vocabulary: Vocabulary,
): Uint8Array {
  const marks = new Uint8Array(tokens.ids.length);
  const places = replyPlaces(tokens);
  for (const [k, turn] of turns.entries()) {
    const own = places.get(k) ?? [];
    const spans = decidingSpans(envId, turn);
    let from = 0;
    for (const [i, place] of own.entries()) {
      const ids = own.slice(0, i + 1).map((at) => tokens.ids[at] as number);
      const to = vocabulary.decode(ids).length;
      if (spans.some((span) => from < span[1] && to > span[0])) marks[place] = 1;
      from = to;
    }
  }
  return marks;
}

/** The reasoning from the first word that does not state a fact, and the answer. */
function decidingSpans(
  envId: string,
  { reply, parsed, before }: Pick<Turn, "reply" | "parsed" | "before">,
): Span[] {
  const { decision = DECISION, working } = templates.get(envId);
  const first = working?.(before) || decision;
  return parsed.sections.flatMap(({ kind, from, to }) => {
    if (kind === "answer") return [[from, to] as const];
    if (kind !== "reasoning" || !first) return [];
    const at = reply.slice(from, to).lastIndexOf(first);
    return at < 0 ? [] : [[from + at, to] as const];
  });
}
