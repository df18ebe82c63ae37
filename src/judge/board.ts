// Reads a board drawn with symbols, one line a row: the games' own text form.
import type { Cell } from "../core/types.ts";

/** What a symbol shows; a tile can hold two things. */
type Legend = Readonly<Record<string, readonly string[]>>;

/** The same letters mean different things in the two games. */
const SOKOBAN: Legend = {
  "#": ["wall"],
  _: [],
  P: ["player"],
  S: ["player", "target"],
  X: ["box"],
  O: ["target"],
  "√": ["box", "target"],
};
const FROZENLAKE: Legend = {
  _: [],
  P: ["player"],
  O: ["hole"],
  G: ["goal"],
  X: ["player", "hole"],
  "√": ["player", "goal"],
  V: ["player", "goal"],
};

/** The legend of the game that has these entities. */
const legendFor = (kinds: readonly string[]): Legend => (kinds.includes("box") ? SOKOBAN : FROZENLAKE);

/** The size of a board and the kinds of things on it. */
interface Board {
  rows: number;
  cols: number;
  kinds: readonly string[];
}

/** Everything that a drawn board shows, by name, and the text without it; null without a board of the right size. */
export function takeBoard(
  text: string,
  board: Board,
): { places: ReadonlyMap<string, Cell[]>; rest: string } | null {
  const legend = legendFor(board.kinds);
  const lines = text.split(/\n|[|/]/).map((line) => line.replace(/\s+/g, ""));
  const isRow = (line: string) =>
    [...line].length === board.cols && [...line].every((symbol) => symbol in legend);
  const first = lines.findIndex((_, i) => {
    const rows = lines.slice(i, i + board.rows);
    const goesOn = isRow(lines[i - 1] ?? "") || isRow(lines[i + board.rows] ?? "");
    return rows.length === board.rows && rows.every(isRow) && !goesOn;
  });
  if (first < 0) return null;
  const rest = text.split(/\n|[|/]/).filter((_, i) => i < first || i >= first + board.rows);
  return { places: readRows(lines.slice(first, first + board.rows), legend), rest: rest.join("\n") };
}

function readRows(lines: readonly string[], legend: Legend): Map<string, Cell[]> {
  const places = new Map<string, Cell[]>();
  for (const [row, line] of lines.entries())
    for (const [col, symbol] of [...line].entries())
      for (const name of legend[symbol]!) places.set(name, [...(places.get(name) ?? []), [row, col]]);
  return places;
}
