// How large the objects of a ProcTHOR house are: what the file tells of it, and otherwise the sizes of our models.
import type { Thing } from "../home.ts";
import { factsOf, type Kind } from "../kinds.ts";
import type { Quarter } from "../pose.ts";
import type { HouseChild } from "./house-schema.ts";
import { SEATS } from "./types.ts";

type Size = Thing["size"];

/** Where an object is: on the floor, on another object, or on a wall. */
export type Support = "floor" | "object" | "wall";

/** Of a television on a wall: our model, which has a cabinet, made flat. */
const FLAT_TELEVISION: Size = [110, 84, 14];
/** Of a plant that stands on something, as a part of one that stands on the floor. */
const SMALL_PLANT = 0.5;
/** Least and largest heights of what stands on the floor, in centimetres. */
const HEIGHTS = { least: 10, most: 240 } as const;

/** The size that the file gives, if it does; the file's box lies along x and z, whatever the turn is. */
export function givenSize({ axisAlignedBoundingBox: box }: HouseChild, turn: Quarter): Size | null {
  if (!box) return null;
  const { x, y, z } = box.size;
  const [width, depth] = turn % 2 ? [z, x] : [x, z];
  return [width, y, depth].map((metres) => Math.max(1, Math.round(metres * 100))) as [number, number, number];
}

/** The size of a kind's model, with the height that the place of the object tells. */
export function usualSize(object: HouseChild, kind: Kind, support: Support): Size {
  const { placement, model } = factsOf(kind);
  const [width, height, depth] = model.size;
  if (support === "wall") return kind === "television" ? FLAT_TELEVISION : model.size;
  if (support === "object")
    return kind === "plant" ? [width * SMALL_PLANT, height * SMALL_PLANT, depth * SMALL_PLANT] : model.size;
  const isFixed = placement === "top" || kind === "television" || SEATS[kind] !== undefined;
  return isFixed ? model.size : [width, heightOf(object) ?? height, depth];
}

/**
 * Height in centimetres of an object that stands on the floor: positions are those of the middle. Undefined where this is no height of
 * furniture.
 */
export function heightOf({ position }: HouseChild): number | undefined {
  const height = 2 * Math.round(position.y * 100);
  return height >= HEIGHTS.least && height <= HEIGHTS.most ? height : undefined;
}

/** Height at which things stand that lie on another: on its seat if it has one. */
export function topOf({ kind, y, size }: Thing): number {
  const seat = SEATS[kind as Kind];
  return y + (seat === undefined ? size[1] : (seat * size[1]) / factsOf(kind as Kind).model.size[1]);
}
