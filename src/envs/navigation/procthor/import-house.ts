// Homes from files of ProcTHOR, the generator of houses for AI2-THOR. No assets are needed: objects get the models of this
// environment.
import { EnvError } from "../../../core/errors.ts";
import { counted } from "../../../core/format.ts";
import { isDeeperThan } from "../../../core/plain-data.ts";
import type { z } from "../../../core/schema.ts";
import { shown } from "../../../core/short.ts";
import { boundsOf, type Family, type FloorPoint, type Home, type Opening, type Room } from "../home.ts";
import { areaOf } from "../walls.ts";
import { furnitureOf } from "./furniture.ts";
import { type House, houseSchema, LIMITS } from "./house-schema.ts";
import { openingsOf } from "./openings.ts";
import { panelsOf } from "./panels.ts";

interface ImportedHouse {
  home: Home;
  /** What was read, without the objects that are left out: the same home can be made of it again. */
  house: House;
  /** Numbers of the objects that are drawn as plain boxes, by name. */
  boxes: ReadonlyMap<string, number>;
  /** Objects that are left out, by type: small things, and what lies outside of every room. */
  ignored: ReadonlyMap<string, number>;
  /** Objects that are left out because the file hangs them in a passage, by type. */
  inPassages: ReadonlyMap<string, number>;
}

const FAMILY_OF: Readonly<Record<string, Family>> = {
  Kitchen: "kitchen",
  LivingRoom: "living room",
  Bedroom: "bedroom",
  Bathroom: "bathroom",
};

/** Height of the ceiling where the walls do not tell, and its least and largest, in centimetres. */
const CEILING = { usual: 250, least: 210, most: 600 } as const;

/**
 * Makes a home of a ProcTHOR house, parsed from JSON. These fields are read, all others are ignored:
 *
 * | field | use |
 * |---|---|
 * | `rooms[].id`, `.roomType`, `.floorPolygon` | outline and family; sides must run along x or z |
 * | `walls[].id`, `.polygon`, `.empty` | ceiling height, the place of doors; an empty wall is a wide passage |
 * | `doors[].room0`, `.room1`, `.wall0`, `.holePolygon` or `.boundingBox` | a passage between two rooms, which stands open; a door to the outside is drawn shut, on a closed wall |
 * | `windows`, with the fields of doors | drawn on a closed wall |
 * | `objects[].id` or `.assetId`, `.position`, `.rotation.y`, `.children` | type, place, nearest quarter turn, what lies on what |
 * | `objects[].position.y` | height of what stands on the floor, whose middle it is; where something hangs |
 * | `objects[].assetId` of counters | shape and size ("Countertop_C_8x10") |
 * | `objects[].axisAlignedBoundingBox.size` | size; houses of ProcTHOR-10K have none, and things get that of our model or of their type |
 *
 * Sizes of our own may overlap where assets would not. What hangs shrinks until it ends before a passage and before its neighbour on the wall, to a quarter of its size at most; what a file hangs in a passage is left out.
 * Materials are not read.
 * @throws EnvError("invalid_config") which names field, value and remedy.
 */
export function importHouse(data: unknown): ImportedHouse {
  const house = readHouse(data);
  const rooms = house.rooms.map((room, i) => roomOf(room, i));
  checkExtent(rooms);
  const height = heightOf(house);
  const openings: Opening[] = openingsOf(house, height);
  const placed = panelsOf(house, { rooms, openings, height });
  const walls = { rooms, openings, panels: placed.map(({ place }) => place) };
  const { things, kept, ...counts } = furnitureOf(house, walls);
  const panels = placed.map(({ panel }) => panel);
  return { home: { rooms, openings, panels, things, height }, house: { ...house, objects: kept }, ...counts };
}

/** @throws EnvError unless the data have the shape of a house, within the limits. */
function readHouse(data: unknown): House {
  if (isDeeperThan(data, LIMITS.levels))
    throw invalid(
      `the house nests more than ${LIMITS.levels} levels deep.`,
      "Give a house in the format of ProcTHOR.",
    );
  const read = houseSchema.safeParse(data);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const value = at(data, issue.path);
  throw invalid(
    `${written(issue.path)} is ${shown(value, 80)}; it must ${requirement(issue, value)}.`,
    "Give a house in the format of ProcTHOR, with rooms[].floorPolygon in metres.",
  );
}

/** What the schema asks of a value that it refuses: "be a list". */
function requirement(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case "too_small":
      return `${issue.origin === "array" ? "have" : "be"} at least ${amount(issue, issue.minimum)}`;
    case "too_big":
      return `${issue.origin === "array" ? "have" : "be"} at most ${amount(issue, issue.maximum)}`;
    case "invalid_type":
      // A number with too many digits is read as infinite.
      if (issue.expected === "number" && typeof value === "number") return "be a finite number";
      return `be ${TYPES[issue.expected] ?? issue.expected}`;
    default:
      return "have another value";
  }
}

const amount = ({ origin }: { origin: string }, bound: number | bigint): string =>
  origin === "array" ? counted(Number(bound), "entry", "entries") : String(bound);

const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  boolean: "true or false",
};

type Path = readonly PropertyKey[];

/** A path as people write it: rooms[0].floorPolygon[2].x. */
const written = (path: Path): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "") || "the house";

const at = (data: unknown, path: Path): unknown =>
  path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data);

const invalid = (message: string, hint: string): EnvError => new EnvError("invalid_config", message, hint);

function roomOf({ roomType, floorPolygon }: House["rooms"][number], index: number): Room {
  const family = Object.hasOwn(FAMILY_OF, roomType) ? FAMILY_OF[roomType] : undefined;
  if (!family)
    throw invalid(
      `rooms[${index}].roomType is ${shown(roomType)}, which is no known type of room.`,
      `Use one of: ${Object.keys(FAMILY_OF).join(", ")}.`,
    );
  const points = floorPolygon.map(({ x, z }): FloorPoint => [Math.round(x * 100), Math.round(z * 100)]);
  const polygon = simplified(points);
  const field = `rooms[${index}].floorPolygon`;
  const slanted = polygon.findIndex(([x, z], i) => {
    const [nextX, nextZ] = polygon[(i + 1) % polygon.length];
    return x !== nextX && z !== nextZ;
  });
  if (slanted >= 0)
    throw invalid(
      `${field} has a slanted side at ${shown(polygon[slanted].map((value) => value / 100))}.`,
      "Use rooms whose walls run along x or z.",
    );
  if (polygon.length < 4 || Math.abs(areaOf(polygon)) / 2 < 10_000)
    throw invalid(
      `${field} encloses less than 1 m².`,
      "Give the corners in metres, in order around the room.",
    );
  return { family, polygon };
}

/** An outline without repeated corners and without corners in the middle of a side. */
function simplified(points: readonly FloorPoint[]): FloorPoint[] {
  const distinct = points.filter(([x, z], i) => {
    const [px, pz] = points[(i + points.length - 1) % points.length];
    return x !== px || z !== pz;
  });
  return distinct.filter(([x, z], i) => {
    const [ax, az] = distinct[(i + distinct.length - 1) % distinct.length];
    const [bx, bz] = distinct[(i + 1) % distinct.length];
    return (x - ax) * (bz - z) !== (z - az) * (bx - x);
  });
}

function checkExtent(rooms: readonly Room[]): void {
  const { x0, z0, x1, z1 } = boundsOf(rooms.flatMap(({ polygon }) => polygon));
  const side = Math.max(x1 - x0, z1 - z0) / 100;
  if (side > LIMITS.side)
    throw invalid(
      `The rooms spread over ${side} m, more than the ${LIMITS.side} m that are read.`,
      "Give a smaller house, with coordinates in metres.",
    );
}

/** The highest corner of the walls. */
function heightOf({ walls }: House): number {
  const highest = Math.round(Math.max(0, ...walls.flatMap(({ polygon }) => polygon.map(({ y }) => y))) * 100);
  if (highest === 0) return CEILING.usual;
  return Math.min(CEILING.most, Math.max(CEILING.least, highest));
}
