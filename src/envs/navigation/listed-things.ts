// Lists of what a claim says it sees: "sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right". A thing that is only said to be somewhere ("the
// lamp is 5 steps behind me") is not listed.
import { nameWord } from "../../core/claim-words.ts";
import { PLACE, WAYS } from "./offsets.ts";
import { LONG_NAMES } from "./phrases.ts";

/** Words before a place that name no object. */
const NO_NAMES = [
  ...WAYS,
  "step",
  "steps",
  "clear",
  "distance",
  "move",
  "moved",
  "go",
  "walk",
  "turn",
  "turned",
];

/** A name that an object can have: all of an instruction's, and words that name none. */
export const NAME = `(?:${LONG_NAMES}|${nameWord(NO_NAMES)})`;

const UNDENIED = "(?<!\\b(?:not|never|cannot|longer)\\s{1,9})";
/** What begins a list: "sees", "I see", "in view:". */
const SEES = `${UNDENIED}\\b(?:(?:see|sees|seeing)\\b|(?:in\\s+view|visible)\\s*:)`;
/** A name and its place, without a verb between them. "Target" before a name ends the list. */
const ITEM = `(?:(?:a|an|the|my)\\s+)?${NAME}[\\s:=([]*${PLACE}[)\\]]?`;
const LIST = new RegExp(`${SEES}[\\s:]*${ITEM}(?:[\\s;,]*(?:and\\s+)?${ITEM})*`, "gu");

/** Where the lists in text of `claimText` begin and end. */
export const listsIn = (text: string): (readonly [start: number, end: number])[] =>
  [...text.matchAll(LIST)].map(({ index, 0: { length } }) => [index, index + length] as const);
