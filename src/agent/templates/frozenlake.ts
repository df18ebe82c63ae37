// FrozenLake in words: player, goal, and the four neighbouring tiles.
import type { Cell, GroundTruth } from "../../core/types.ts";
import { surroundings, tileAt } from "../../envs/frozenlake/surroundings.ts";
import { cellsOf, type Direction, neighbour, onBoard, sameCell } from "../../envs/grid.ts";
import { compass, gridWords, neighbours, neighbourWords, offset, statement, towards } from "./grid.ts";
import type { Template } from "./template.ts";

const goalOf = (truth: GroundTruth) => cellsOf(truth, "goal")[0];

const ended = (truth: GroundTruth) => ["goal", "hole"].includes(tileAt(truth, truth.player));

/** Letters as the game writes them; the letter of the player depends on its tile. */
function symbol(truth: GroundTruth, cell: Cell): string {
  const what: string = tileAt(truth, cell);
  if (sameCell(truth.player, cell)) return { goal: "√", hole: "X" }[what] ?? "P";
  return { goal: "G", hole: "O" }[what] ?? "_";
}

/** The language of FrozenLake. */
export const frozenlakeTemplate: Template<GroundTruth> = {
  id: "frozenlake",
  name: "FrozenLake",
  actions: compass,
  predicts: ["player"],
  // A dictionary names player and goal, as in VAGEN; a board cannot leave out the holes.
  grid: { entities: ["player", "goal"], drawn: ["player", "goal", "hole"], symbol },
  words: (side) => [
    "FrozenLake ",
    "player at ",
    " ; goal at ",
    "goal is ",
    ...gridWords(side),
    ...neighbourWords(surroundings),
  ],
  describe: (truth) =>
    `${statement("player", [truth.player])} ; ${statement("goal", cellsOf(truth, "goal"))}`,
  facts: (truth) => `goal is ${offset(truth.player, goalOf(truth))}${neighbours(truth, surroundings)}`,
  predict: (truth) => statement("player", [truth.player]),
  advance(truth, action) {
    const next = neighbour(truth.player, action as Direction);
    return ended(truth) || !onBoard(next, truth) ? truth : { ...truth, player: next };
  },
  ended,
  players: { heuristic: "Walks straight towards the goal and does not see the holes." },
  heuristic: (truth, random) => random.pick(towards(truth.player, goalOf(truth))),
};
