// Messages quote what a file says, and a file may say a megabyte.

/** A text of at most `limit` characters; a longer one is cut, followed by its length. */
export function short(text: string | undefined, limit = 100): string {
  if (text === undefined) return "missing";
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** A value as JSON, cut like a text. Numbers that JSON lacks (NaN, infinities) are written too. */
export const shown = (value: unknown, limit?: number): string =>
  short(typeof value === "number" ? String(value) : JSON.stringify(value), limit);
