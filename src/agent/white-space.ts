// White space as Python has it: the references read replies with its `strip` and `\s`. JavaScript counts a byte order mark as white
// space and leaves out a next line (U+0085) and the separators U+001C to U+001F.

/** The class of characters, for regular expressions. */
export const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

const AT_START = new RegExp(`^${SPACE}+`);
const ONE = new RegExp(SPACE);

/** The text without white space at its end. Takes linear time, which a regular expression would not. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ONE.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

/** The text without white space around it. */
export const strip = (text: string): string => stripEnd(text.replace(AT_START, ""));
