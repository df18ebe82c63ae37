// The agreement of a judge with expected answers.
import { mean } from "../core/statistics.ts";
import type { Verdict } from "../core/types.ts";
import { hasJudgeFailed } from "../core/verdict.ts";
import type { JudgeCase } from "./cases.ts";
import type { Cancel, Judge } from "./judge.ts";

/** The confusion matrix of a judge. */
interface Confusion {
  /** YES, as expected. */
  truePositive: number;
  /** YES where NO is expected: a wrong claim would earn a reward. */
  falsePositive: number;
  /** NO, as expected. */
  trueNegative: number;
  /** NO where YES is expected: a right claim would earn nothing. */
  falseNegative: number;
  /** The judge failed. */
  notJudged: number;
}

/** The answer of a judge to one case. */
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
  /** Cases with another answer than expected, and cases that were not judged. */
  disagreements: readonly Outcome[];
}

/** A claim with its expected answer. */
export interface AnsweredCase {
  id: string;
  text: string;
  /** YES is expected. */
  isRight: boolean;
}

/** Titles of groups of cases, and which cases they have. */
export type Groups<C> = readonly (readonly [title: string, of: (known: C) => boolean])[];

const GROUPS: Groups<JudgeCase> = [
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
  const answered = cases.map((known) => ({ ...known, text: known.question.text }));
  return measureVerdicts(answered, verdicts, GROUPS, threshold);
}

/** The agreement of verdicts with the cases that they answer, one for each. A score of at least `threshold` is a YES. */
export function measureVerdicts<C extends AnsweredCase>(
  cases: readonly C[],
  verdicts: readonly Verdict[],
  groupsOf: Groups<C>,
  threshold = 1,
): Measured {
  const outcomes = cases.map((known, i) => outcomeOf(known, verdicts[i]!, threshold));
  const groups = groupsOf.map(([title, of]) => ({ title, own: outcomes.filter((_, i) => of(cases[i]!)) }));
  const meanOf = (isRight: boolean) =>
    mean(
      verdicts
        .filter((verdict, i) => cases[i]!.isRight === isRight && !hasJudgeFailed(verdict))
        .map(({ score }) => score),
    );
  return {
    confusion: count(outcomes),
    groups: groups
      .filter(({ own }) => own.length > 0)
      .map(({ title, own }) => ({ title, confusion: count(own) })),
    meanScore: { right: meanOf(true), wrong: meanOf(false) },
    disagreements: outcomes.filter(({ expected, said }) => expected !== said),
  };
}

function outcomeOf({ id, text, isRight }: AnsweredCase, verdict: Verdict, threshold: number): Outcome {
  const answer = verdict.score >= threshold ? "yes" : "no";
  return {
    id,
    text,
    expected: isRight ? "yes" : "no",
    said: hasJudgeFailed(verdict) ? "not judged" : answer,
    reason: verdict.reason,
  };
}

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

/** Share of the judged cases with the expected answer; NaN if none was judged. */
export function accuracyOf({ truePositive, trueNegative, falsePositive, falseNegative }: Confusion): number {
  const right = truePositive + trueNegative;
  return right / (right + falsePositive + falseNegative);
}

/** The measurement as a Markdown table: a row for each group, the last for all cases. */
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
