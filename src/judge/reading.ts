// Reads a claim in any form: places, directions, a drawn board or a dictionary.
import type { Cell, GroundTruth } from "../core/types.ts";
import { takeBoard } from "./board.ts";
import { takeLiterals } from "./literal.ts";
import { nameOf } from "./names.ts";
import {
  type Horizontal,
  joinPieces,
  type Offset,
  type Relation,
  readOffset,
  readRelations,
  type Vertical,
} from "./relations.ts";
import { addPlace, readPlaces } from "./statement.ts";

/** Everything that a claim says, as far as it was understood. */
export interface Reading {
  /** Cells by name; a name without any has an empty list. */
  places: ReadonlyMap<string, Cell[]>;
  /** Where things lie as seen from the player; those of places that were stated come first. */
  relations: readonly Relation[];
}

/** Nothing was understood. */
export const isBlank = ({ places, relations }: Reading): boolean =>
  relations.every(({ vertical, horizontal }) => vertical === null && horizontal === null) &&
  [...places.values()].every((cells) => cells.length === 0);

/** Names of everything that a state has. */
const namesOf = ({ entities }: GroundTruth): string[] => ["player", ...Object.keys(entities)];

/**
 * Reads a claim about a board. Of the truth it uses only common knowledge: the size of the board and the number of things
 * of each kind. Each form is removed from the text before the next one is read, so nothing counts twice.
 */
export function readClaim(text: string, truth: GroundTruth): Reading {
  const names = namesOf(truth);
  const reading = {
    places: new Map<string, Cell[]>(names.map((name) => [name, []])),
    relations: [] as Relation[],
    records: [] as Relation[],
  };
  const board = { rows: truth.rows, cols: truth.cols, kinds: Object.keys(truth.entities) };
  const literals = takeLiterals(text);
  const drawn = takeBoard(literals.rest, board);
  for (const value of literals.values) readValue(value, names, reading, board);
  addAll(reading.places, drawn?.places);
  const prose = drawn?.rest ?? literals.rest;
  addAll(reading.places, readPlaces(prose, names));
  reading.relations.push(...readRelations(prose, names));
  return { places: reading.places, relations: allRelations(reading, truth) };
}

interface Draft {
  places: Map<string, Cell[]>;
  /** Directions in words; several about one thing may be parts of one. */
  relations: Relation[];
  /** Directions of records; each is a statement of its own. */
  records: Relation[];
}
type Size = { rows: number; cols: number; kinds: readonly string[] };

function addAll(places: ReadonlyMap<string, Cell[]>, more: ReadonlyMap<string, Cell[]> | undefined): void {
  for (const [name, cells] of more ?? []) for (const cell of cells) addPlace(places, name, cell);
}

/**
 * Stated places give relations too; the directions of a name with places do not count again. Several sentences about a
 * unique thing are merged. Records are not, as VAGEN counts each of them: naming two directions of one thing must not
 * cost less than naming a wrong one.
 */
function allRelations({ places, relations, records }: Draft, { entities }: GroundTruth): Relation[] {
  const [player, ...others] = places.get("player") ?? [];
  const placed = others.length > 0 || !player ? [] : relationsFrom(player, places);
  const unplaced = ({ name }: Relation) => !placed.some((known) => known.name === name);
  const said = relations.filter(unplaced);
  const single = [...new Set(said.map(({ name }) => name))].filter((name) => entities[name]?.length === 1);
  const joined = single.flatMap((name) =>
    joinPieces(said.filter((relation) => relation.name === name)).map((offset) => ({ ...offset, name })),
  );
  return [
    ...placed,
    ...records.filter(unplaced),
    ...joined,
    ...said.filter(({ name }) => !single.includes(name)),
  ];
}

/** Where the cells of each name lie as seen from the player. */
export const relationsFrom = (
  player: Cell,
  places: Iterable<readonly [name: string, cells: readonly Cell[]]>,
): Relation[] =>
  [...places].flatMap(([name, cells]) =>
    name === "player" ? [] : cells.map((cell) => ({ name, ...offsetOf(player, cell) })),
  );

/** Where a cell lies as seen from another. */
export function offsetOf([row, col]: Cell, [r, c]: Cell): { vertical: Vertical; horizontal: Horizontal } {
  return {
    vertical: r < row ? "above" : r > row ? "below" : "same",
    horizontal: c < col ? "left" : c > col ? "right" : "same",
  };
}

// --- dictionaries ---------------------------------------------------------------------------------------------------

export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A dictionary by name, a list of records, or the rows of a board. */
function readValue(value: unknown, names: readonly string[], draft: Draft, board: Size): void {
  if (Array.isArray(value)) {
    if (value.every((row) => typeof row === "string"))
      addAll(draft.places, takeBoard(value.join("\n"), board)?.places);
    for (const item of value) if (typeof item === "object") readValue(item, names, draft, board);
  } else if (isFields(value)) {
    const subject = recordName(value, names);
    const entries = subject === undefined ? Object.entries(value) : [];
    if (subject !== undefined) readOne(subject, value, draft);
    for (const [key, inner] of entries) {
      const name = nameOf(key.toLowerCase(), names);
      if (name === undefined) readValue(inner, names, draft, board);
      else readOne(name, inner, draft);
    }
  }
}

/** `{object_id: "box", …}`: which thing a record is about. */
function recordName(record: Fields, names: readonly string[]): string | undefined {
  const id = record.object_id ?? record.object ?? record.id ?? record.name ?? record.type;
  return typeof id === "string" ? nameOf(id.toLowerCase(), names) : undefined;
}

/** The value of one name: a cell, several cells, a direction in words, or a record of either. */
function readOne(name: string, value: unknown, draft: Draft): void {
  const cell = cellOf(value);
  if (cell) addPlace(draft.places, name, cell);
  else if (Array.isArray(value)) for (const item of value) readOne(name, item, draft);
  else if (typeof value === "string") {
    const [stated] = readPlaces(`${name} ${value}`, [name]).get(name) ?? [];
    if (stated) addPlace(draft.places, name, stated);
    else addRelation(draft.relations, name, readOffset(value));
  } else if (isFields(value)) {
    const inner = value.position ?? value.coordinates ?? value.cell ?? value.relation ?? value.direction;
    if (inner !== undefined) readOne(name, inner, draft);
    else if (hasAxes(value) && name !== "player") draft.records.push({ name, ...offsetOfRecord(value) });
  }
}

function addRelation(relations: Relation[], name: string, offset: Offset): void {
  if (name !== "player" && (offset.vertical || offset.horizontal)) relations.push({ name, ...offset });
}

/** `[2, 1]`, `{row: 2, col: 1}`, `{x: 1, y: 2}`. */
function cellOf(value: unknown): Cell | null {
  const pair = Array.isArray(value)
    ? value
    : isFields(value)
      ? [value.row ?? value.y, value.col ?? value.column ?? value.x]
      : [];
  const [row, col] = pair;
  return pair.length === 2 && Number.isInteger(row) && Number.isInteger(col)
    ? [row as number, col as number]
    : null;
}

/** Whether a record is about a direction, even if it states neither axis: VAGEN counts it as a statement that matches nothing. */
const hasAxes = (record: Fields): boolean =>
  ["vertical_relation", "vertical", "horizontal_relation", "horizontal"].some((key) =>
    Object.hasOwn(record, key),
  );

/** The direction in a record; missing keys and other values mean that it is not stated. */
export function offsetOfRecord(record: Fields): Offset {
  const say = (value: unknown, same: string) =>
    typeof value === "string"
      ? readOffset(value.trim().toLowerCase() === "same" ? same : value)
      : readOffset("");
  return {
    vertical: say(record.vertical_relation ?? record.vertical, "same row").vertical,
    horizontal: say(record.horizontal_relation ?? record.horizontal, "same column").horizontal,
  };
}
