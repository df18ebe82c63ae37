// Statements with an alternative: "4 ahead or 4 back". One of the two may well be right, so such a statement gives no place.

/**
 * "or" after a statement, also in brackets, after a dash or in a sentence of its own; "/" before a number. "or so" gives no alternative, and
 * neither does ". or not".
 */
const ALTERNATIVE =
  /^(?:[\s"'()[\]{},;:/.!?…–—-]*(?:and\/)?\bor\b(?!\s+(?:so|thereabouts)\b)(?<![.!?…]\s*or(?=\s+not\b))|[\s"')\]}]*\/[\s"'([{]*[+-]?\.?\d)/;

/** Whether an alternative to a statement found in lower-case text follows it. */
export const hasAlternative = (text: string, { index, 0: found }: RegExpExecArray): boolean =>
  ALTERNATIVE.test(text.slice(index + found.length));

/** What is shown after such a statement in place of its alternatives. */
export const OR_ELSE = " or …";
