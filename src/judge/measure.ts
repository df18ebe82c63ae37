// How well a judge agrees with what is expected of it.
import type { Verdict } from "../core/types.ts";
import { hasJudgeFailed } from "../core/verdict.ts";
import type { JudgeCase } from "./cases.ts";
import type { Cancel, Judge } from "./judge.ts";

/** How often a judge said what, by what is expected. */
interface Confusion {
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

/** What a judge said to one case. */
interface Outcome {
  id: string;
  text: string;
  expected: "yes" | "no";
  said: "yes" | "no" | "not judged";
  reason: string;
}

export interface Measured {
  confusion: Confusion;
  /** The same by game and claim, and by way of writing; without groups that have no case. */
  groups: readonly { title: string; confusion: Confusion }[];
  /** Mean score of the judged claims that are right and of those that are wrong; NaN where there is none. */
  meanScore: { right: number; wrong: number };
  /** Cases on which the judge says something else, and those that were not judged. */
  disagreements: readonly Outcome[];
}

const GROUPS: readonly (readonly [title: string, of: (known: JudgeCase) => boolean])[] = [
  ["FrozenLake, observation", ({ game, claim }) => game === "frozenlake" && claim === "observation"],
  ["FrozenLake, prediction", ({ game, claim }) => game === "frozenlake" && claim === "prediction"],
  ["Sokoban, observation", ({ game, claim }) => game === "sokoban" && claim === "observation"],
  ["Sokoban, prediction", ({ game, claim }) => game === "sokoban" && claim === "prediction"],
  ["natural", ({ style }) => style === "natural"],
  ["structured", ({ style }) => style === "structured"],
  ["symbolic", ({ style }) => style === "symbolic"],
];

/** Runs a judge over cases, all of them in one batch. A score of at least `threshold` is a YES. */
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
  const outcomes = cases.map((known, i) => outcomeOf(known, verdicts[i]!, threshold));
  const groups = GROUPS.map(([title, of]) => ({ title, own: outcomes.filter((_, i) => of(cases[i]!)) }));
  const meanOf = (isRight: boolean) =>
    mean(verdicts.filter((verdict, i) => cases[i]!.isRight === isRight && !hasJudgeFailed(verdict)));
  return {
    confusion: count(outcomes),
    groups: groups
      .filter(({ own }) => own.length > 0)
      .map(({ title, own }) => ({ title, confusion: count(own) })),
    meanScore: { right: meanOf(true), wrong: meanOf(false) },
    disagreements: outcomes.filter(({ expected, said }) => expected !== said),
  };
}

function outcomeOf({ id, question, isRight }: JudgeCase, verdict: Verdict, threshold: number): Outcome {
  const answer = verdict.score >= threshold ? "yes" : "no";
  return {
    id,
    text: question.text,
    expected: isRight ? "yes" : "no",
    said: hasJudgeFailed(verdict) ? "not judged" : answer,
    reason: verdict.reason,
  };
}

const mean = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce((sum, { score }) => sum + score, 0) / verdicts.length;

function count(outcomes: readonly Outcome[]): Confusion {
  const of = (expected: Outcome["expected"], said: Outcome["said"]) =>
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

/** What was measured as a table in Markdown: a row for each group, the last for all cases. */
export function measuredTable({ confusion, groups }: Measured): string {
  const rows = [...groups, { title: "all", confusion }].map(row);
  return `| Cases | YES, is right | YES, is wrong | NO, is wrong | NO, is right | not judged | agreement |
|---|---|---|---|---|---|---|
${rows.join("\n")}`;
}

function row({ title, confusion }: Measured["groups"][number]): string {
  const { truePositive, falsePositive, trueNegative, falseNegative, notJudged } = confusion;
  const counts = [truePositive, falsePositive, trueNegative, falseNegative, notJudged].join(" | ");
  const agreement = accuracyOf(confusion);
  return `| ${title} | ${counts} | ${Number.isNaN(agreement) ? "–" : `${(100 * agreement).toFixed(1)} %`} |`;
}
