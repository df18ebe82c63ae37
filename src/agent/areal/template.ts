// What a later message of the user adds to a dialogue.
import type { Vocabulary } from "../vocabulary.ts";

/** One message of a dialogue, as text. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/**
 * The tokens that a user's message and the tag for the next reply append to a finished reply: without the opening of the
 * dialogue, which has one already.
 */
export const feedbackIds = (vocabulary: Vocabulary, feedback: string): Int32Array =>
  vocabulary.encode(`<user>${feedback}<assistant>`);
