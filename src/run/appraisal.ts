// What models of the user's say of drawings, as a part of the reward.
import type { Appraisal, Appraised, NewTurn, Task } from "../agent/task.ts";
import { paidUnder, type WeighedModel } from "../config/paid-models.ts";
import type { Turn } from "../core/types.ts";
import type { Drawings } from "../envs/env.ts";
import type { SimilarityModels } from "./similarity-models.ts";

/** The task, in all its environments, with the appraisals of the models that it pays. @param ended cancels what is asked when the run ends */
export function appraisedBy(task: Task, models: SimilarityModels | undefined, ended: AbortSignal): Task {
  const appraisal = models && appraisalOf(task, models, ended);
  const { others } = task;
  return {
    ...task,
    ...(appraisal && { appraisal }),
    ...(others && {
      others: new Map([...others].map(([name, other]) => [name, appraisedBy(other, models, ended)])),
    }),
  };
}

function appraisalOf(
  { spec, envConfig }: Task,
  models: SimilarityModels,
  ended: AbortSignal,
): Appraisal | undefined {
  const paid = paidUnder(spec, envConfig as Readonly<Record<string, unknown>>);
  if (paid.length === 0) return undefined;
  const drawings = spec.drawings!;
  const kinds = paid.map(({ kind }) => kind);
  const improves = drawings.paidModels.paysImprovement(envConfig);
  return {
    measures: kinds,
    async appraise(turns, signal = ended) {
      const appraised: Appraised[] = [];
      for (const one of turns) {
        const facts = await scoresOf(one.turn, kinds, drawings, models, signal);
        appraised.push({ facts, reward: rewardFor(one, facts, paid, improves) });
      }
      return appraised;
    },
  };
}

/** What the models say of the drawing that is in view after a turn; nothing before the first drawing. */
async function scoresOf(
  { after }: Turn,
  kinds: readonly string[],
  drawings: Drawings,
  models: SimilarityModels,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const pair = drawings.codes(after);
  const scores: Record<string, number> = {};
  if (pair) for (const kind of kinds) scores[kind] = await models.compare(kind, pair, drawings, signal);
  return scores;
}

/** What the models pay a turn: each its weight times its score, or times what the score adds to its best so far. A turn that draws nothing earns nothing. */
function rewardFor(
  { turn, earlier }: NewTurn,
  scores: Readonly<Record<string, number>>,
  paid: readonly WeighedModel[],
  improves: boolean,
): number {
  if (!turn.executed.some(({ valid }) => valid)) return 0;
  const terms = paid.map(({ kind, weight }) => {
    const best = improves ? bestIn(earlier, kind) : 0;
    return weight * Math.max(0, scores[kind]! - best);
  });
  return terms.reduce((sum, term) => sum + term, 0);
}

/** The best score of earlier turns; 0 before the first drawing. */
const bestIn = (turns: readonly Turn[], kind: string): number =>
  turns.reduce((best, { after }) => Math.max(best, Number(after.facts?.[kind] ?? 0)), 0);
