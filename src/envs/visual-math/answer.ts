// Answers are whole numbers, or for some questions fractions and roots; people and models write them in more than one way.
import { isExpression, plainAnswer } from "./grade.ts";
import { LARGEST_ANSWER } from "./question.ts";

/** A fraction or a root, which reading as an expression is worth. */
const EXPRESSION = /\/|sqrt/;

/**
 * The answer that a text means: a whole number ("4", "04", "4.0", "$4$", "\text{4}", "4 units"), or a fraction or root in plain
 * text; null for anything else. A fraction is no whole number, also where it could be reduced to one.
 */
export function readAnswer(text: string): string | null {
  const plain = plainAnswer(text);
  if (EXPRESSION.test(plain)) return isExpression(plain) ? plain : null;
  return readWhole(text);
}

function readWhole(text: string): string | null {
  const bare = text
    .replace(/\\text\{([^{}]*)\}/g, "$1")
    .replace(/\$/g, "")
    .trim();
  const number = /^\+?(\d+)(?:\.0*)?(?: *(?:units?|tiles?))?$/.exec(bare)?.[1];
  return number !== undefined && Number(number) <= LARGEST_ANSWER ? String(Number(number)) : null;
}
