// Where two episodes on the same level part ways.
import { calledName } from "../core/action-name.ts";
import type { Trajectory, Turn } from "../core/types.ts";

/** What an episode does in a turn, as it is said of it: "plays Up", "calls measure". */
type Deed = string;

interface Difference {
  /** Index of the turn. */
  turn: number;
  /**
   * What differs first in that turn, in the order in which it happens: the words of the reply, the executed actions, the
   * state after them. `end`: only one of the episodes has this turn.
   */
  what: "words" | "action" | "state" | "end";
  /** Of differing words: the first word that differs, for each episode, and where it begins. Null where a reply has ended. */
  words: readonly [Word | null, Word | null] | null;
  /** The first turn in which the episodes act differently, and how; null where they never do. */
  action: { turn: number; deeds: readonly [Deed | null, Deed | null] } | null;
}

interface Word {
  text: string;
  /** Characters of the reply before it. */
  at: number;
}

type Episode = Pick<Trajectory, "turns">;

/** The first difference of two episodes; null when they are equal. White space and the punctuation after words do not count. */
export function firstDifference(a: Episode, b: Episode): Difference | null {
  const count = Math.max(a.turns.length, b.turns.length);
  for (let turn = 0; turn < count; turn++) {
    const found = differenceIn(a.turns[turn], b.turns[turn]);
    if (found) return { turn, ...found, action: firstOtherAction(a, b) };
  }
  return null;
}

function differenceIn(a: Turn | undefined, b: Turn | undefined): Pick<Difference, "what" | "words"> | null {
  if (!a || !b) return { what: "end", words: null };
  const words = firstOtherWords(a.reply, b.reply);
  if (words) return { what: "words", words };
  if (deedOf(a) !== deedOf(b)) return { what: "action", words: null };
  return JSON.stringify(a.after) === JSON.stringify(b.after) ? null : { what: "state", words: null };
}

function firstOtherWords(a: string, b: string): Difference["words"] {
  const [ofA, ofB] = [wordsOf(a), wordsOf(b)];
  const at = Array.from({ length: Math.max(ofA.length, ofB.length) }).findIndex(
    (_, i) => ofA[i]?.text !== ofB[i]?.text,
  );
  return at < 0 ? null : [ofA[at] ?? null, ofB[at] ?? null];
}

/** The words of a reply, without the punctuation that follows them; a tag is one word. */
const wordsOf = (reply: string): Word[] =>
  [...reply.matchAll(/<[^<>\s]*>|<?[^<\s]+?(?=[.,;:!?]*(?:[<\s]|$))|</g)]
    .map(({ 0: text, index }) => ({ text, at: index }))
    .filter(({ text }) => !/^[.,;:!?]+$/.test(text));

function firstOtherAction(a: Episode, b: Episode): Difference["action"] {
  for (let turn = 0; turn < Math.max(a.turns.length, b.turns.length); turn++) {
    const [one, other] = [a.turns[turn], b.turns[turn]];
    if ((one && deedOf(one)) !== (other && deedOf(other)))
      return { turn, deeds: [one ? mentionOf(one) : null, other ? mentionOf(other) : null] };
  }
  return null;
}

const deedOf = ({ executed, tool }: Turn): string =>
  tool?.call ?? executed.map(({ name }) => name).join(", ");

/** What is too long to be repeated, such as drawings and the arguments of a tool, is mentioned in few words. */
function mentionOf({ executed, tool }: Turn): Deed {
  if (tool) return tool.name ? `calls ${tool.name}` : "makes a malformed tool call";
  if (executed.length === 0) return "does nothing";
  return `plays ${executed.map(calledName).join(", ")}`;
}

/**
 * A title as the subject of a clause: "the trained policy" for "Trained policy", "the policy “Before PPO”" for other titles of several
 * words. Names of one word, such as "VAGEN-Full", stay as they are, and so does what has an article.
 */
function asSubject(title: string): string {
  if (!title.includes(" ") || /^(?:an?|the|another) /i.test(title)) return title;
  return /^[A-Z][a-z]+ policy$/.test(title) ? `the ${title.toLowerCase()}` : `the policy “${title}”`;
}

/** One sentence about a difference that names words and actions. `titles` are those of the episodes. */
export function describeDifference(
  { turn, what, words, action }: Difference,
  titles: readonly [string, string],
): string {
  const [a, b] = titles.map(asSubject);
  const each = (say: (side: 0 | 1) => string) => `${a} ${say(0)}, ${b} ${say(1)}`;
  const areAlike = action?.deeds[0] === action?.deeds[1];
  const acts =
    action && (areAlike ? "their actions differ" : each((side) => action.deeds[side] ?? "is already over"));
  if (what === "end") return `Turn ${turn + 1}: ${acts}.`;
  if (what === "state") return `Turn ${turn + 1}: the same action leads to different states.`;
  if (!words) return `Turn ${turn + 1}: the replies are the same; ${acts}.`;
  const writes = `Turn ${turn + 1}: ${each((side) => (words[side] ? `writes “${words[side].text}”` : "ends its reply"))}`;
  if (!action) return `${writes}; they act the same throughout.`;
  return `${writes}; ${action.turn === turn ? "then" : `in turn ${action.turn + 1}`} ${acts}.`;
}
