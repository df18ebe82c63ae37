// Where the rewards of claims lie on the tokens of an episode: on the token that ends the claim's section (VAGEN, 2026:
// `credit_site: section_end`) instead of the last one of the turn.
import type { SectionKind, TrajectoryTokens, Turn } from "../core/types.ts";
import { replyPlaces } from "./reply-places.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The sections that earn rewards, by reward term. */
const SECTION_OF = {
  state_estimation: "observation",
  transition_modeling: "prediction",
  surroundings: "reasoning",
} as const satisfies Record<string, SectionKind>;

type ClaimedSection = (typeof SECTION_OF)[keyof typeof SECTION_OF];

type Spoken = Pick<Turn, "reply" | "parsed" | "rewards">;

/**
 * The record with what each claim earned moved from the end of its turn to the last token of its section, so that the sum over
 * a turn stays. A reward whose section cannot be found in the reply stays at the end of the turn.
 */
export function creditSections(
  tokens: TrajectoryTokens,
  turns: readonly Spoken[],
  vocabulary: Vocabulary,
): TrajectoryTokens {
  const rewards = tokens.rewards.slice();
  const places = replyPlaces(tokens);
  for (const [k, turn] of turns.entries()) {
    const own = places.get(k) ?? [];
    const end = own.at(-1);
    const ids = own.map((place) => tokens.ids[place] as number);
    for (const [term, kind] of Object.entries(SECTION_OF)) {
      const earned = turn.rewards[term] ?? 0;
      const at = earned === 0 ? -1 : lastTokenOf(turn, kind, ids, vocabulary);
      if (end === undefined || at < 0) continue;
      rewards[own[at] as number] += earned;
      rewards[end] -= earned;
    }
  }
  return { ...tokens, rewards };
}

/** Index of the token with the last character of a section's text, white space aside; −1 where the reply has no such text. */
function lastTokenOf(
  turn: Pick<Spoken, "reply" | "parsed">,
  kind: ClaimedSection,
  ids: readonly number[],
  vocabulary: Vocabulary,
): number {
  const end = sectionEnd(turn, kind);
  if (end === 0) return -1;
  const until = turn.reply.slice(0, end);
  // The text of the first tokens of a reply: a character that takes several tokens is there with the last of them.
  return ids.findIndex((_, i) => vocabulary.decode(ids.slice(0, i + 1)).startsWith(until));
}

/** Offset behind the last character of a section; 0 where there is none. A reply that writes it twice is read where it was parsed. */
function sectionEnd({ reply, parsed }: Pick<Spoken, "reply" | "parsed">, kind: ClaimedSection): number {
  const spans = parsed.sections.filter((span) => span.kind === kind);
  const read = spans.find(({ from, to }) => reply.slice(from, to).includes(parsed[kind])) ?? spans.at(-1);
  return read ? read.from + reply.slice(read.from, read.to).trimEnd().length : 0;
}
