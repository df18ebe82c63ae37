// What follows from a verdict's status, said once.
import type { Turn, Verdict, VerdictStatus } from "./types.ts";

/** Statuses of claims without a judgement: they are neither right nor wrong. */
const UNJUDGED: ReadonlySet<VerdictStatus> = new Set(["format", "off", "not_judged"]);

/** Whether the claim was judged, so that it counts in an accuracy. */
export const wasJudged = (verdict: { status: VerdictStatus }): boolean => !UNJUDGED.has(verdict.status);

/** Whether the judge failed: its call did not succeed, its recording lacks the claim, or the claim cannot be compared exactly. */
export const hasJudgeFailed = ({ status }: { status: VerdictStatus }): boolean => status === "not_judged";

/** The verdict on the tiles beside the player. It is decided by rule, apart from the claims that a judge is asked about. */
export const SURROUNDINGS = "surroundings";

/** What a verdict has in place of a statement that a reply does not make. */
export const NOT_STATED = "not stated";

/** What a verdict has in place of the truth about a thing that is not there. */
export const NOT_THERE = "not there";

/** Whether a statement says that something is not seen or not in view. Where it is wrong, the thing is there. */
export const isDenial = (predicted: string): boolean => /^not (?!stated)/.test(predicted);

/** The verdicts of a turn that the run's judge decides: those on its claims. */
export const askedVerdicts = ({ verdicts }: Pick<Turn, "verdicts">): Verdict[] =>
  Object.entries(verdicts).flatMap(([claim, verdict]) => (claim === SURROUNDINGS ? [] : [verdict]));
