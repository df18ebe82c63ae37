// What lies on and beside the tiles of a lake.
import type { Cell, GroundTruth } from "../../core/types.ts";
import type { Surroundings } from "../env.ts";
import { cellsOf, has, neighbour, onBoard } from "../grid.ts";

const KINDS = ["edge", "free", "hole", "goal"] as const;

/** What a cell is; "edge" for every cell that is not on the lake. */
export function tileAt(scene: GroundTruth, cell: Cell): (typeof KINDS)[number] {
  if (!onBoard(cell, scene)) return "edge";
  if (has(cellsOf(scene, "goal"), cell)) return "goal";
  return has(cellsOf(scene, "hole"), cell) ? "hole" : "free";
}

/** The tiles beside the player. */
export const surroundings: Surroundings = {
  kinds: KINDS,
  at: (scene, direction) => tileAt(scene, neighbour(scene.player, direction)),
};
