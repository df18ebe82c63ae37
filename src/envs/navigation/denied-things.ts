// Objects that a claim says are not in view: "the sofa is not visible", "bed not seen", "I can't see the lamp", "no desk in view", "neither
// sofa nor bed is visible". What was or had been in view is no part of a claim.
import { nameWord } from "../../core/claim-words.ts";
import { kindNamed, LONG_NAMES, PHRASES } from "./phrases.ts";

/** What is said of an object that is said not to be in view. */
export const NOT_IN_VIEW = "not in view";

/** An object that a claim says is not in view. */
interface DeniedThing {
  /** Its kind, or a word that names none; absent where it is only called the target. */
  kind?: string;
  /** Whether it is called the target. */
  isTarget: boolean;
}

const WORD = `(?:${LONG_NAMES}|(?<![\\p{L}\\p{N}_])\\p{L}[\\p{L}\\p{N}_]*)`;
const THE = "(?:(?:the|a|an|any|my)\\s+)?";

const GENERIC = ["object", "item", "thing", "one"];
const NO_KINDS =
  "wo|can|ca|could|has|have|had|been|yet|also|still|currently|known|out|hidden|invisible|target";
/** A word that can be the kind of the target. */
const KIND = nameWord(NO_KINDS.split("|"));
/** The kinds of the homes, by all their names: after "see the target" any other word may follow. */
const KNOWN_KIND = Object.entries(PHRASES)
  .flatMap(([kind, { names }]) => [kind, ...names])
  .map((name) => name.replaceAll(" ", "[\\s_-]+"))
  .join("|");
const SIGNS = "[\\s\"':=()]+";
/** "target", "target lamp", "target (lamp)", and what leads to the verb. */
const targetCalled = (kind: string) => `\\btarget(?:${SIGNS}(?:${kind})(?![\\p{L}\\p{N}_]))?`;

const PREPOSITION =
  "of|behind|beside|besides|near|under|below|beneath|above|over|on|in|inside|at|by|to|from|with|against|between|opposite|beyond|around|past";
const ADJECTIVE =
  "big|large|small|little|tall|high|low|long|wide|old|other|wooden|red|green|blue|yellow|white|black|brown|grey|gray|orange|pink|purple";
/** "of the sofa": what is denied is the thing before it. */
const PHRASE = `\\b(?:${PREPOSITION})\\s+${THE}(?:(?:${ADJECTIVE})\\s+){0,2}(?:target\\s+(?:${KNOWN_KIND})\\b|${WORD})`;
/** A thing with a verb after it. A phrase without a thing before it is matched, too, so that no thing in it is taken for the subject. */
const SUBJECT =
  `(?:(?:(${targetCalled(`${LONG_NAMES}|${KIND}`)})(?:\\s+${PHRASE})?${SIGNS}|` +
  `(${WORD})(?:\\s+${PHRASE})?\\s+|${PHRASE}\\s+))`;

const BE = "(?:(?:is|are|will|wo|can|ca|be|now|then|yet|also|currently)\\s+){0,3}";
const NOT = "(?:not|cannot|never|no\\s+longer)\\s+";
const IN_VIEW = "(?:(?:in|within)\\s+(?:view|sight)|visible|seen)\\b";
const UNSEEN = `(?:${NOT}${BE}${IN_VIEW}|(?:out\\s+of\\s+(?:view|sight)|hidden|invisible)\\b)`;

/** In each, the groups are things that are denied. */
const DENIALS = [
  `(?=\\p{L})${SUBJECT}${BE}${UNSEEN}`,
  `(?<!\\bdid\\s{1,9})\\b${NOT}see\\s+${THE}(${targetCalled(KNOWN_KIND)}|${WORD})(?!['’]s\\b)`,
  `\\bno\\s+(?:(${targetCalled(KNOWN_KIND)})${SIGNS}|(${WORD})\\s+)${BE}${IN_VIEW}`,
  `\\bneither\\s+${THE}(${targetCalled(KNOWN_KIND)}|${WORD})\\s+nor\\s+${THE}(${targetCalled(KNOWN_KIND)}|${WORD})\\s+${BE}${IN_VIEW}`,
  // The first of two; the second is a subject of its own. "I see the lamp and the chairs are not visible" denies no lamp.
  `(?<!\\bsees?\\s{1,9}(?:(?:the|a|an)\\s{1,9})?)(${WORD})\\s+(?:and|or)\\s+${THE}${WORD}\\s+(?:are\\s+|will\\s+both\\s+)${BE}${UNSEEN}`,
].map((pattern) => new RegExp(pattern, "gu"));

/** What text of `claimText` says is not in view. */
export const deniedThings = (text: string): DeniedThing[] =>
  DENIALS.flatMap((denial) =>
    [...text.matchAll(denial)].flatMap(([, ...things]) =>
      things.filter((thing) => thing !== undefined).map(thingIn),
    ),
  );

const CALLED_TARGET = new RegExp(`^target(?:${SIGNS}|$)`, "u");

/** "target (lamp" is the target, and a lamp. */
function thingIn(written: string): DeniedThing {
  const name = written.replace(CALLED_TARGET, "");
  const isTarget = name !== written;
  return isTarget && (name === "" || GENERIC.includes(name))
    ? { isTarget }
    : { kind: kindNamed(name), isTarget };
}
