// A home as data: rooms with walls between them, and the things in them. Lengths are in centimetres.
import type { Kind, Scenery } from "./kinds.ts";
import { factsOf } from "./kinds.ts";
import type { ColorName } from "./models/part.ts";
import type { Quarter } from "./pose.ts";

export const FAMILIES = ["kitchen", "living room", "bedroom", "bathroom"] as const;
export type Family = (typeof FAMILIES)[number];

/** A rectangle on the floor. */
export interface Rect {
  x0: number;
  z0: number;
  x1: number;
  z1: number;
}

/** A box: a rectangle from one height to another. */
export interface Block extends Rect {
  y0: number;
  y1: number;
}

export type FloorPoint = readonly [x: number, z: number];

export interface Room {
  family: Family;
  /** Corners of the floor in order; every side runs along x or z. */
  polygon: readonly FloorPoint[];
}

/** A passage through the walls that stand in this rectangle, from the floor up. */
export interface Opening extends Rect {
  top: number;
}

/** An object in its place. */
export interface Thing {
  /** What it is; a plain box for things of imported houses that we have no model of. */
  kind: Kind | Scenery | "box";
  /** What people call it. */
  name: string;
  color: ColorName;
  /** Middle of its footprint. */
  x: number;
  z: number;
  /** Height of its lower edge. */
  y: number;
  /** Quarter turns clockwise of its front, which looks along +z at 0. */
  turn: Quarter;
  /** Width, height and depth, as seen from its front. */
  size: readonly [width: number, height: number, depth: number];
  /** Index of its room. */
  room: number;
}

/** A shut door or a window to the outside, which hangs on a wall. The wall stays closed behind it. */
export interface Panel {
  kind: "door" | "window";
  /** Middle of its lower edge, on the side of the wall that the room sees. */
  x: number;
  y: number;
  z: number;
  /** Quarter turns clockwise of its front, which looks into the room: along +z at 0. */
  turn: Quarter;
  width: number;
  height: number;
}

export interface Home {
  rooms: readonly Room[];
  openings: readonly Opening[];
  /** Absent in homes of our own. */
  panels?: readonly Panel[];
  things: readonly Thing[];
  /** Height of the ceiling. */
  height: number;
}

/** The footprint of a thing. */
export function footprintOf({
  x,
  z,
  turn,
  size: [width, , depth],
}: Pick<Thing, "x" | "z" | "turn" | "size">): Rect {
  const [w, d] = turn % 2 ? [depth / 2, width / 2] : [width / 2, depth / 2];
  return { x0: x - w, z0: z - d, x1: x + w, z1: z + d };
}

/** Whether two rectangles share more than an edge. */
export const overlap = (a: Rect, b: Rect): boolean =>
  a.x0 < b.x1 && b.x0 < a.x1 && a.z0 < b.z1 && b.z0 < a.z1;

export const grown = ({ x0, z0, x1, z1 }: Rect, by: number): Rect => ({
  x0: x0 - by,
  z0: z0 - by,
  x1: x1 + by,
  z1: z1 + by,
});

/** Whether one rectangle holds another. */
export const holds = (outer: Rect, inner: Rect): boolean =>
  outer.x0 <= inner.x0 && outer.z0 <= inner.z0 && outer.x1 >= inner.x1 && outer.z1 >= inner.z1;

/** The rectangle around points. */
export function boundsOf(points: readonly FloorPoint[]): Rect {
  const xs = points.map(([x]) => x);
  const zs = points.map(([, z]) => z);
  return { x0: Math.min(...xs), z0: Math.min(...zs), x1: Math.max(...xs), z1: Math.max(...zs) };
}

/** A thing of a kind with the size of its model. */
export function thingOf(
  kind: Kind | Scenery,
  color: ColorName,
  place: Pick<Thing, "x" | "z" | "turn" | "room"> & { y?: number },
): Thing {
  const { model, hangs } = factsOf(kind);
  return { kind, name: kind, color, size: model.size, ...place, y: place.y ?? hangs ?? 0 };
}

/** Heights below this can be stepped over: carpets. */
const STEP = 5;

/** Whether a thing stands in the way of an agent of a height. */
export const isObstacle = ({ y, size: [, height] }: Thing, agentHeight: number): boolean =>
  y < agentHeight && y + height > STEP;
