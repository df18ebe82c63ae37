// A room before its boxes are moved: floor carved by a random walk, then the player and the targets. VAGEN's steps, for any
// random stream.
import type { Cell } from "../../core/types.ts";
import { deltas, onBoard } from "../grid.ts";
import type { Room } from "./room.ts";

const turnProbability = 0.35;

/** What the random walk stamps around itself: the rows of 3×3 masks, as [row, col] offsets from the middle. */
const stamps: readonly (readonly Cell[])[] = [
  ["...", "ooo", "..."],
  [".o.", ".o.", ".o."],
  ["...", "oo.", ".o."],
  ["...", "oo.", "oo."],
  ["...", ".oo", ".o."],
].map((rows) =>
  rows.flatMap((row, dr) => [...row].flatMap((mark, dc): Cell[] => (mark === "o" ? [[dr - 1, dc - 1]] : []))),
);

const ways = [deltas.Down, deltas.Right, deltas.Up, deltas.Left];

/** Draws of whole numbers, 0 … n−1. */
export interface IntegerDraws {
  int(n: number): number;
}

/** Draws of whole numbers and of numbers in [0, 1). */
export interface Draws extends IntegerDraws {
  float(): number;
}

/** A room whose boxes are still on their targets. */
export interface Layout {
  room: Room;
  player: number;
}

/**
 * Draws a room; null if it has too few floor cells.
 * @param walk draws the walk, and `placing` the cells of the player and of the targets; both may be one stream.
 */
export function drawLayout(
  [rows, cols]: readonly [number, number],
  boxes: number,
  walk: Draws,
  placing: IntegerDraws,
): Layout | null {
  const wall = carve(rows, cols, walk);
  const floor = Array.from(wall.keys()).filter((cell) => !wall[cell]);
  if (floor.length <= boxes + 1) return null;
  const [player, ...targets] = drawDistinct(floor, boxes + 1, placing);
  return { room: { rows, cols, wall, targets }, player };
}

/** All wall, then floor wherever a random walk stamps it; the border stays wall. */
function carve(rows: number, cols: number, random: Draws): Uint8Array {
  const wall = new Uint8Array(rows * cols).fill(1);
  const pick = <T>(items: readonly T[]): T => items[random.int(items.length)];
  let way = pick(ways);
  let [row, col] = [1 + random.int(rows - 1), 1 + random.int(cols - 1)];
  for (let step = 0; step < Math.floor(1.7 * (rows + cols)); step++) {
    if (random.float() < turnProbability) way = pick(ways);
    row = Math.min(Math.max(row + way[0], 1), rows - 2);
    col = Math.min(Math.max(col + way[1], 1), cols - 2);
    for (const [dr, dc] of pick(stamps))
      if (onBoard([row + dr, col + dc], { rows, cols }, 1)) wall[(row + dr) * cols + col + dc] = 0;
  }
  return wall;
}

function drawDistinct(items: readonly number[], count: number, random: IntegerDraws): number[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(random.int(left.length), 1)[0]);
}
