// Kitchen counters: the names of their assets tell shape and size.
import type { Thing } from "../home.ts";
import { AHEAD, turned } from "../pose.ts";

/** Shape, and width and depth in feet: "Countertop_C_8x10". */
const ASSET = /^Countertop_(C|L|I|Island)_(\d{1,2})x(\d{1,2})$/;
/** Centimetres of some feet of cupboards, with 5 cm by which the worktop is longer. */
const lengthOf = (feet: number): number => Math.round(feet * 30.48 + 5);
const DEPTH = lengthOf(2);
/** Parts at the ends of the one along the back. */
const ENDS: Readonly<Record<string, number>> = { L: 1, C: 2 };

/** Width and depth of a counter in centimetres, or null where its asset tells none. */
export function counterSize(assetId: string): readonly [width: number, depth: number] | null {
  const found = ASSET.exec(assetId);
  return found && [lengthOf(Number(found[2])), lengthOf(Number(found[3]))];
}

/**
 * The parts of a counter that stand on the floor. An L has a part along its back and one at its right end, as seen by who stands in
 * it; a C has both ends. Everything else is one piece.
 * @param whole the counter as one thing, with the floor that it encloses.
 */
export function piecesOf(whole: Thing, assetId: string): Thing[] {
  const ends = ENDS[ASSET.exec(assetId)?.[1] ?? ""] ?? 0;
  const [width, , depth] = whole.size;
  if (ends === 0 || width <= ends * DEPTH || depth <= DEPTH) return [whole];
  const aside = (width - DEPTH) / 2;
  const back = part(whole, [width, DEPTH], 0, (DEPTH - depth) / 2);
  const end = (right: number) => part(whole, [DEPTH, depth - DEPTH], right, DEPTH / 2);
  return [back, end(aside), end(-aside)].slice(0, ends + 1);
}

/** A part whose middle lies so far to the right and ahead of that of the whole, as the whole looks. */
function part(whole: Thing, [width, depth]: [number, number], right: number, ahead: number): Thing {
  const [aheadX, aheadZ] = AHEAD[whole.turn]!;
  const [rightX, rightZ] = AHEAD[turned(whole.turn, 1)]!;
  return {
    ...whole,
    x: whole.x + right * rightX + ahead * aheadX,
    z: whole.z + right * rightZ + ahead * aheadZ,
    size: [width, whole.size[1], depth],
  };
}
