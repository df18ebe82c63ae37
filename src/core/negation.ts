// Negations. A negated statement is left out, so it never earns anything.

/** One word each. "isn't", "can’t" and the like are made such words by {@link plainNegations}. */
export const NEGATIONS: ReadonlySet<string> = new Set([
  "no",
  "not",
  "cannot",
  "never",
  "without",
  "neither",
  "nor",
]);

/** Lower-case text with every contracted "not" as a word of its own. */
export const plainNegations = (text: string): string => text.replace(/n['’]t\b/g, " not");

const ANY = [...NEGATIONS].join("|");
const DENIAL = new RegExp(`\\b(?:${ANY})\\b`);
/** "there is no …", "not the …": the denial is of what comes next. */
const DENIES_NEXT = new RegExp(`\\b(?:${ANY})(?:\\s+(?:the|a|an|any|other|another|more))*\\s*$`);
/** After these a sentence says what is so. */
const INSTEAD = /\bbut\b|[.;\n]/;

/** Whether lower-case text that leads to a statement denies it: "is not at", "isn't at row 1 col 1 or at", not "not here but at". */
export const denies = (text: string): boolean => DENIAL.test(plainNegations(text).split(INSTEAD).at(-1)!);

/** Whether lower-case text denies the word that follows it: "there is no ", not "the player is not moving, the ". */
export const deniesNext = (text: string): boolean => DENIES_NEXT.test(plainNegations(text));

/**
 * "… is not in view", "… can't be seen", "… will never be there": the denial is of what came before, and of no more than its presence, as in
 * "… is not far". "can't" and "won't" are made "ca not" and "wo not" by {@link plainNegations}.
 */
const DENIED_AFTERWARDS = new RegExp(
  `^\\s+(?:cannot|(?:is|are|was|were|will|wo|can|ca|does|do)\\s+(?:${ANY}))\\s+(?:be\\s+)?(?:in view|seen|visible|there|here|present|exist)\\b`,
);

const deniedBy = (textAfter: string): boolean => DENIED_AFTERWARDS.test(plainNegations(textAfter));

/** Characters around a statement in which a denial of it stands. */
const NEARBY = 40;

/**
 * The places of lower-case text where a pattern, a statement, is found and not denied: "red cube (1,2,3)", but not "no red cube (1,2,3)" or
 * "red cube (1,2,3) is not there".
 */
export const affirmed = (text: string, statement: RegExp): RegExpExecArray[] =>
  [...text.matchAll(statement)].filter(({ index, 0: found }) => {
    const end = index + found.length;
    return (
      !deniesNext(text.slice(Math.max(0, index - NEARBY), index)) && !deniedBy(text.slice(end, end + NEARBY))
    );
  });
