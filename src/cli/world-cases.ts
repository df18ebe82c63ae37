// How often the rule that judges claims about worlds gives the expected answer.
import type { WorldTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { wordsOf } from "../envs/worlds.ts";
import type { Claim } from "../judge/judge.ts";
import { type AnsweredCase, type Groups, type Measured, measureVerdicts } from "../judge/measure.ts";
import { judgeStatements } from "../judge/statements.ts";
import { arrivals, looks, pictures, results, shapes, turns, views, workspaces } from "./world-claims.ts";
import { BEFORE, STEP, TRUTHS } from "./world-truths.ts";

interface WorldCase extends AnsweredCase {
  envId: "navigation" | "primitive-skill" | "svg" | "spatial-gym";
  claim: Claim;
  truth: WorldTruth;
  /** Where a prediction is made. */
  before: WorldTruth;
}

const SETS = [
  ["navigation", "observation", views],
  ["navigation", "prediction", arrivals],
  ["primitive-skill", "observation", workspaces],
  ["primitive-skill", "prediction", results],
  ["svg", "observation", shapes],
  ["svg", "prediction", pictures],
  ["spatial-gym", "observation", looks],
  ["spatial-gym", "prediction", turns],
] as const;

const worldCases: readonly WorldCase[] = SETS.flatMap(([envId, claim, rows]) =>
  rows.map(([truth, answer, text], i) => ({
    id: `${envId}/${claim}/${i + 1}`,
    envId,
    claim,
    isRight: answer === "yes",
    text,
    truth: TRUTHS[truth],
    before: BEFORE[truth] ?? TRUTHS[truth],
  })),
);

/** Whether a claim is written as JSON or as a dictionary of Python, as `rollout.state_format: structured` asks. */
const isStructured = ({ text }: WorldCase): boolean => /^\s*[[{]/.test(text);

/** Groups such as "Navigation, observation"; structured claims have groups of their own. */
const GROUPS: Groups<WorldCase> = SETS.flatMap(([envId, claim]): Groups<WorldCase> => {
  const name = `${envs.get(envId).title}, ${claim}`;
  const isOne = (known: WorldCase) => known.envId === envId && known.claim === claim;
  const groups: Groups<WorldCase> = [
    [name, (known) => isOne(known) && !isStructured(known)],
    [`${name}, structured`, (known) => isOne(known) && isStructured(known)],
  ];
  return groups.filter(([, isIn]) => worldCases.some(isIn));
});

/** How often the rule that judges claims about worlds gives the expected answer. */
export function measureWorlds(): Measured & { claims: number } {
  const verdicts = worldCases.map(({ envId, claim, text, truth, before }) =>
    judgeStatements(text, claim, truth, wordsOf(envId)!.claimRules!(OPTIONS[envId]), before),
  );
  return { ...measureVerdicts(worldCases, verdicts, GROUPS), claims: worldCases.length };
}

/** The options on which the rules depend. */
const OPTIONS = {
  navigation: { step_length: STEP, fov: 100 },
  "primitive-skill": { env_id: "StackThreeCube", camera: "close" },
  svg: {},
  "spatial-gym": { fov: 90 },
};
