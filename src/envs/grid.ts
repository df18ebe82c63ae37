// Shared by the environments: directions, checks of actions and state, errors about a configuration.
import { EnvError } from "../core/errors.ts";
import { type Message, message, type Part, setting, value as valuePart } from "../core/message.ts";
import type { BoardTruth, Cell, GroundTruth } from "../core/types.ts";
import type { TextCells } from "./options.ts";

export type Direction = "Left" | "Down" | "Right" | "Up";

/** Row and column change of each direction; row 0 is on top. */
export const deltas: Readonly<Record<Direction, Cell>> = {
  Left: [0, -1],
  Down: [1, 0],
  Right: [0, 1],
  Up: [-1, 0],
};

/** The neighbour of a cell, on the board or not. */
export function neighbour([row, col]: Cell, direction: Direction): Cell {
  const [dr, dc] = deltas[direction];
  return [row + dr, col + dc];
}

/** Whether a cell is on the board, at least `margin` cells from its edge. */
export const onBoard = (
  [row, col]: Cell,
  { rows, cols }: Pick<BoardTruth, "rows" | "cols">,
  margin = 0,
): boolean => row >= margin && col >= margin && row < rows - margin && col < cols - margin;

/** All cells of an entity; an entity that the state does not name has none. */
export const cellsOf = (truth: GroundTruth, name: string): readonly Cell[] => truth.entities[name] ?? [];

/** Whether a list of cells has this one. */
export const has = (cells: readonly Cell[], [row, col]: Cell): boolean =>
  cells.some(([r, c]) => r === row && c === col);

/** All cells of a board in reading order. */
export const allCells = (rows: number, cols: number): Cell[] =>
  Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);

/** One cell of a board in the text of VAGEN's generations; null: the studio's, which has blanks only between cells. */
export const printedCell: Readonly<Record<TextCells, ((symbol: string) => string) | null>> = {
  studio: null,
  legacy: (symbol) => ` ${symbol} \t`,
  lite: (symbol) => ` ${symbol} `,
};

/** A board of symbols as text, one line per row. */
export function boardText(grid: readonly (readonly string[])[], style: TextCells): string {
  const print = printedCell[style];
  return grid.map((row) => (print ? row.map(print).join("") : row.join(" "))).join("\n");
}

export const sameCell = ([r0, c0]: Cell, [r1, c1]: Cell) => r0 === r1 && c0 === c1;

/** An option that no level can satisfy, and a remedy. */
export interface Problem {
  /** Name of the option. */
  field: string;
  value: unknown;
  /** Without a full stop: it ends the sentence "… is 5; why". */
  why: Message;
  remedy: Message;
}

/** An option in a run's configuration, which is where people write it. */
export const option = (field: string): Part => setting(pathOf(field));
const pathOf = (field: string): string => `env.config.${field}`;

/** An error about one option of an environment, with its path, its value and a remedy. */
export class ImpossibleConfig extends EnvError {
  readonly path: string;
  readonly value: unknown;
  readonly why: Message;

  constructor(
    { field, value, why, remedy }: Problem,
    code: "invalid_config" | "unsolvable_level" = "invalid_config",
  ) {
    const path = pathOf(field);
    super(code, message`${setting(path)} is ${valuePart(path, value)}; ${why}.`, remedy);
    this.path = path;
    this.value = value;
    this.why = why;
  }
}

/** @throws EnvError("invalid_action") unless `action` is one of `actions`, spelled exactly so. */
export function checkAction<A extends string>(action: string, actions: readonly A[]): asserts action is A {
  if ((actions as readonly string[]).includes(action)) return;
  throw new EnvError("invalid_action", `"${action}" is not an action.`, `Use one of: ${actions.join(", ")}.`);
}

/** The state of an episode, if there is one. @throws EnvError("reset_needed") */
export function started<S>(state: S | null): S {
  if (state) return state;
  throw new EnvError("reset_needed", "No episode has been started.", "Call reset(seed) first.");
}

/** @throws EnvError("reset_needed") when the episode is over. */
export function checkRunning(ended: boolean): void {
  if (ended)
    throw new EnvError("reset_needed", "The episode has ended.", "Call reset(seed) to start another.");
}
