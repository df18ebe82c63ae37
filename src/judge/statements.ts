// Judges claims about worlds that are not boards. What a claim can say is fixed by the environment's own rules and the truth is
// known, so a rule decides, whichever judge the run has for boards.
import { earnsFormat } from "../core/readings.ts";
import { type ClaimRules, isBoard, type Statement } from "../core/scene.ts";
import type { Turn, Verdict, WorldTruth } from "../core/types.ts";
import { NOT_STATED, NOT_THERE } from "../core/verdict.ts";
import { type Claim, malformed, noScore } from "./judge.ts";

/**
 * The verdict on one claim about a world: the score is the share of right statements among those that are expected and those about
 * things that are not there. Several things may have one name. Of a name's statements the first count, as many as there are such things;
 * another one says that there is one more, unless it only repeats. A prediction is made in the state `before`. A claim about what cannot be
 * said exactly gets the status `not_judged`.
 */
export function judgeStatements(
  text: string,
  claim: Claim,
  truth: WorldTruth,
  rules: ClaimRules,
  before = truth,
): Verdict {
  if (rules.canJudge?.(truth, claim) === false) return noScore("not_judged", "rule", UNSAYABLE);
  const stated = rules.read(text, truth);
  const expected = rules.expected(truth, claim, before);
  const { said, surplus } = paired(stated, expected, rules);
  const fields = [
    ...expected
      .filter((fact) => !fact.optional || said.has(fact))
      .map((fact) => compared(said.get(fact), fact, truth, rules)),
    ...surplus.map((more) => ({ ...fieldOf(more, truth, rules), truth: NOT_THERE, ok: false })),
  ];
  if (stated.length === 0) return { ...noScore("unreadable", "rule", "Nothing is stated."), fields };
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

const UNSAYABLE = "Not judged: what the picture shows is more than claims can say exactly.";

/** What is said of each thing that is expected, and what is said of more things than there are. */
function paired(stated: readonly Statement[], expected: readonly Statement[], rules: ClaimRules) {
  const said = new Map<Statement, Statement>();
  const surplus: Statement[] = [];
  for (const name of new Set(stated.map((one) => one.name))) {
    const all = stated.filter((one) => one.name === name);
    const facts = expected.filter((fact) => fact.name === name);
    const counted = all.slice(0, facts.length);
    pairUp(counted, facts, rules, said);
    const known = new Set(counted.map(({ value }) => value));
    for (const more of all.slice(facts.length)) {
      if (!known.has(more.value)) surplus.push(more);
      known.add(more.value);
    }
  }
  return { said, surplus };
}

/** Pairs statements with facts of the same name: first those in the same words, then those that are right, then the rest in order. */
function pairUp(
  statements: readonly Statement[],
  facts: readonly Statement[],
  rules: ClaimRules,
  said: Map<Statement, Statement>,
): void {
  const free = new Set(facts);
  const rounds = [
    (one: Statement, fact: Statement) => one.value === fact.value,
    (one: Statement, fact: Statement) => rules.agrees(one, fact),
    () => true,
  ];
  let left = statements;
  for (const fits of rounds)
    left = left.filter((one) => {
      const fact = [...free].find((candidate) => fits(one, candidate));
      if (!fact) return true;
      free.delete(fact);
      said.set(fact, one);
      return false;
    });
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
