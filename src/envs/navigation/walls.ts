// Walls and floors from the outlines of rooms. Each room has the near half of the walls around it, inside its outline, so that
// two rooms can paint the same wall in two colours.
import {
  type Block,
  boundsOf,
  type FloorPoint,
  type Home,
  type Opening,
  type Rect,
  type Room,
} from "./home.ts";

/** Thickness of a room's half of a wall. */
export const WALL = 5;
/** Walls reach below the floor and above the ceiling, so that no gap shows between them. */
const SURPLUS = 4;

/** One side of an outline, as a range along one axis and a place on the other. */
interface Side {
  along: "x" | "z";
  from: number;
  to: number;
  at: number;
  /** Towards the room: +1 or −1 on the other axis. */
  inward: 1 | -1;
}

/** The walls of a room, with gaps where openings are and what stands above these. */
export function wallsOf(room: Room, { openings, height }: Pick<Home, "openings" | "height">): Block[] {
  return sidesOf(room.polygon).flatMap((side) => {
    const gaps = openings
      .filter((opening) => crosses(opening, side))
      .sort((a, b) => startOf(a, side) - startOf(b, side));
    return wallPieces(side, gaps, height);
  });
}

function wallPieces(side: Side, gaps: readonly Opening[], height: number): Block[] {
  const blocks: Block[] = [];
  let from = side.from;
  for (const gap of gaps) {
    const [start, end] = [Math.max(side.from, startOf(gap, side)), Math.min(side.to, endOf(gap, side))];
    if (start > from) blocks.push(block(side, from, start, -SURPLUS, height + SURPLUS));
    if (gap.top < height) blocks.push(block(side, start, end, gap.top, height + SURPLUS));
    from = Math.max(from, end);
  }
  if (side.to > from) blocks.push(block(side, from, side.to, -SURPLUS, height + SURPLUS));
  return blocks;
}

function block({ along, at, inward }: Side, from: number, to: number, y0: number, y1: number): Block {
  const [near, far] = inward > 0 ? [at, at + WALL] : [at - WALL, at];
  return along === "x"
    ? { x0: from, x1: to, z0: near, z1: far, y0, y1 }
    : { z0: from, z1: to, x0: near, x1: far, y0, y1 };
}

const startOf = (rect: Rect, { along }: Side): number => (along === "x" ? rect.x0 : rect.z0);
const endOf = (rect: Rect, { along }: Side): number => (along === "x" ? rect.x1 : rect.z1);

/** Whether an opening goes through a side. */
function crosses(opening: Opening, side: Side): boolean {
  const [low, high] = side.along === "x" ? [opening.z0, opening.z1] : [opening.x0, opening.x1];
  return (
    low <= side.at && high >= side.at && startOf(opening, side) < side.to && endOf(opening, side) > side.from
  );
}

/** The sides of an outline, lengthened around the corners that point into the room. */
function sidesOf(polygon: readonly FloorPoint[]): Side[] {
  const turn = areaOf(polygon) > 0 ? 1 : -1;
  return polygon.map((from, i) => {
    const to = polygon[(i + 1) % polygon.length];
    const before = polygon[(i + polygon.length - 1) % polygon.length];
    const after = polygon[(i + 2) % polygon.length];
    return sideOf(from, to, turn, [
      isReflex(before, from, to, turn) ? WALL : 0,
      isReflex(from, to, after, turn) ? WALL : 0,
    ]);
  });
}

function sideOf(
  [x0, z0]: FloorPoint,
  [x1, z1]: FloorPoint,
  turn: 1 | -1,
  [before, after]: readonly [number, number],
): Side {
  const along = z0 === z1 ? "x" : "z";
  const [start, end] = along === "x" ? [x0, x1] : [z0, z1];
  const forward = end > start;
  const [low, high] = forward ? [before, after] : [after, before];
  // The room is to the left of a side of an anticlockwise outline: that is +z of a side along +x, −x of one along +z.
  const left = (along === "x") === forward ? 1 : -1;
  return {
    along,
    from: Math.min(start, end) - low,
    to: Math.max(start, end) + high,
    at: along === "x" ? z0 : x0,
    inward: (left * turn) as 1 | -1,
  };
}

/** Whether the outline turns away from the room at a corner. */
function isReflex([ax, az]: FloorPoint, [bx, bz]: FloorPoint, [cx, cz]: FloorPoint, turn: number): boolean {
  return ((bx - ax) * (cz - bz) - (bz - az) * (cx - bx)) * turn < 0;
}

/** Twice the area, positive where the corners run anticlockwise with z up. */
export function areaOf(polygon: readonly FloorPoint[]): number {
  return polygon.reduce((sum, [x, z], i) => {
    const [nx, nz] = polygon[(i + 1) % polygon.length];
    return sum + x * nz - nx * z;
  }, 0);
}

/** Rectangles that fill an outline without overlapping: strips between neighbouring corners along x. */
export function floorOf(polygon: readonly FloorPoint[]): Rect[] {
  const xs = [...new Set(polygon.map(([x]) => x))].sort((a, b) => a - b);
  return xs.slice(1).flatMap((x1, i) => strip(polygon, xs[i], x1));
}

/** The parts of an outline between two values of x, between which it has no corner. */
function strip(polygon: readonly FloorPoint[], x0: number, x1: number): Rect[] {
  const middle = (x0 + x1) / 2;
  const crossings = polygon
    .flatMap(([ax, az], i) => {
      const [bx] = polygon[(i + 1) % polygon.length];
      return ax > middle !== bx > middle ? [az] : [];
    })
    .sort((a, b) => a - b);
  return crossings.flatMap((z0, i) => (i % 2 ? [] : [{ x0, x1, z0, z1: crossings[i + 1] }]));
}

/** The rectangle around a home. */
export const extentOf = ({ rooms }: Pick<Home, "rooms">): Rect =>
  boundsOf(rooms.flatMap(({ polygon }) => polygon));
