// Which tokens of demonstrated replies decide, and which state facts. What leads from the facts to the decision, the decision and the answer
// decide. SFT can weigh each kind more than the other tokens (`sft.decision_weight`, `sft.fact_weight`). Rehearsal trains only the tokens
// that state facts (`sft.rehearsal_steps`).
import type { Trajectory, Turn } from "../core/types.ts";
import { replyPlaces } from "./reply-places.ts";
import { DECISION } from "./templates/grid.ts";
import { templates } from "./templates/index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A span of a reply: character offsets [from, to). */
type Span = readonly [from: number, to: number];

/** An episode whose replies are as `writeReply` writes them. */
type Demonstrated = Pick<Trajectory, "envId" | "turns" | "tokens">;

type Replied = Pick<Turn, "reply" | "parsed" | "before">;

/** 1 at each of an episode's tokens that decides, over all its tokens. */
export const decisionTokens = (episode: Demonstrated, vocabulary: Vocabulary): Uint8Array =>
  tokensIn(episode, vocabulary, decidingSpans);

/**
 * 1 at each of an episode's tokens that states facts about the present state, over all its tokens: its observations, and the facts with which
 * its reasoning begins. The reason of a tool call or of a guess states none.
 */
export const factTokens = (episode: Demonstrated, vocabulary: Vocabulary): Uint8Array =>
  tokensIn(episode, vocabulary, statingSpans);

/** 1 at each of an episode's tokens that lies at least in part in a span of its reply. */
function tokensIn(
  { envId, turns, tokens }: Demonstrated,
  vocabulary: Vocabulary,
  spansOf: (envId: string, turn: Replied) => Span[],
): Uint8Array {
  const marks = new Uint8Array(tokens.ids.length);
  const places = replyPlaces(tokens);
  for (const [k, turn] of turns.entries()) {
    const own = places.get(k) ?? [];
    const spans = spansOf(envId, turn);
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
function decidingSpans(envId: string, { reply, parsed, before }: Replied): Span[] {
  const { decision = DECISION, working } = templates.get(envId);
  const first = working?.(before) || decision;
  return parsed.sections.flatMap(({ kind, from, to }): Span[] => {
    if (kind === "answer") return [[from, to]];
    if (kind !== "reasoning" || !first) return [];
    const at = reply.slice(from, to).lastIndexOf(first);
    return at < 0 ? [] : [[from + at, to]];
  });
}

/** The observation, and the facts at the beginning of the reasoning. */
function statingSpans(envId: string, { reply, parsed, before }: Replied): Span[] {
  const facts = templates.get(envId).facts(before);
  return parsed.sections.flatMap(({ kind, from, to }): Span[] => {
    if (kind === "observation") return [[from, to]];
    return kind === "reasoning" && reply.startsWith(facts, from) ? [[from, from + facts.length]] : [];
  });
}
