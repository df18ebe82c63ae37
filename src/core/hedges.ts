// Statements with an alternative: "4 ahead or 4 back". One of the two may well be right, so such a statement gives no place.

/** "or" after a statement. "or so" gives no alternative. */
const ALTERNATIVE = /^[\s"')\]},;]*or\b(?!\s+(?:so|thereabouts)\b)/;

/** Whether an alternative to a statement found in lower-case text follows it. */
export const hasAlternative = (text: string, { index, 0: found }: RegExpExecArray): boolean =>
  ALTERNATIVE.test(text.slice(index + found.length));

/** What is shown after such a statement in place of its alternatives. */
export const OR_ELSE = " or …";
