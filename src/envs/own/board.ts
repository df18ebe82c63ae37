// The board of a user's own environment.
import { boardOf } from "../../core/scene.ts";
import type { BoardTruth, Cell, GroundTruth, SceneTruth } from "../../core/types.ts";
import { boardText } from "../grid.ts";
import { drawOwn } from "./draw.ts";
import type { OwnField } from "./field.ts";
import type { OwnBoard } from "./own.ts";
import type { Places } from "./places.ts";

export const boardField = (own: OwnBoard): OwnField => ({
  truth(places, facts) {
    const { rows, cols } = own;
    const { player, ...entities } = places;
    return { rows, cols, player: player![0]!, entities, facts } satisfies BoardTruth;
  },
  draw: (truth, patchPx) => drawOwn(own, placesIn(truth), patchPx),
  text(truth, style = "studio") {
    const { rows, cols, things } = own;
    const places = placesIn(truth);
    const grid = Array.from({ length: rows }, () => new Array<string>(cols).fill("_"));
    for (const [name, { symbol }] of Object.entries(things))
      for (const [row, col] of places[name] ?? []) grid[row]![col] = symbol;
    return boardText(grid, style);
  },
  fixed: [],
});

function placesIn(truth: SceneTruth): Places {
  const { player, entities } = boardOf(truth);
  return { ...entities, player: player ? [player] : [] };
}

/** What lies beside the player: the thing drawn last there, `free`, or the `edge` of the board. */
export function thingAt(
  { things }: OwnBoard,
  { rows, cols, entities }: GroundTruth,
  [row, col]: Cell,
): string {
  if (row < 0 || col < 0 || row >= rows || col >= cols) return "edge";
  const lies = (name: string) => (entities[name] ?? []).some(([r, c]) => r === row && c === col);
  return Object.keys(things).findLast((name) => name !== "player" && lies(name)) ?? "free";
}
