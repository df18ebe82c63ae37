// Where things have space: in their rooms, and on what they lie on.
import { footprintOf, type Rect, type Thing } from "../home.ts";
import { WALL } from "../walls.ts";

export const isInside = ({ x0, x1, z0, z1 }: Rect, x: number, z: number): boolean =>
  x >= x0 && x <= x1 && z >= z0 && z <= z1;

/**
 * The part of a room around a thing, without its walls: from wall to wall along x and along z through the middle of the thing.
 * @param floors rectangles of the room, in strips beside each other from low to high x (`floorOf`); one of them holds the middle.
 */
export function spaceAround({ x, z }: Pick<Thing, "x" | "z">, floors: readonly Rect[]): Rect {
  const own = floors.find((rect) => isInside(rect, x, z)) as Rect;
  const strips = floors.filter((rect) => z >= rect.z0 && z <= rect.z1);
  const x1 = strips.reduce((end, rect) => (rect.x0 === end ? rect.x1 : end), own.x1);
  const x0 = strips.reduceRight((end, rect) => (rect.x1 === end ? rect.x0 : end), own.x0);
  return { x0: x0 + WALL, x1: x1 - WALL, z0: own.z0 + WALL, z1: own.z1 - WALL };
}

/** Moved into a rectangle, as far as it has space there. */
export function movedInto(thing: Thing, space: Rect): Thing {
  const { x0, x1, z0, z1 } = footprintOf(thing);
  return {
    ...thing,
    x: thing.x + shift(x0, x1, space.x0, space.x1),
    z: thing.z + shift(z0, z1, space.z0, space.z1),
  };
}

function shift(low: number, high: number, least: number, most: number): number {
  if (high - low > most - least) return 0;
  return Math.max(0, least - low) - Math.max(0, high - most);
}
