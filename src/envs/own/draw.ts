// Pictures of a user's own board: a light floor, and a plain shape for each thing.
import {
  type Color,
  circle,
  createFrame,
  fill,
  hex,
  outline,
  type Point,
  polygon,
  roundRect,
  type Shape,
} from "../../core/image.ts";
import type { Cell, Frame } from "../../core/types.ts";
import { has } from "../grid.ts";
import { checkTile, drawTiles } from "../sprites.ts";
import type { Look, OwnBoard } from "./own.ts";

const FLOOR = hex("#f3efe6");
const LINE = hex("#d8d0c0");

/** In the square of 64 units that a tile is. */
const drawings: Readonly<Record<Look["shape"], () => Shape>> = {
  square: () => roundRect(3, 3, 58, 58, 6),
  disc: () => circle(32, 32, 25),
  diamond: () => polygon(corners([32, 3], [61, 32], [32, 61], [3, 32])),
  ring: () => outline(circle(32, 32, 20), 12),
  cross: () =>
    polygon(
      corners(
        [22, 4],
        [42, 4],
        [42, 22],
        [60, 22],
        [60, 42],
        [42, 42],
        [42, 60],
        [22, 60],
        [22, 42],
        [4, 42],
        [4, 22],
        [22, 22],
      ),
    ),
  triangle: () => polygon(corners([32, 4], [60, 58], [4, 58])),
};

const corners = (...points: Point[]): Point[] => points;

/** The board, `patchPx` pixels a tile; things are drawn in the order in which the environment lists them. */
export function drawOwn(
  { rows, cols, things }: OwnBoard,
  places: Readonly<Record<string, readonly Cell[]>>,
  patchPx: number,
): Frame {
  checkTile(patchPx);
  const floor = tile(patchPx, FLOOR, roundRect(1, 1, 62, 62, 0), LINE);
  const lying = Object.entries(things).map(([name, { color, shape }]) => ({
    sprite: tile(patchPx, hex(color), drawings[shape]()),
    cells: places[name] ?? [],
  }));
  return drawTiles(rows, cols, patchPx, (row, col) => [
    floor,
    ...lying.filter(({ cells }) => has(cells, [row, col])).map(({ sprite }) => sprite),
  ]);
}

/** One tile with a shape on it. */
function tile(patchPx: number, color: Color, shape: Shape, ground?: Color): Frame {
  const frame = createFrame(patchPx, patchPx, ground);
  fill(frame, shape, color, patchPx / 64);
  return frame;
}
