// What follows from a verdict's status, said once.
import type { VerdictStatus } from "./types.ts";

/** Statuses of claims without a judgement: they are neither right nor wrong. */
const UNJUDGED: ReadonlySet<VerdictStatus> = new Set(["format", "off", "not_judged"]);

/** Whether the claim was judged, so that it counts in an accuracy. */
export const wasJudged = (verdict: { status: VerdictStatus }): boolean => !UNJUDGED.has(verdict.status);

/** Whether the judge failed: its call did not succeed, or its recording lacks the claim. */
export const hasJudgeFailed = ({ status }: { status: VerdictStatus }): boolean => status === "not_judged";
