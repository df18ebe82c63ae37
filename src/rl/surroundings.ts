// How well replies name what is beside the player, counted from the verdicts on it.
import { isBoard } from "../core/scene.ts";
import { mean } from "../core/statistics.ts";
import type { Cell, Trajectory, Turn, Verdict } from "../core/types.ts";
import { NOT_STATED, NOT_THERE, SURROUNDINGS, wasJudged } from "../core/verdict.ts";

type Neighbour = Pick<Verdict["fields"][number], "truth" | "predicted">;

/**
 * Metrics of the judged turns; empty without any. `surroundings_accuracy` is the mean share of right neighbours and `/all` the share of
 * turns with all of them right. For each kind, `surroundings_miss/<kind>` is the share of its neighbours of which the reply says
 * something else or nothing, and `surroundings_false_alarm/<kind>` the share of other neighbours that it calls this kind.
 * @param byPlace for an environment's id, what replies claim by its place only: both are counted for the tiles beside the player.
 */
export function surroundingsMetrics(
  trajectories: readonly Pick<Trajectory, "envId" | "turns">[],
  byPlace: ReadonlyMap<string, readonly string[]> = new Map(),
): Record<string, number> {
  const judged = trajectories.flatMap(({ envId, turns }) =>
    turns.filter(({ verdicts }) => isJudged(verdicts[SURROUNDINGS])).map((turn) => ({ envId, turn })),
  );
  if (judged.length === 0) return {};
  const verdicts = judged.map(({ turn }) => turn.verdicts[SURROUNDINGS]!);
  const neighbours = verdicts.flatMap(({ fields }) => fields);
  const placed = judged.flatMap(({ envId, turn }) =>
    (byPlace.get(envId) ?? []).flatMap((name) => placedBeside(name, turn)),
  );
  return {
    surroundings_accuracy: mean(verdicts.map(({ score }) => score)),
    "surroundings_accuracy/all": mean(verdicts.map(({ status }) => Number(status === "match"))),
    ...Object.assign({}, ...kindsOf(neighbours).map((kind) => errorsOf(kind, neighbours))),
    ...Object.assign(
      {},
      ...[...new Set(placed.map(({ name }) => name))].map((name) =>
        errorsOf(
          name,
          placed.filter((each) => each.name === name),
        ),
      ),
    ),
  };
}

const isJudged = (verdict: Verdict | undefined): verdict is Verdict =>
  verdict !== undefined && wasJudged(verdict);

function kindsOf(neighbours: readonly Neighbour[]): string[] {
  const kinds = new Set(neighbours.flatMap(({ truth, predicted }) => [truth, predicted]));
  kinds.delete(NOT_STATED);
  return [...kinds];
}

/** Whether a thing is beside the player, in each direction, and whether the observation places it there; none where places are not judged as cells. */
function placedBeside(name: string, { before, verdicts }: Turn): (Neighbour & { name: string })[] {
  const { observation } = verdicts;
  if (!isJudged(observation) || !isBoard(before) || !before.player) return [];
  if (observation.fields.some(({ cells }) => !cells)) return [];
  const { cells: claimed = [] } = observation.fields.find((field) => field.name === name) ?? {};
  const at = (cells: readonly Cell[] = [], cell: Cell) => (has(cells, cell) ? name : NOT_THERE);
  return cellsBeside(before.player).map((cell) => ({
    name,
    truth: at(before.entities[name], cell),
    predicted: at(claimed, cell),
  }));
}

const cellsBeside = ([row, col]: Cell): Cell[] => [
  [row - 1, col],
  [row + 1, col],
  [row, col - 1],
  [row, col + 1],
];

const has = (cells: readonly Cell[], [row, col]: Cell): boolean =>
  cells.some((cell) => cell[0] === row && cell[1] === col);

function errorsOf(kind: string, neighbours: readonly Neighbour[]): Record<string, number> {
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
