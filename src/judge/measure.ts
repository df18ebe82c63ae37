// How well a judge agrees with what is expected of it.
import { hasJudgeFailed } from "../core/verdict.ts";
import type { JudgeCase } from "./cases.ts";
import type { Cancel, Judge } from "./judge.ts";

/** How often a judge said what, by what is expected. */
export interface Confusion {
  /** YES, as expected. */
  truePositive: number;
  /** YES where NO is expected: a wrong claim would be paid. */
  falsePositive: number;
  /** NO, as expected. */
  trueNegative: number;
  /** NO where YES is expected: a right claim would not be paid. */
  falseNegative: number;
  /** The judge failed. */
  notJudged: number;
}

export interface Measured {
  confusion: Confusion;
  /** Cases on which the judge says something else, and those that were not judged. */
  disagreements: readonly { id: string; text: string; expected: string; said: string; reason: string }[];
}

/** Runs a judge over cases. A score of at least `threshold` is a YES. */
export async function measureJudge(
  judge: Judge,
  cases: readonly JudgeCase[],
  threshold = 1,
  signal?: Cancel,
): Promise<Measured> {
  const verdicts = await judge.judge(
    cases.map(({ question }) => question),
    signal,
  );
  const said = verdicts.map((verdict) =>
    hasJudgeFailed(verdict) ? "not judged" : verdict.score >= threshold ? "yes" : "no",
  );
  const outcomes = cases.map((known, i) => ({
    id: known.id,
    text: known.question.text,
    expected: known.isRight ? "yes" : "no",
    said: said[i]!,
    reason: verdicts[i]!.reason,
  }));
  return {
    confusion: count(outcomes),
    disagreements: outcomes.filter(({ expected, said }) => expected !== said),
  };
}

function count(outcomes: readonly { expected: string; said: string }[]): Confusion {
  const of = (expected: string, said: string) =>
    outcomes.filter((outcome) => outcome.expected === expected && outcome.said === said).length;
  return {
    truePositive: of("yes", "yes"),
    falsePositive: of("no", "yes"),
    trueNegative: of("no", "no"),
    falseNegative: of("yes", "no"),
    notJudged: of("yes", "not judged") + of("no", "not judged"),
  };
}

/** Share of the judged cases in which the judge says what is expected; NaN when none was judged. */
export function accuracyOf({ truePositive, trueNegative, falsePositive, falseNegative }: Confusion): number {
  const right = truePositive + trueNegative;
  return right / (right + falsePositive + falseNegative);
}
