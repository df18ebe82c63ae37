// Sokoban in words: player, boxes, targets, what can be pushed and what is stuck.
import type { Cell, GroundTruth } from "../../core/types.ts";
import { cellsOf, type Direction, has, neighbour, sameCell } from "../../envs/grid.ts";
import { isWall, surroundings } from "../../envs/sokoban/surroundings.ts";
import {
  compass,
  distance,
  gridWords,
  inReadingOrder,
  neighbours,
  neighbourWords,
  offset,
  statement,
  towards,
} from "./grid.ts";
import type { Template } from "./template.ts";

const boxes = (truth: GroundTruth) => cellsOf(truth, "box");
const targets = (truth: GroundTruth) => cellsOf(truth, "target");

const ended = (truth: GroundTruth) => boxes(truth).every((box) => has(targets(truth), box));

const nearest = (from: Cell, cells: readonly Cell[]) =>
  cells.reduce((best, cell) => (distance(from, cell) < distance(from, best) ? cell : best));

/** The next errand: the closest box that is not on a target, and the closest target without a box. */
function errand(truth: GroundTruth): { box: Cell; target: Cell } {
  const loose = boxes(truth).filter((box) => !has(targets(truth), box));
  const empty = targets(truth).filter((target) => !has(boxes(truth), target));
  // A solved room has no errand; any pair keeps the sentence complete.
  const box = nearest(truth.player, loose.length ? loose : boxes(truth));
  return { box, target: nearest(box, empty.length ? empty : targets(truth)) };
}

function advance(truth: GroundTruth, action: string): GroundTruth {
  const next = neighbour(truth.player, action as Direction);
  const what = surroundings.at(truth, action as Direction);
  if (ended(truth) || what === "wall" || what === "stuck box") return truth;
  if (what === "free") return { ...truth, player: next };
  const pushed = boxes(truth).map((box) => (sameCell(box, next) ? neighbour(box, action as Direction) : box));
  return { ...truth, player: next, entities: { ...truth.entities, box: pushed } };
}

/** Letters as the game writes them; two things on one cell have a letter of their own. */
function symbol(truth: GroundTruth, cell: Cell): string {
  if (isWall(truth, cell)) return "#";
  const onTarget = has(targets(truth), cell);
  if (sameCell(truth.player, cell)) return onTarget ? "S" : "P";
  if (has(boxes(truth), cell)) return onTarget ? "√" : "X";
  return onTarget ? "O" : "_";
}

/** The language of Sokoban. */
export const sokobanTemplate: Template<GroundTruth> = {
  id: "sokoban",
  name: "Sokoban",
  actions: compass,
  predicts: ["player", "box"],
  grid: { entities: ["player", "box", "target"], drawn: ["player", "box", "target"], symbol },
  words: (side) => [
    "Sokoban ",
    "player at ",
    " ; box at ",
    " ; target at ",
    "box is ",
    " ; target from box is ",
    ...gridWords(side),
    ...neighbourWords(surroundings),
  ],
  describe: (truth) =>
    [
      statement("player", [truth.player]),
      statement("box", inReadingOrder(boxes(truth))),
      statement("target", inReadingOrder(targets(truth))),
    ].join(" ; "),
  facts(truth) {
    const { box, target } = errand(truth);
    const where = `box is ${offset(truth.player, box)} ; target from box is ${offset(box, target)}`;
    return where + neighbours(truth, surroundings);
  },
  predict: (truth) =>
    `${statement("player", [truth.player])} ; ${statement("box", inReadingOrder(boxes(truth)))}`,
  advance,
  ended,
  players: {
    heuristic:
      "Walks to the side of the nearest box from which it can be pushed towards the nearest free target, then pushes; sees no walls.",
  },
  /** Walks to the side of the box from which it can be pushed towards the target, then pushes; sees no walls. */
  heuristic(truth, random) {
    const { box, target } = errand(truth);
    const ways = towards(box, target);
    if (ways.length === 0) return random.pick(compass);
    const ready = ways.find((way) => sameCell(neighbour(truth.player, way), box));
    if (ready) return ready;
    const way = random.pick(ways);
    const stand: Cell = [2 * box[0] - neighbour(box, way)[0], 2 * box[1] - neighbour(box, way)[1]];
    const steps = towards(truth.player, stand);
    // Walking into the box would push it away: go around it when there is a choice.
    const around = steps.filter((step) => !sameCell(neighbour(truth.player, step), box));
    return random.pick(around.length ? around : steps);
  },
};
