// How well replies name what is beside the player, counted from the verdicts on it.
import { isBoard } from "../core/scene.ts";
import { mean } from "../core/statistics.ts";
import type { Cell, Turn, Verdict } from "../core/types.ts";
import { NOT_STATED, NOT_THERE, SURROUNDINGS, wasJudged } from "../core/verdict.ts";

type Neighbour = Pick<Verdict["fields"][number], "truth" | "predicted">;

/**
 * Metrics of the judged turns; empty without any. `surroundings_accuracy` is the mean share of right neighbours and `/all` the share of
 * turns with all of them right. For each kind, `surroundings_miss/<kind>` is the share of its neighbours of which the reply says
 * something else or nothing, and `surroundings_false_alarm/<kind>` the share of other neighbours that it calls this kind. Both are also
 * counted for what replies claim by its place only, such as Sokoban's targets.
 */
export function surroundingsMetrics(turns: readonly Turn[]): Record<string, number> {
  const judged = turns.filter(({ verdicts }) => isJudged(verdicts[SURROUNDINGS]));
  if (judged.length === 0) return {};
  const verdicts = judged.map((turn) => turn.verdicts[SURROUNDINGS]!);
  const stated = byKind(verdicts.flatMap(({ fields }) => fields));
  return {
    surroundings_accuracy: mean(verdicts.map(({ score }) => score)),
    "surroundings_accuracy/all": mean(verdicts.map(({ status }) => Number(status === "match"))),
    ...errorsOf({ ...placed(judged), ...stated }),
  };
}

const isJudged = (verdict: Verdict | undefined): verdict is Verdict =>
  verdict !== undefined && wasJudged(verdict);

/** Neighbours, by the kinds that may be missed or falsely seen among them. */
type ByKind = Readonly<Record<string, readonly Neighbour[]>>;

/** All neighbours for each kind that one of them is or is called. */
function byKind(neighbours: readonly Neighbour[]): ByKind {
  const kinds = new Set(neighbours.flatMap(({ truth, predicted }) => [truth, predicted]));
  kinds.delete(NOT_STATED);
  return Object.fromEntries([...kinds].map((kind) => [kind, neighbours]));
}

/** For each thing that observations claim by its cells: whether it is beside the player, in each direction, and whether the claim has it there. */
function placed(turns: readonly Turn[]): ByKind {
  const found: Record<string, Neighbour[]> = {};
  for (const { before, verdicts } of turns) {
    if (!isJudged(verdicts.observation) || !isBoard(before) || !before.player) continue;
    const beside = cellsBeside(before.player);
    for (const { name, cells } of verdicts.observation.fields) {
      if (!cells || name === "player") continue;
      const at = (all: readonly Cell[] = [], cell: Cell) => (has(all, cell) ? name : NOT_THERE);
      found[name] ??= [];
      for (const cell of beside)
        found[name].push({ truth: at(before.entities[name], cell), predicted: at(cells, cell) });
    }
  }
  return found;
}

const cellsBeside = ([row, col]: Cell): Cell[] => [
  [row - 1, col],
  [row + 1, col],
  [row, col - 1],
  [row, col + 1],
];

const has = (cells: readonly Cell[], [row, col]: Cell): boolean =>
  cells.some((cell) => cell[0] === row && cell[1] === col);

const errorsOf = (kinds: ByKind): Record<string, number> =>
  Object.assign({}, ...Object.entries(kinds).map(([kind, neighbours]) => errorsAbout(kind, neighbours)));

function errorsAbout(kind: string, neighbours: readonly Neighbour[]): Record<string, number> {
  const own = neighbours.filter(({ truth }) => truth === kind);
  const others = neighbours.filter(({ truth }) => truth !== kind);
  const name = kind.replaceAll(" ", "_");
  return {
    ...(own.length > 0 && {
      [`surroundings_miss/${name}`]: mean(own.map(({ predicted }) => Number(predicted !== kind))),
    }),
    ...(others.length > 0 && {
      [`surroundings_false_alarm/${name}`]: mean(others.map(({ predicted }) => Number(predicted === kind))),
    }),
  };
}
