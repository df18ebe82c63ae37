// Claims that a view shows no object: "nothing", "no objects are visible", "I see nothing". More spellings are read than a policy is taught,
// because a false denial in a spelling that nobody reads would cost nothing.
import { affirmed } from "./negation.ts";

/** What is said where there is nothing to name. */
export const NOTHING = "nothing";
/** What is said of the view itself. */
export const NOTHING_IN_VIEW = "nothing in view";

/** The parts of sentences. Each is read by itself, with an exception that follows a comma. */
const PART_END = /[.;!\n]|,(?!\s*(?:except|but|besides|apart)\b)/;
const BARE = /^[^\p{L}\p{N}]*nothing(?:\s+at\s+all)?[^\p{L}\p{N}]*$/u;

const OBJECT = "(?:objects?|things?|items?|furniture)\\b";
const DENIAL = new RegExp(
  `\\bnothing\\b|\\bnone\\b|\\bno\\s+(?:visible\\s+)?${OBJECT}|` +
    `\\b(?:not|cannot|never|without)\\s+(?:[a-z]+\\s+){0,3}any(?:thing\\b|\\s+${OBJECT})`,
);
/** "nothing blocks the way" is no claim about the view. */
const ABOUT_VIEW = /\b(?:view|sight|visible|sees?|seen|seeing|shown?|shows|appears?|there)\b/;
/** "nothing else", "no objects but the bin", "nothing to my left": the rest of the view may show something. */
const PARTIAL =
  /\b(?:else|new|more|further|others?|but|except|besides|apart|beyond|behind|between|way|path|front|ahead|near|nearby|close|beside|next|on|under|above|corner|(?:to|at)\s+(?:my|your|the)\s+(?:left|right|side))\b/;
const EMPTY =
  /\b(?:view|picture|scene)\s+(?:(?:is|was|will|be|now|then)\s+)*(?:empty|blank)\b|\b(?:empty|blank)\s+(?:view|picture|scene)\b/g;

/**
 * Whether text of `claimText` says that no object is in view: {@link NOTHING_IN_VIEW} where a sentence says so, {@link NOTHING} where only
 * this word stands by itself, null otherwise.
 */
export function deniedView(text: string): typeof NOTHING | typeof NOTHING_IN_VIEW | null {
  const parts = text.split(PART_END);
  if (parts.some(deniesView)) return NOTHING_IN_VIEW;
  return parts.some((part) => BARE.test(part)) ? NOTHING : null;
}

function deniesView(part: string): boolean {
  if (affirmed(part, EMPTY).length > 0) return true;
  const at = part.search(DENIAL);
  return at >= 0 && ABOUT_VIEW.test(part) && !PARTIAL.test(part.slice(at));
}
