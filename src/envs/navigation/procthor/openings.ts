// Passages between the rooms of a ProcTHOR house: doors, and walls that are empty. Where doors and windows are in their walls.
import type { FloorPoint, Opening } from "../home.ts";
import { WALL } from "../walls.ts";
import type { House, HouseDoor, HouseWall } from "./house-schema.ts";

/** How far a passage reaches to both sides of the line between two rooms, in centimetres. */
const DEPTH = 12;

export function openingsOf({ doors, walls, rooms }: House, height: number): Opening[] {
  const wallOf = wallFinder(walls);
  const known = new Set(rooms.map(({ id }) => id));
  const passages = doors
    .filter((door) => isBetween(door, known))
    .flatMap((door) => holeOf(door, wallOf(door))?.opening ?? []);
  const gaps = walls.filter(({ empty }) => empty).flatMap((wall) => gap(wall, height));
  return distinct([...passages, ...gaps]);
}

/** Whether a door or a window is between two rooms of the house; all others lead outside. */
export const isBetween = ({ room0, room1 }: HouseDoor, known: ReadonlySet<string>): boolean =>
  room0 !== room1 && known.has(room0) && known.has(room1);

/** Finds the wall that the place of a door or a window is measured along. */
export function wallFinder(walls: readonly HouseWall[]): (door: HouseDoor) => HouseWall | undefined {
  const byId = new Map(walls.map((wall) => [wall.id, wall]));
  return ({ wall0 }) => byId.get(wall0);
}

/** An empty wall is in the file once for each of its rooms. */
const distinct = (openings: readonly Opening[]): Opening[] =>
  openings.filter((opening, i) => openings.findIndex((other) => isSame(other, opening)) === i);

const isSame = (a: Opening, b: Opening): boolean =>
  a.x0 === b.x0 && a.x1 === b.x1 && a.z0 === b.z0 && a.z1 === b.z1 && a.top === b.top;

/** The two ends of a wall on the floor, the one that doors are measured from first, in centimetres. */
function endsOf({ polygon }: HouseWall): [FloorPoint, FloorPoint] | null {
  const points = polygon.map(({ x, z }): FloorPoint => [Math.round(x * 100), Math.round(z * 100)]);
  const [first] = points;
  const other = points.find(([x, z]) => x !== first[0] || z !== first[1]);
  // A wall that slants belongs to no room that can be read.
  return other && (other[0] === first[0] || other[1] === first[1]) ? [first, other] : null;
}

/** Where a door or a window is in its wall. */
export interface Hole {
  /** The part of the wall that it takes, as far as the walls beside it leave that free. */
  opening: Opening;
  /** Height of its lower edge. */
  bottom: number;
  /** The axis that its wall runs along. */
  along: "x" | "z";
}

/** Null for one without a place, and for a wall that slants. */
export function holeOf({ holePolygon, boundingBox }: HouseDoor, wall: HouseWall | undefined): Hole | null {
  const corners = holePolygon ?? (boundingBox ? [boundingBox.min, boundingBox.max] : []);
  const ends = wall && endsOf(wall);
  if (corners.length === 0 || !ends) return null;
  const along = corners.map(({ x }) => Math.round(x * 100));
  const heights = corners.map(({ y }) => Math.round(y * 100));
  const opening = between(ends, Math.min(...along), Math.max(...along), Math.max(...heights));
  return { opening, bottom: Math.min(...heights), along: ends[0][1] === ends[1][1] ? "x" : "z" };
}

function gap(wall: HouseWall, height: number): Opening[] {
  const ends = endsOf(wall);
  if (!ends) return [];
  const [[x0, z0], [x1, z1]] = ends;
  return [between(ends, 0, Math.abs(x1 - x0) + Math.abs(z1 - z0), height)];
}

/** The part of a wall between two distances from its first end, as far as the walls beside it leave it free. */
function between(
  [[x0, z0], [x1, z1]]: [FloorPoint, FloorPoint],
  from: number,
  to: number,
  top: number,
): Opening {
  const [dx, dz] = [Math.sign(x1 - x0), Math.sign(z1 - z0)];
  const length = Math.abs(x1 - x0) + Math.abs(z1 - z0);
  const [start, end] = [from, to].map((at) => Math.max(WALL, Math.min(at, length - WALL)));
  const xs = [x0 + dx * start, x0 + dx * end];
  const zs = [z0 + dz * start, z0 + dz * end];
  const [wideX, wideZ] = dx === 0 ? [DEPTH, 0] : [0, DEPTH];
  return {
    x0: Math.min(...xs) - wideX,
    x1: Math.max(...xs) + wideX,
    z0: Math.min(...zs) - wideZ,
    z1: Math.max(...zs) + wideZ,
    top,
  };
}
