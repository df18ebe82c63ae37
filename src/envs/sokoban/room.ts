// The fixed part of a Sokoban level, and cells as numbers for the search. Cells are numbered in reading order.
import type { Cell, GroundTruth } from "../../core/types.ts";
import { allCells, type Direction, deltas, onBoard } from "../grid.ts";

/** In the order of VAGEN's action codes 1 … 4. */
export const directions = ["Up", "Down", "Left", "Right"] as const satisfies readonly Direction[];

/** Walls and targets; the border is always wall, so a neighbour of a floor cell is always on the board. */
export interface Room {
  rows: number;
  cols: number;
  /** 1 for wall cells. */
  wall: Uint8Array;
  targets: readonly number[];
}

/** The state of a room. The order of `boxes` does not matter. */
interface Placement {
  player: number;
  boxes: readonly number[];
}

export type Level = Room & Placement;

/** Change of the cell number for a step in each direction. */
export const offsets = (cols: number) => directions.map((name) => deltas[name][0] * cols + deltas[name][1]);

export const cellOf = (index: number, cols: number): Cell => [Math.floor(index / cols), index % cols];

/** The level that a scene shows. Scenes list the walls inside the border. */
export function levelIn({ rows, cols, player, entities: { box, target, wall: inner } }: GroundTruth): Level {
  const at = ([row, col]: Cell) => row * cols + col;
  const wall = new Uint8Array(rows * cols);
  for (const cell of allCells(rows, cols)) wall[at(cell)] = onBoard(cell, { rows, cols }, 1) ? 0 : 1;
  for (const cell of inner) wall[at(cell)] = 1;
  return { rows, cols, wall, targets: target.map(at), boxes: box.map(at), player: at(player) };
}

/** Every target is covered. There are as many boxes as targets. */
export const isSolved = (room: Room, boxes: readonly number[]) =>
  room.targets.every((cell) => boxes.includes(cell));

/** The key of a placement; boxes are interchangeable. */
export function placementKey(player: number, boxes: readonly number[]): string {
  return String.fromCharCode(player, ...(boxes.length === 1 ? boxes : [...boxes].sort((a, b) => a - b)));
}
