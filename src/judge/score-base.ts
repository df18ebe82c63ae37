// Pays a claim only for what it scores above a base, the score of guessing (VAGEN, 2026: `score_base`).
import type { Verdict } from "../core/types.ts";
import { wasJudged } from "../core/verdict.ts";
import type { Judge } from "./judge.ts";

/** max(0, (score − base) / (1 − base)), for a base below 1. */
export const aboveBase = (score: number, base: number): number => Math.max(0, (score - base) / (1 - base));

/** A judge whose verdicts pay what their score is above `base`; what is paid otherwise, such as a penalty, stays. */
export function payingAboveBase(judge: Judge, base: number): Judge {
  // Recorded configurations may lack the setting.
  if (!(base > 0)) return judge;
  const priced = (verdict: Verdict): Verdict =>
    wasJudged(verdict) && verdict.paid === undefined
      ? { ...verdict, paid: aboveBase(verdict.score, base) }
      : verdict;
  return {
    ...judge,
    judge: async (questions, signal) => (await judge.judge(questions, signal)).map(priced),
  };
}
