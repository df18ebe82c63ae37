// A trajectory's tokens as the page shows them: what each token says, and which part of the reply it belongs to.
import { BOX, CALL, type Vocabulary } from "../../agent/vocabulary.ts";
import { replyPositions } from "../../core/token-sequences.ts";
import type { SectionKind, Trajectory, Turn } from "../../core/types.ts";

/** A part of a reply, or what the policy was given. */
export type GroupKind = Exclude<SectionKind, "tag"> | "environment";

export interface ShownToken {
  /** Position in the trajectory's token arrays. */
  index: number;
  text: string;
  /** Markup: shown as a small chip. */
  isTag: boolean;
}

interface TokenGroup {
  kind: GroupKind;
  tokens: readonly ShownToken[];
}

export interface TurnTokens {
  turn: Turn;
  /** What the policy was given before this reply; the tokens of a picture are one entry with their count. */
  given: readonly (ShownToken | { index: number; imageTokens: number })[];
  groups: readonly TokenGroup[];
  /** The summary that closed the conversation after this turn, and the request for it; null where it went on. */
  summary: { request: readonly ShownToken[]; written: readonly ShownToken[] } | null;
  /** Positions [from, to) of the whole turn, summary included. */
  from: number;
  to: number;
}

/** The turns of a trajectory with their tokens. Without a vocabulary tokens show their ids. */
export function turnTokens(trajectory: Trajectory, vocabulary: Vocabulary | null): TurnTokens[] {
  const { tokens, turns } = trajectory;
  const replies = replyPositions(tokens, turns.length);
  const tokensEach = pictureTokens(trajectory);
  return turns.map((turn) => {
    const from = tokens.turnIndex.indexOf(turn.index);
    const to = tokens.turnIndex.lastIndexOf(turn.index) + 1;
    if (from < 0) return { turn, given: [], groups: [], summary: null, from: 0, to: 0 };
    const written = replies[turn.index] ?? [];
    // What comes after the reply is the request for a summary, and the summary.
    const end = (written.at(-1) ?? to - 1) + 1;
    const range = (a: number, b: number) => Array.from({ length: b - a }, (_, i) => a + i);
    const isOwn = (i: number) => tokens.responseMask[i] === 1;
    const given = range(from, end).filter((i) => !isOwn(i));
    const after = range(end, to);
    const shown = (index: number): ShownToken => {
      const text = surfaceOf(vocabulary, tokens.ids[index]!);
      return { index, text, isTag: isMarkup(text) };
    };
    return {
      turn,
      given: collapseImages(given, tokens.imagePatch, tokensEach, shown),
      groups: groupBySection(turn, written.map(shown), vocabulary, tokens.ids),
      summary:
        after.length > 0
          ? {
              request: after.filter((i) => !isOwn(i)).map(shown),
              written: after.filter(isOwn).map(shown),
            }
          : null,
      from,
      to,
    };
  });
}

/** The text of one token; ids when the vocabulary is another one. */
export function surfaceOf(vocabulary: Vocabulary | null, id: number): string {
  if (!vocabulary || id >= vocabulary.size) return `#${id}`;
  return vocabulary.surface(id);
}

const isMarkup = (text: string) =>
  (/^<[^>]+>$/.test(text) && !/^<0x/.test(text)) || (BOX as readonly string[]).includes(text);

/** Tokens of one picture; all pictures of a run have the same size. Recordings have no pictures, but their texts mark them. */
function pictureTokens({ tokens: { imagePatch, turnIndex }, turns }: Trajectory): number {
  const [first] = turns;
  if (!first) return 0;
  const pictures = first.observation.text.split("<image>").length - 1;
  const inFirst = imagePatch.filter((patch, t) => patch >= 0 && turnIndex[t] === first.index);
  return inFirst.length / Math.max(1, pictures);
}

function collapseImages(
  positions: readonly number[],
  imagePatch: Int32Array,
  tokensEach: number,
  shown: (index: number) => ShownToken,
): TurnTokens["given"] {
  const out: (ShownToken | { index: number; imageTokens: number })[] = [];
  for (const index of positions) {
    const last = out.at(-1);
    if (imagePatch[index]! < 0) out.push(shown(index));
    else if (
      last &&
      "imageTokens" in last &&
      last.index + last.imageTokens === index &&
      last.imageTokens < tokensEach
    )
      last.imageTokens++;
    else out.push({ index, imageTokens: 1 });
  }
  return out;
}

/**
 * Groups a reply's tokens into its parts. An opening tag belongs to the part that follows, a closing tag to the part
 * before it, so that a part's block shows its own markup.
 */
function groupBySection(
  turn: Turn,
  written: readonly ShownToken[],
  vocabulary: Vocabulary | null,
  ids: Int32Array,
): TokenGroup[] {
  const groups: { kind: GroupKind; tokens: ShownToken[] }[] = [];
  let opening: ShownToken[] = [];
  const starts = characterStarts(written, vocabulary, ids);
  for (const [i, token] of written.entries()) {
    const last = groups.at(-1);
    if (token.isTag) {
      if (isClosing(token.text) && last && opening.length === 0) last.tokens.push(token);
      else if (isClosing(token.text) && opening.length > 0) {
        // An empty part: its tags are all there is of it.
        groups.push({ kind: kindOfTag(opening.at(-1)!.text), tokens: [...opening, token] });
        opening = [];
      } else opening.push(token);
      continue;
    }
    const kind = kindAt(turn, starts[i]!);
    if (last && last.kind === kind && opening.length === 0) last.tokens.push(token);
    else groups.push({ kind, tokens: [...opening, token] });
    opening = [];
  }
  if (opening.length > 0) groups.push({ kind: kindOfTag(opening.at(-1)!.text), tokens: opening });
  return groups;
}

const isClosing = (tag: string) => tag.startsWith("</") || tag === "<eos>" || tag === BOX[1];

function kindOfTag(tag: string): GroupKind {
  if (tag === BOX[0]) return "answer";
  if (tag === CALL[0]) return "call";
  const name = tag.replace(/[</>]/g, "").replace("perception", "observation");
  return name === "observation" || name === "reasoning" || name === "prediction" || name === "answer"
    ? name
    : "other";
}

function kindAt(turn: Turn, character: number): GroupKind {
  const section = turn.parsed.sections.find(({ from, to }) => from <= character && character < to);
  return !section || section.kind === "tag" ? "other" : section.kind;
}

/** Where in the reply's text each token starts. Half bytes have no text of their own until their character is whole. */
function characterStarts(
  written: readonly ShownToken[],
  vocabulary: Vocabulary | null,
  ids: Int32Array,
): number[] {
  if (!vocabulary) return written.map(() => 0);
  let at = 0;
  let spelled: number[] = [];
  return written.map((token) => {
    const start = at + vocabulary.decode(spelled).length;
    if (/^<0x/.test(token.text)) {
      spelled.push(ids[token.index]!);
      return at;
    }
    at = start + token.text.length;
    spelled = [];
    return start;
  });
}
