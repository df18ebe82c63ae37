// The plane of a user's own environment: places in units, and a picture of 8 × 8 units a patch.
import type { Point } from "../../core/image.ts";
import { isBoard } from "../../core/scene.ts";
import type { SceneTruth, Thing, WorldTruth } from "../../core/types.ts";
import { drawPlane } from "./draw-plane.ts";
import type { OwnFacts, OwnField } from "./field.ts";
import type { OwnPlane } from "./own.ts";
import type { Places } from "./places.ts";

/** The truth of a plane: its things in the order in which they are drawn. */
export const planeTruth = ({ size, things }: OwnPlane, places: Places, facts: OwnFacts): WorldTruth => ({
  frame: "plane",
  size,
  things: Object.keys(things).flatMap((name) => (places[name] ?? []).map((at) => ({ name, at }))),
  facts,
});

/** @throws TypeError if the state is a board's. */
function planeOf(truth: SceneTruth): WorldTruth {
  if (!isBoard(truth)) return truth;
  throw new TypeError(`A plane was expected, not a board of ${truth.rows} × ${truth.cols}`);
}

/** The only place of a thing; undefined where it has none or several. */
export function placeIn({ things }: WorldTruth, name: string): Point | undefined {
  const [only, more] = things.filter((thing) => thing.name === name);
  return only && !more ? [only.at[0]!, only.at[1]!] : undefined;
}

/** "player 12 40", a line for each thing. */
export const planeText = (things: readonly Thing[]): string =>
  things.map(({ name, at }) => `${name} ${at.join(" ")}`).join("\n");

export const fixedIn = ({ things }: OwnPlane): string[] =>
  Object.keys(things).filter((name) => things[name]!.fixed);

export const planeField = (own: OwnPlane): OwnField => ({
  truth: (places, facts) => planeTruth(own, places, facts),
  draw: (truth, patchPx) => drawPlane(own, planeOf(truth).things, patchPx),
  text: (truth) => planeText(planeOf(truth).things),
  fixed: fixedIn(own),
});
