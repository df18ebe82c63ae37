// Pays a claim only for what it scores above a base, the score of guessing (VAGEN, 2026: `score_base`).
import type { Verdict } from "../core/types.ts";
import { wasJudged } from "../core/verdict.ts";
import type { Judge } from "./judge.ts";

/** max(0, (score − base) / (1 − base)), for a base below 1. */
export const aboveBase = (score: number, base: number): number => Math.max(0, (score - base) / (1 - base));

/** The verdict with what its score above `base` pays; what is paid otherwise, such as a penalty, stays. */
export function pricedAbove(verdict: Verdict, base: number): Verdict {
  // Recorded configurations may lack the setting.
  if (!(base > 0) || !wasJudged(verdict) || verdict.paid !== undefined) return verdict;
  return { ...verdict, paid: aboveBase(verdict.score, base) };
}

/** A judge whose verdicts pay what their score is above `base`. */
export function payingAboveBase(judge: Judge, base: number): Judge {
  if (!(base > 0)) return judge;
  return {
    ...judge,
    judge: async (questions, signal) =>
      (await judge.judge(questions, signal)).map((verdict) => pricedAbove(verdict, base)),
  };
}
