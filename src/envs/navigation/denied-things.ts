// Objects that a claim says are not in view: "the sofa is not visible", "bed not seen", "I can't see the lamp", "no desk in view".
import { kindNamed, LONG_NAMES } from "./phrases.ts";

/** What is said of an object that is said not to be in view. */
export const NOT_IN_VIEW = "not in view";

const WORD = `(?:${LONG_NAMES}|(?<![\\p{L}\\p{N}_])\\p{L}[\\p{L}\\p{N}_]*)`;
const NAME = `(${WORD})`;
const BE = "(?:(?:is|are|was|were|will|wo|can|ca|be|now|then|yet|also|currently)\\s+){0,3}";
const NOT = "(?:not|cannot|never)\\s+";
const IN_VIEW = "(?:(?:in|within)\\s+(?:view|sight)|visible|seen)\\b";
const DENIAL = new RegExp(
  `(?=\\p{L})(?<!\\btarget\\s{1,9})${NAME}\\s+${BE}(?:${NOT}${BE}${IN_VIEW}|(?:out\\s+of\\s+(?:view|sight)|hidden|invisible)\\b)|` +
    `${NOT}see\\s+(?:(?:the|a|an|any)\\s+)?${NAME}|` +
    `\\bno\\s+${NAME}\\s+${BE}${IN_VIEW}`,
  "gu",
);

/** The kinds of the objects that text of `claimText` says are not in view; also words that name none. */
export const deniedThings = (text: string): string[] =>
  [...text.matchAll(DENIAL)].map(([, before, seen, none]) => kindNamed((before ?? seen ?? none)!));
