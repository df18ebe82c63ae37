// The words around summaries. They are in the vocabularies of runs that use summaries, never in the common one.

/** Asks for a summary. */
export const REQUEST = "summarise what happened and keep every fact that is needed to go on";
/** Before a summary where the next conversation shows it. */
export const LABEL = "summary so far: ";
/** Between the summary and the observation. */
export const BLANK_LINE = "\n\n";
/** Before what was done, and before what is planned. */
export const DONE = " ; done ";
export const NEXT = " ; next ";

/** One token each. */
export const SUMMARY_WORDS: readonly string[] = [REQUEST, LABEL, BLANK_LINE, DONE, NEXT];
