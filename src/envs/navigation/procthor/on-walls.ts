// What hangs on a wall. The files name no sizes, but pictures leave free what is around them, so their places limit their sizes.
import type { FloorPoint, Opening, Room, Thing } from "../home.ts";
import { WALL } from "../walls.ts";

/** How far from a wall something may be that hangs on it, in centimetres. */
const NEAR = 25;
/** Least part of its size to which a thing shrinks. */
const LEAST = 0.25;

type Place = Pick<Thing, "x" | "z" | "turn">;

/**
 * A hanging thing, made smaller around its middle until it ends before the end of its wall, before a passage, above one, before a door or a
 * window to the outside, and half way to the next hanging thing.
 * @param hung places of all things that hang, this one included.
 */
export function shrunkToPlace(
  thing: Thing,
  { polygon }: Room,
  { openings, panels }: { openings: readonly Opening[]; panels: readonly Opening[] },
  hung: readonly Place[],
): Thing {
  const [width, height, depth] = thing.size;
  const reach = Math.min(
    ...polygon.map((corner, i) => reachOnSide(thing, corner, polygon[(i + 1) % polygon.length]!)),
    ...[...openings, ...panels].map((opening) => reachBefore(thing, opening)),
    ...hung.map((other) => reachBeside(thing, other)),
  );
  const rise = Math.min(...openings.map((opening) => reachAbove(thing, opening)));
  const part = Math.max(LEAST, Math.min(1, (2 * reach) / width, (2 * rise) / height));
  return { ...thing, y: thing.y + (height * (1 - part)) / 2, size: [width * part, height * part, depth] };
}

/** Whether a place on a wall is within the width of a passage through that wall. */
export function hangsIn({ x0, x1, z0, z1 }: Opening, place: Place): boolean {
  const [at, across] = onWall(place, place.x, place.z);
  const [low, near] = onWall(place, x0, z0);
  const [high, far] = onWall(place, x1, z1);
  // A passage through another wall is longer across than along this one.
  return far - near <= high - low && across >= near && across <= far && at >= low && at <= high;
}

/** A place as [along the wall that it hangs on, across]. */
const onWall = ({ turn }: Pick<Place, "turn">, x: number, z: number): readonly [number, number] =>
  turn % 2 ? [z, x] : [x, z];

/** How far it is to the nearer end of a side of the room, if the thing hangs there. */
function reachOnSide(thing: Place, [x0, z0]: FloorPoint, [x1, z1]: FloorPoint): number {
  const [at, across] = onWall(thing, thing.x, thing.z);
  const [from, line] = onWall(thing, x0, z0);
  const [to, end] = onWall(thing, x1, z1);
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const isHere = line === end && Math.abs(line - across) <= NEAR && at > low && at < high;
  return isHere ? Math.min(at - low, high - at) - WALL : Number.POSITIVE_INFINITY;
}

/** How far it is to a passage through the wall. */
function reachBefore(thing: Place, { x0, x1, z0, z1 }: Opening): number {
  const [at, across] = onWall(thing, thing.x, thing.z);
  const [low, near] = onWall(thing, x0, z0);
  const [high, far] = onWall(thing, x1, z1);
  const isHere = across >= near && across <= far && (at < low || at > high);
  return isHere ? Math.max(low - at, at - high) : Number.POSITIVE_INFINITY;
}

/** How far it is from the middle of a thing down to the passage above which it hangs. */
function reachAbove(thing: Thing, opening: Opening): number {
  return hangsIn(opening, thing) ? thing.y + thing.size[1] / 2 - opening.top : Number.POSITIVE_INFINITY;
}

/** Half of how far it is to another thing on the wall. */
function reachBeside(thing: Place, other: Place): number {
  const [at, across] = onWall(thing, thing.x, thing.z);
  const [beside, line] = onWall(thing, other.x, other.z);
  const isHere = other.turn === thing.turn && Math.abs(line - across) <= NEAR && beside !== at;
  return isHere ? Math.abs(beside - at) / 2 : Number.POSITIVE_INFINITY;
}
