// The rows of a trajectory's token record: what the model reads as one sequence each.
import type { TokenRow, Trajectory } from "./types.ts";

/** Rows in order; a record without any is a single one. */
export function rowsOf({ tokens, turns }: Pick<Trajectory, "tokens" | "turns">): readonly TokenRow[] {
  return tokens.rows ?? [{ from: 0, to: tokens.ids.length, firstTurn: 0, lastTurn: turns.length - 1 }];
}
