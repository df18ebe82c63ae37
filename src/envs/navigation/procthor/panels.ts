// Doors and windows to the outside of a ProcTHOR house. The wall behind them is closed; they are drawn on it.
import { type Opening, overlap, type Panel, type Rect, type Room } from "../home.ts";
import { AHEAD, type Quarter } from "../pose.ts";
import { floorOf, WALL } from "../walls.ts";
import type { House, HouseDoor } from "./house-schema.ts";
import { type Hole, holeOf, isBetween, wallFinder } from "./openings.ts";
import { isInside } from "./space.ts";

/** Least width and height of what is drawn, in centimetres: less of it is left beside other walls. */
const LEAST = 20;

/** A panel, and the part of the wall that it covers. */
interface Placed {
  panel: Panel;
  place: Opening;
}

interface Building {
  /** In the order of the file. */
  rooms: readonly Room[];
  openings: readonly Opening[];
  height: number;
}

/** Panels for the doors and windows that lead outside, except where a passage takes their place. */
export function panelsOf({ doors, windows, walls, rooms: named }: House, building: Building): Placed[] {
  const wallOf = wallFinder(walls);
  const indices = new Map(named.map(({ id }, i) => [id, i]));
  const known = new Set(indices.keys());
  const outside = (kind: Panel["kind"], list: readonly HouseDoor[]) =>
    list
      .filter((door) => !isBetween(door, known))
      .flatMap((door) => {
        const room = building.rooms[indices.get(door.room0) ?? indices.get(door.room1) ?? -1];
        const hole = holeOf(door, wallOf(door));
        return (room && hole && panelIn(kind, hole, room, building)) || [];
      });
  return [...outside("door", doors), ...outside("window", windows)];
}

function panelIn(
  kind: Panel["kind"],
  { opening, bottom, along }: Hole,
  room: Room,
  { openings, height: ceiling }: Building,
): Placed | null {
  const line = lineOf(opening, along);
  const [x, z] = [(line.x0 + line.x1) / 2, (line.z0 + line.z1) / 2];
  const y = Math.max(0, kind === "door" ? 0 : bottom);
  const height = Math.min(ceiling, opening.top) - y;
  const width = along === "x" ? line.x1 - line.x0 : line.z1 - line.z0;
  const turn = inwardAt(room, along, x, z);
  if (turn === null || Math.min(width, height) < LEAST) return null;
  if (openings.some((passage) => overlap(passage, line))) return null;
  const [dx, dz] = AHEAD[turn]!;
  const panel: Panel = { kind, x: x + dx * WALL, y, z: z + dz * WALL, turn, width, height };
  return { panel, place: opening };
}

/** The middle line of a part of a wall. */
function lineOf({ x0, x1, z0, z1 }: Rect, along: "x" | "z"): Rect {
  const [x, z] = [(x0 + x1) / 2, (z0 + z1) / 2];
  return along === "x" ? { x0, x1, z0: z, z1: z } : { x0: x, x1: x, z0, z1 };
}

/** The direction from a wall into a room, in quarter turns from +z; null where the room is on neither side. */
function inwardAt({ polygon }: Room, along: "x" | "z", x: number, z: number): Quarter | null {
  const floors = floorOf(polygon);
  const sides = (along === "x" ? [0, 2] : [1, 3]) as Quarter[];
  const isRoom = (turn: Quarter): boolean => {
    const [dx, dz] = AHEAD[turn]!;
    return floors.some((rect) => isInside(rect, x + dx * WALL, z + dz * WALL));
  };
  const inward = sides.filter(isRoom);
  // On both sides it is no wall of this room.
  return inward.length === 1 ? inward[0]! : null;
}
