// The part of a ProcTHOR house that is read, with limits on everything that is.
import { z } from "../../../core/schema.ts";

/** Limits of a house. Those of ProcTHOR-10K have up to 10 rooms, and some hundred objects. */
export const LIMITS = {
  /** Of nested lists and objects. */
  levels: 32,
  rooms: 24,
  corners: 64,
  walls: 600,
  doors: 100,
  windows: 200,
  objects: 3000,
  /** Of any coordinate, in metres. */
  metres: 100,
  /** Of the house along either side, in metres. */
  side: 50,
} as const;

const coordinate = z.number().min(-LIMITS.metres).max(LIMITS.metres);
const point = z.object({ x: coordinate, y: coordinate.default(0), z: coordinate });
const size = z.object({
  x: z.number().min(0).max(10),
  y: z.number().min(0).max(10),
  z: z.number().min(0).max(10),
});

const room = z.object({
  id: z.string(),
  roomType: z.string(),
  floorPolygon: z.array(point).min(4).max(LIMITS.corners),
});

const wall = z.object({
  id: z.string(),
  polygon: z.array(point).min(3).max(8),
  empty: z.boolean().default(false),
});

/** A hole in a wall: along it from its first corner (x), and up (y). */
const corner = z.object({ x: coordinate, y: coordinate });

/** A door or a window. */
const door = z.object({
  id: z.string(),
  room0: z.string(),
  room1: z.string(),
  wall0: z.string(),
  holePolygon: z.array(corner).min(2).max(8).optional(),
  boundingBox: z.object({ min: corner, max: corner }).optional(),
});

const objectShape = {
  id: z.string(),
  assetId: z.string().default(""),
  position: point,
  rotation: z.object({ y: z.number().min(-3600).max(3600).default(0) }).default({ y: 0 }),
  axisAlignedBoundingBox: z.object({ size }).optional(),
};
/** What lies on something; nothing lies on it in turn that is read. */
const child = z.object(objectShape);
const object = z.object({ ...objectShape, children: z.array(child).max(LIMITS.objects).default([]) });

export const houseSchema = z.object({
  rooms: z.array(room).min(1).max(LIMITS.rooms),
  walls: z.array(wall).max(LIMITS.walls).default([]),
  doors: z.array(door).max(LIMITS.doors).default([]),
  windows: z.array(door).max(LIMITS.windows).default([]),
  objects: z.array(object).max(LIMITS.objects).default([]),
});

export type House = z.output<typeof houseSchema>;
export type HouseDoor = z.output<typeof door>;
export type HouseWall = z.output<typeof wall>;
export type HouseChild = z.output<typeof child>;
