// What lies beside the player of a room, and which boxes can be pushed.
import type { Cell, GroundTruth } from "../../core/types.ts";
import type { Surroundings } from "../env.ts";
import { cellsOf, has, neighbour, onBoard } from "../grid.ts";

/** The ground truth lists inner walls only; the outermost cells of a room are always wall. */
export const isWall = (scene: GroundTruth, cell: Cell): boolean =>
  !onBoard(cell, scene, 1) || has(cellsOf(scene, "wall"), cell);

/** The tiles beside the player. A box is stuck when a wall or another box is behind it, as seen from the player. */
export const surroundings: Surroundings = {
  kinds: ["wall", "free", "box", "stuck box"],
  at(scene, direction) {
    const cell = neighbour(scene.player, direction);
    const boxes = cellsOf(scene, "box");
    if (isWall(scene, cell)) return "wall";
    if (!has(boxes, cell)) return "free";
    const behind = neighbour(cell, direction);
    return isWall(scene, behind) || has(boxes, behind) ? "stuck box" : "box";
  },
};
