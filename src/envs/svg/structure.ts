// VAGEN's structural score of a drawing: the edges that it shares with the icon.
import { edgesOf, greyOf } from "./canny.ts";
import { rasterise } from "./raster.ts";
import type { SafeDrawing } from "./sanitise.ts";

/** Side of the pictures whose edges VAGEN compares. */
const SIDE = 256;

/** The edges of a drawing's picture: 1 on an edge, 0 elsewhere. */
export const structureOf = (drawing: SafeDrawing): Uint8Array => edgesOf(greyOf(rasterise(drawing, SIDE)));

/** The pixels that are on an edge of both pictures, as a share of those on an edge of either; 0 where there are no edges. */
export function sharedStructure(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < one.length; i++) {
    both += one[i]! & other[i]!;
    either += one[i]! | other[i]!;
  }
  return either === 0 ? 0 : both / either;
}
