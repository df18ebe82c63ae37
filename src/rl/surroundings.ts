// How well replies name the tiles beside the player, counted from the verdicts on them.
import { mean } from "../core/statistics.ts";
import type { Turn, Verdict } from "../core/types.ts";
import { NOT_STATED, SURROUNDINGS, wasJudged } from "../core/verdict.ts";

type Neighbour = Verdict["fields"][number];

/**
 * Metrics of the judged turns; empty without any. `surroundings_accuracy` is the mean share of right neighbours and `/all` the share of
 * turns with all of them right. For each kind, `surroundings_miss/<kind>` is the share of its neighbours of which the reply says
 * something else or nothing, and `surroundings_false_alarm/<kind>` the share of other neighbours that it calls this kind.
 */
export function surroundingsMetrics(turns: readonly Turn[]): Record<string, number> {
  const judged = turns.flatMap(({ verdicts }) => verdicts[SURROUNDINGS] ?? []).filter(wasJudged);
  if (judged.length === 0) return {};
  const neighbours = judged.flatMap(({ fields }) => fields);
  const kinds = new Set(neighbours.flatMap(({ truth, predicted }) => [truth, predicted]));
  kinds.delete(NOT_STATED);
  return {
    surroundings_accuracy: mean(judged.map(({ score }) => score)),
    "surroundings_accuracy/all": mean(judged.map(({ status }) => Number(status === "match"))),
    ...Object.assign({}, ...[...kinds].map((kind) => errorsOf(kind, neighbours))),
  };
}

function errorsOf(kind: string, neighbours: readonly Neighbour[]): Record<string, number> {
  const own = neighbours.filter(({ truth }) => truth === kind);
  const others = neighbours.filter(({ truth }) => truth !== kind);
  const name = kind.replaceAll(" ", "_");
  return {
    ...(own.length > 0 && { [`surroundings_miss/${name}`]: mean(own.map(({ ok }) => Number(!ok))) }),
    ...(others.length > 0 && {
      [`surroundings_false_alarm/${name}`]: mean(others.map(({ predicted }) => Number(predicted === kind))),
    }),
  };
}
