// Reads the places in a description: "player at row 2 col 1 ; goal at row 0 col 3", "the goal is in row 0, column 3",
// "agent (2, 1)". Rows and columns count from 0.

import { denies, deniesNext } from "../core/negation.ts";
import type { Cell } from "../core/types.ts";
import { nameOf } from "./names.ts";

const ROW_COL = /\brow\s*(?:is|[:=])?\s*(\d+)\s*(?:[,;]|and)?\s*\bcol(?:umn)?\s*(?:is|[:=])?\s*(\d+)/;
const PAIR = /[([]\s*(\d+)\s*,\s*(\d+)\s*[)\]]/;
const PLACE = new RegExp(`${ROW_COL.source}|${PAIR.source}`, "g");

/**
 * The cells that a description gives for each name. A place belongs to the closest name before it; the same place may be
 * stated twice. A name without a place gets an empty list, and so does one whose places are denied.
 */
export function readPlaces(text: string, names: readonly string[]): Map<string, Cell[]> {
  const lower = text.toLowerCase();
  const mentions = findMentions(lower, names);
  const places = new Map<string, Cell[]>(names.map((name) => [name, []]));
  for (const found of lower.matchAll(PLACE)) {
    const owner = mentions.findLast(({ at }) => at < found.index);
    const cell: Cell = [Number(found[1] ?? found[3]), Number(found[2] ?? found[4])];
    if (owner && !isDenied(lower, owner.at, found.index)) addPlace(places, owner.name, cell);
  }
  return places;
}

/** Whether the text negates a placement: "no player at …", "the player is not at …". */
const isDenied = (text: string, owner: number, place: number): boolean =>
  deniesNext(text.slice(0, owner)) || denies(text.slice(owner, place));

/** Adds a cell to a required name, unless the name has it. */
export function addPlace(places: ReadonlyMap<string, Cell[]>, name: string, cell: Cell): void {
  const cells = places.get(name);
  if (cells && !cells.some(([row, col]) => row === cell[0] && col === cell[1])) cells.push(cell);
}

/** The mentions of names, in order. Other entities count too, so that their places go to no other name. */
function findMentions(text: string, names: readonly string[]): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  for (const word of text.matchAll(/[a-z_][a-z0-9_]*/g)) {
    const name = nameOf(word[0], names);
    if (name !== undefined) found.push({ name, at: word.index });
  }
  return found;
}
