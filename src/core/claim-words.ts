// How numbers, words and what stands between them are written in claims about worlds: parts of patterns for text of `claimText`. They read
// more spellings than a policy is taught, because an invented thing in a spelling that nobody reads would cost nothing.
import { NEGATIONS, plainNegations } from "./negation.ts";

/** The text of a claim as these patterns read it: in small letters, contracted negations and other signs for minus written out. */
export const claimText = (text: string): string => plainNegations(text.toLowerCase().replace(/[−–]/g, "-"));

/** A number in any notation, or what looks like one: "62", "-5", "2.5", "62.", "1e3"; also "48.5.9", which is none. */
export const NUMBER = "(?<![\\d.])[+-]?\\.?\\d[\\d.]*(?:e[+-]?\\d+)?";

/** The number that such a text means; NaN if it means none. A point at the end may be that of a sentence. */
export const numberOf = (written: string): number => Number(written.replace(/\.+$/, ""));

/** Between two parts of what is said of a thing: blanks, a comma, "and". */
export const GAP = "[\\s,]+(?:and\\s+)?";

const BETWEEN = "[\\s\"'*:=,]";
const COPULAS = "is|are|was|were|be|will|would|at|lies|stands|located|about|around|roughly|now|then";
/** Between a thing and what is said of it: "lamp 4 ahead", "lamp: 4 ahead", "the lamp is at 4 ahead"; it may also be empty. */
export const LINK = `(?:${BETWEEN}+(?:${COPULAS})\\b)*${BETWEEN}*`;

const FUNCTION_WORDS =
  "a|an|the|it|its|in|on|of|to|by|from|and|or|so|as|with|than|for|i|you|we|they|there|here|this|that|these|those|which|who|my|your|see|sees";

/** Where a word begins; "green" is none in "light-green". */
export const WORD_START = "(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}_]['’-])";

/**
 * A word that can name a thing, whether or not it names any.
 * @param others words that name none in this world.
 */
export const nameWord = (others: readonly string[]): string => {
  const none = [COPULAS, FUNCTION_WORDS, ...NEGATIONS, ...others].join("|");
  return `${WORD_START}(?!(?:${none})(?![\\p{L}\\p{N}_]))\\p{L}[\\p{L}\\p{N}_]*(?:['’-][\\p{L}\\p{N}_]+)*`;
};
