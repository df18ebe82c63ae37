// Judges claims about worlds that are not boards. What a claim can say is fixed by the environment's own rules and the truth is
// known, so a rule decides, whichever judge the run has for boards.
import { earnsFormat } from "../core/readings.ts";
import { type ClaimRules, isBoard, type Statement } from "../core/scene.ts";
import type { Turn, Verdict, WorldTruth } from "../core/types.ts";
import { NOT_STATED } from "../core/verdict.ts";
import { type Claim, malformed, noScore } from "./judge.ts";

/** What stands in place of the truth about a thing that is not there. */
const NOT_THERE = "not there";

/**
 * The verdict on one claim about a world: the score is the share of right statements among those that are expected and those about
 * things that are not there. Of several statements about one thing the first counts. A prediction is made in the state `before`.
 */
export function judgeStatements(
  text: string,
  claim: Claim,
  truth: WorldTruth,
  rules: ClaimRules,
  before = truth,
): Verdict {
  const stated = firstOfEach(rules.read(text, truth));
  const expected = rules.expected(truth, claim, before);
  const fields = [
    ...expected
      .filter(({ name, optional }) => !optional || stated.has(name))
      .map((fact) => compared(stated.get(fact.name), fact, truth, rules)),
    ...[...stated.values()]
      .filter(({ name }) => !expected.some((fact) => fact.name === name))
      .map((said) => ({ ...fieldOf(said, truth, rules), truth: NOT_THERE, ok: false })),
  ];
  if (stated.size === 0) return { ...noScore("unreadable", "rule", "Nothing is stated."), fields };
  const right = fields.filter(({ ok }) => ok).length;
  const status = right === fields.length ? "match" : right > 0 ? "partial" : "mismatch";
  return {
    status,
    score: right / fields.length,
    judge: "rule",
    reason: `${right} of ${fields.length} right`,
    fields,
  };
}

function firstOfEach(statements: readonly Statement[]): Map<string, Statement> {
  const first = new Map<string, Statement>();
  for (const said of statements) if (!first.has(said.name)) first.set(said.name, said);
  return first;
}

function compared(said: Statement | undefined, fact: Statement, truth: WorldTruth, rules: ClaimRules) {
  if (!said) return { name: fact.name, predicted: NOT_STATED, truth: fact.value, ok: false };
  return { ...fieldOf(said, truth, rules), truth: fact.value, ok: rules.agrees(said, fact) };
}

function fieldOf(said: Statement, truth: WorldTruth, rules: ClaimRules) {
  const outline = rules.outline(said, truth);
  return { name: said.name, predicted: said.value, ...(outline && { outline }) };
}

/** How claims about the worlds of a run's turns are judged. */
interface StatementRules {
  rules: ClaimRules;
  /** The claims that the reply format has. */
  claims: readonly Claim[];
  /** Whether the run has a judge; without one the verdicts have the status `off`. */
  isOn: boolean;
  /** Sets what a verdict pays, where that is not its score. */
  price(verdict: Verdict): Verdict;
}

/** A record of verdicts by claim for each turn. As with boards, only a turn that earns the format reward is judged. */
export const judgeWorlds = (
  turns: readonly Turn[],
  { rules, claims, isOn, price }: StatementRules,
): Record<string, Verdict>[] =>
  turns.map((turn) =>
    Object.fromEntries(
      claims.flatMap((claim): [string, Verdict][] => {
        const truth = claim === "observation" ? turn.before : turn.after;
        if (isBoard(truth) || isBoard(turn.before)) return [];
        if (!earnsFormat(turn)) return [[claim, malformed(turn, "rule")]];
        if (!isOn) return [[claim, noScore("off", "off", "The reasoning reward is off.")]];
        return [[claim, price(judgeStatements(turn.parsed[claim], claim, truth, rules, turn.before))]];
      }),
    ),
  );
