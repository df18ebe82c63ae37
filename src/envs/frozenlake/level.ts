// FrozenLake levels: VAGEN's generator (its draws in its order), fixed maps, and shortest paths.
import type { Cell } from "../../core/types.ts";
import { allCells, type Direction, neighbour, onBoard, sameCell } from "../grid.ts";
import { numpyRng } from "./numpy-rng.ts";

/** In the order of VAGEN's action codes 0 … 3, which slipping depends on. */
export const directions = ["Left", "Down", "Right", "Up"] as const satisfies readonly Direction[];

export interface Level {
  rows: number;
  cols: number;
  start: Cell;
  goal: Cell;
  holes: readonly Cell[];
}

/**
 * The level that VAGEN Lite draws for a seed. Per attempt: one double for each cell in reading order (frozen when
 * below p), then row and column of the start, then of the goal. If they coincide or no path exists, the next attempt
 * draws on from the same stream.
 */
export function generateLevel(size: number, p: number, seed: number): Level {
  const random = numpyRng(seed);
  // `choice` compares with the normalised cumulative probability, which may differ from p in the last bit.
  const frozenBelow = p / (p + (1 - p));
  for (;;) {
    const frozen = Array.from({ length: size * size }, () => random.random() < frozenBelow);
    const start: Cell = [random.integers(size), random.integers(size)];
    const goal: Cell = [random.integers(size), random.integers(size)];
    if (sameCell(start, goal)) continue;
    const isHole = (cell: Cell) =>
      !frozen[cell[0] * size + cell[1]] && !sameCell(cell, start) && !sameCell(cell, goal);
    const level = { rows: size, cols: size, start, goal, holes: allCells(size, size).filter(isHole) };
    if (shortestPath(level, start)) return level;
  }
}

/** The level that a fixed map shows: rows of S, F, H and G (already checked: same lengths, one S, one G). */
export function readLevel(desc: readonly string[]): Level {
  const [rows, cols] = [desc.length, desc[0].length];
  const find = (symbol: string) => allCells(rows, cols).filter(([row, col]) => desc[row][col] === symbol);
  return { rows, cols, start: find("S")[0], goal: find("G")[0], holes: find("H") };
}

/** A shortest sequence of moves to the goal that touches no hole, or null. Breadth-first search. */
export function shortestPath(level: Omit<Level, "start">, from: Cell): Direction[] | null {
  const { cols, goal, holes } = level;
  const at = ([row, col]: Cell) => row * cols + col;
  const closed = new Set(holes.map(at));
  if (closed.has(at(from))) return null;
  const paths: { cell: Cell; path: Direction[] }[] = [{ cell: from, path: [] }];
  closed.add(at(from));
  for (const { cell, path } of paths) {
    if (sameCell(cell, goal)) return path;
    for (const direction of directions) {
      const next = neighbour(cell, direction);
      if (!onBoard(next, level) || closed.has(at(next))) continue;
      closed.add(at(next));
      paths.push({ cell: next, path: [...path, direction] });
    }
  }
  return null;
}
