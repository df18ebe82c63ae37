// Messages quote what a file says, and a file may say a megabyte.

/** A text of at most `limit` characters; a longer one is cut, followed by its length. */
export function short(text: string | undefined, limit = 100): string {
  if (text === undefined) return "missing";
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** A value as JSON, cut like a text. What JSON lacks is written too: NaN, infinities, whole numbers with an n, and what refers to itself. */
export const shown = (value: unknown, limit?: number): string =>
  short(typeof value === "number" ? String(value) : asJson(value), limit);

function asJson(value: unknown): string | undefined {
  try {
    if (typeof value === "function") return isAsync(value) ? "an async function" : "a function";
    return JSON.stringify(value, (_, part) => (isNonFinite(part) ? `${MARK}${part}` : part))?.replace(
      MARKED,
      "$1",
    );
  } catch {
    return typeof value === "bigint" ? `${value}n` : `a value that cannot be written (${typeof value})`;
  }
}

const isAsync = (value: object): boolean =>
  Object.prototype.toString.call(value) === "[object AsyncFunction]";

/** JSON would write null. */
const isNonFinite = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);
const MARK = "\0number ";
/** A marked number as JSON, which escapes the mark. */
const MARKED = /"\\u0000number (NaN|-?Infinity)"/g;
