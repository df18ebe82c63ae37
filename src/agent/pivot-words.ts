// Words about a lost game, for the runs whose policy reads them.
import type { Loss } from "../envs/lost.ts";

const wordsOf = (mode: Loss["mode"]): string => ` lost by ${mode} at `;

/** Words that runs with `actor.use_pivot` append to their vocabulary. */
export const PIVOT_WORDS: readonly string[] = [wordsOf("deadlock"), wordsOf("timeout")];

/** How and when a game was lost: " lost by deadlock at turn 3". */
export const pivotText = ({ mode, turn }: Loss): string => `${wordsOf(mode)}turn ${turn + 1}`;
