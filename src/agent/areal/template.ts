// The chat template of our small policies as a function of messages, and the tokens that a later message adds to a dialogue.
import type { Vocabulary } from "../vocabulary.ts";

/** One message of a dialogue, as text. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** How a dialogue is written down. */
interface TemplateOptions {
  /** Words before the first message. Every dialogue has some, so templating a later message alone would repeat them. */
  opening?: string;
  /** Whether to end with the tag that opens a reply. */
  addGenerationPrompt?: boolean;
}

/** The ids of a whole dialogue: `<bos>opening`, then `<user>…` and `<assistant>…<eos>` in turn. */
export function templateIds(
  vocabulary: Vocabulary,
  messages: readonly Message[],
  { opening = "", addGenerationPrompt = false }: TemplateOptions = {},
): Int32Array {
  const written = messages.map(({ role, content }) =>
    role === "user" ? `<user>${content}` : `<assistant>${content}<eos>`,
  );
  return vocabulary.encode(`<bos>${opening}${written.join("")}${addGenerationPrompt ? "<assistant>" : ""}`);
}

/**
 * The tokens that a user's message and the tag for the next reply append to a finished reply: the difference of two
 * templated dialogues, so that the opening is not repeated and no reply is tokenised again.
 * @throws RangeError when the longer dialogue does not begin with the shorter one.
 */
export function feedbackIds(vocabulary: Vocabulary, feedback: string): Int32Array {
  const reply: Message = { role: "assistant", content: "" };
  const before = templateIds(vocabulary, [reply]);
  const dialogue = [reply, { role: "user", content: feedback } as const];
  const after = templateIds(vocabulary, dialogue, { addGenerationPrompt: true });
  return templateDifference(before, after);
}

/** The tokens by which `after` continues `before`. @throws RangeError unless it begins with `before`. */
export function templateDifference(before: Int32Array, after: Int32Array): Int32Array {
  if (before.length > after.length || before.some((id, t) => after[t] !== id))
    throw new RangeError("The chat template rewrites earlier messages when one is added; it has to append.");
  return after.slice(before.length);
}
