// What follows from a verdict's status, said once.
import type { VerdictStatus } from "./types.ts";

/** Statuses of claims that nobody held against the truth: they are neither right nor wrong. */
const UNJUDGED: ReadonlySet<VerdictStatus> = new Set(["format", "off", "not_judged"]);

/** Whether somebody judged the claim, so that it counts in an accuracy. */
export const wasJudged = (verdict: { status: VerdictStatus }): boolean => !UNJUDGED.has(verdict.status);

/** Whether a judge was asked and could not tell: its call failed, or its recording lacks the claim. */
export const hasJudgeFailed = ({ status }: { status: VerdictStatus }): boolean => status === "not_judged";
