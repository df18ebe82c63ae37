// Phrases that grid worlds share. Each phrase below is one token, and a sentence is their concatenation, so phrases include
// spaces and separators.
import type { Cell, GroundTruth } from "../../core/types.ts";
import type { Surroundings } from "../../envs/env.ts";
import type { Direction } from "../../envs/grid.ts";

/** Directions in the order in which a reply lists neighbours. */
export const compass = ["Up", "Down", "Left", "Right"] as const satisfies readonly Direction[];

/** Between the facts and the decision. */
export const DECISION = " ; so move ";
/** Between actions. */
export const COMMA = ", ";

/** Sorted, so that a sentence does not depend on the order in which boxes were pushed. */
export const inReadingOrder = (cells: readonly Cell[]): readonly Cell[] =>
  [...cells].sort(([r0, c0], [r1, c1]) => r0 - r1 || c0 - c1);

/** Steps between two cells on an empty board. */
export const distance = ([r0, c0]: Cell, [r1, c1]: Cell): number => Math.abs(r0 - r1) + Math.abs(c0 - c1);

/** A cell in two tokens: "row 2 col 1", counted from 0 at the top left. */
const place = ([row, col]: Cell): string => `row ${row} col ${col}`;

/** "goal at row 2 col 1", or one such statement per cell; `at` says how they are related. */
export function statement(name: string, cells: readonly Cell[], at = "at"): string {
  return cells.map((cell) => `${name} ${at} ${place(cell)}`).join(" ; ");
}

/** Where `to` is as seen from `from`, in two tokens: "2 down 1 right", "same row 3 left". */
export function offset([r0, c0]: Cell, [r1, c1]: Cell): string {
  const vertical = r1 === r0 ? "same row" : `${Math.abs(r1 - r0)} ${r1 > r0 ? "down" : "up"}`;
  const horizontal = c1 === c0 ? "same col" : `${Math.abs(c1 - c0)} ${c1 > c0 ? "right" : "left"}`;
  return `${vertical} ${horizontal}`;
}

/** The player's four neighbours, one token each: " ; up edge, down hole, left free, right goal". */
export function neighbours(truth: GroundTruth, { at }: Surroundings): string {
  const words = compass.map((direction) => `${direction.toLowerCase()} ${at(truth, direction)}`);
  return ` ; ${words.join(COMMA)}`;
}

/** The directions that lead from one cell towards another, at most one per axis. */
export function towards([r0, c0]: Cell, [r1, c1]: Cell): Direction[] {
  const directions: Direction[] = [];
  if (r1 !== r0) directions.push(r1 > r0 ? "Down" : "Up");
  if (c1 !== c0) directions.push(c1 > c0 ? "Right" : "Left");
  return directions;
}

/** Tokens for places and offsets on boards of up to `side` rows and columns. */
export function gridWords(side: number): string[] {
  const indices = Array.from({ length: side }, (_, i) => i);
  const steps = indices.slice(1);
  return [
    ...indices.map((row) => `row ${row} `),
    ...indices.map((col) => `col ${col}`),
    ...["up", "down"].flatMap((way) => steps.map((n) => `${n} ${way} `)),
    ...["left", "right"].flatMap((way) => steps.map((n) => `${n} ${way}`)),
    "same row ",
    "same col",
    DECISION,
    COMMA,
  ];
}

/** Tokens for the neighbours: every direction with every kind, with the separator that its place in the list gives it. */
export function neighbourWords({ kinds }: Surroundings): string[] {
  return compass.flatMap((direction, i) => {
    const [before, after] = [i === 0 ? " ; " : "", i === compass.length - 1 ? "" : COMMA];
    return kinds.map((kind) => `${before}${direction.toLowerCase()} ${kind}${after}`);
  });
}
