// A fixed room from its drawing, in the symbols of the game's text form.
import { z } from "../../core/schema.ts";
import { allCells, onBoard } from "../grid.ts";
import type { Level } from "./room.ts";

const isDrawn = (rows: readonly string[], symbols: string): number =>
  [...rows.join("")].filter((symbol) => symbols.includes(symbol)).length;

/** Whether the outermost cells are walls; the rows have the same length. */
function isWalled(rows: readonly string[]): boolean {
  const size = { rows: rows.length, cols: rows[0]!.length };
  return allCells(size.rows, size.cols).every(
    (cell) => onBoard(cell, size, 1) || rows[cell[0]]![cell[1]] === "#",
  );
}

/** `desc`: the rows of a room. */
export const desc = z
  .array(
    z
      .string()
      .regex(
        /^[#_OX*PS]+$/,
        "use only # wall, _ floor, O target, X box, * box on target, P player, S player on target",
      ),
  )
  .min(4)
  .max(15)
  .refine((rows) => rows.every((row) => row.length === rows[0]!.length && row.length <= 15), {
    error: "give all rows the same length, at most 15",
    abort: true,
  })
  .refine(isWalled, { error: "draw walls (#) all around" })
  .refine((rows) => isDrawn(rows, "PS") === 1, { error: "give exactly one player, P or S" })
  .refine((rows) => isDrawn(rows, "X*") === isDrawn(rows, "O*S"), { error: "give as many boxes as targets" })
  .refine((rows) => isDrawn(rows, "X") > 0, { error: "give at least one box that is not on a target, X" });

/** The level that a drawing shows; it has been checked by `desc`. */
export function readRoom(rows: readonly string[]): Level {
  const drawn = rows.join("");
  const cells = (symbols: string) =>
    Array.from(drawn, (_, i) => i).filter((i) => symbols.includes(drawn[i]!));
  return {
    rows: rows.length,
    cols: rows[0]!.length,
    wall: Uint8Array.from(drawn, (symbol) => (symbol === "#" ? 1 : 0)),
    targets: cells("O*S"),
    boxes: cells("X*"),
    player: cells("PS")[0]!,
  };
}
