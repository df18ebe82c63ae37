// Texts whose length the policy decides, cut to the tokens that are planned for them.
import type { Vocabulary } from "./vocabulary.ts";

/** Characters of a text that are considered before it is cut. */
const LONGEST = 500;

/** The beginning of a text with at most `tokens` tokens; the whole text where it has no more. */
export function cutText(text: string, vocabulary: Pick<Vocabulary, "encode">, tokens: number): string {
  const kept = [...text.slice(0, LONGEST)];
  while (vocabulary.encode(kept.join("")).length > tokens) kept.pop();
  return kept.join("");
}
