// Answers are whole numbers; people and models write them in more than one way.
import { LARGEST_ANSWER } from "./scene.ts";

/** Every answer that can be given. */
export const ANSWERS: readonly string[] = Array.from({ length: LARGEST_ANSWER + 1 }, (_, n) => String(n));

/**
 * The whole number that a text means: "4", "04", "4.0", "$4$", "\text{4}", "4 units"; null for anything else. A fraction
 * is no whole number, also where it could be reduced to one.
 */
export function readAnswer(text: string): string | null {
  const bare = text
    .replace(/\\text\{([^{}]*)\}/g, "$1")
    .replace(/\$/g, "")
    .trim();
  const number = /^\+?(\d+)(?:\.0*)?(?: *(?:units?|tiles?))?$/.exec(bare)?.[1];
  return number !== undefined && Number(number) <= LARGEST_ANSWER ? String(Number(number)) : null;
}
