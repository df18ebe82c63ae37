// What the agent claimed, as places on the board.
import type { Cell, Turn } from "../../core/types.ts";

export interface Ghost {
  /** The entity that the claim is about. */
  name: string;
  cell: Cell;
  ok: boolean;
}

/** The claimed cells of an observation or a prediction; empty when nothing could be read. */
export function ghostsOf(turn: Turn, claim: "observation" | "prediction"): Ghost[] {
  const fields = turn.verdicts[claim]?.fields ?? [];
  return fields.flatMap(({ name, predicted, ok, cells = cellsIn(predicted) }) =>
    cells.map((cell) => ({ name, cell, ok })),
  );
}

/** Every "row 1 col 2" in a field: runs of earlier versions store cells in words only. */
export function cellsIn(text: string): Cell[] {
  return [...text.matchAll(/row (\d+) col (\d+)/g)].map(
    (found) => [Number(found[1]), Number(found[2])] as const,
  );
}
