// The objects of a ProcTHOR house as things of a home.
import { footprintOf, type Opening, type Rect, type Room, type Thing, thingOf } from "../home.ts";
import { factsOf, type Kind } from "../kinds.ts";
import type { Quarter } from "../pose.ts";
import { floorOf } from "../walls.ts";
import { counterSize, piecesOf } from "./counters.ts";
import type { House, HouseChild } from "./house-schema.ts";
import { LIMITS } from "./house-schema.ts";
import { typeOf } from "./object-type.ts";
import { hangsIn, shrunkToPlace } from "./on-walls.ts";
import { givenSize, heightOf, type Support, topOf, usualSize } from "./sizes.ts";
import { isInside, movedInto, spaceAround } from "./space.ts";
import { BOXES, MODELLED } from "./types.ts";

interface Furniture {
  things: Thing[];
  /** The objects of the file that became things. */
  kept: House["objects"];
  /** Numbers of the objects that became plain boxes, by name. */
  boxes: Map<string, number>;
  /** Numbers of the objects that hang in a passage, by type. */
  inPassages: Map<string, number>;
  /** Numbers of all others, by type, which may be any text. */
  ignored: Map<string, number>;
}

/** What of a home is known before its things. */
interface Walls {
  rooms: readonly Room[];
  openings: readonly Opening[];
  /** The parts of walls that doors and windows to the outside cover. */
  panels: readonly Opening[];
}

/** What a thing's place depends on. */
interface Surroundings extends Walls {
  /** Rectangles that fill each room. */
  floors: readonly Rect[][];
  /** Objects that hang on walls, and where. */
  hung: ReadonlyMap<HouseChild, Place>;
}
type Place = Pick<Thing, "x" | "z" | "turn">;

export function furnitureOf({ objects }: House, walls: Walls): Furniture {
  const floors = walls.rooms.map(({ polygon }) => floorOf(polygon));
  const [misplaced, onWalls] = divided(hanging(objects), (object) => isInPassage(object, walls.openings));
  const hung = new Map(onWalls.map((object) => [object, placeOf(object)]));
  const all: Furniture = {
    ...{ things: [], kept: [] },
    ...{ boxes: new Map(), inPassages: new Map(), ignored: new Map() },
  };
  const add = (object: HouseChild, parent: Thing | null): Thing | null => {
    const isLeftOut = misplaced.has(object) || all.things.length >= LIMITS.objects;
    const thing = isLeftOut ? null : toThing(object, { ...walls, floors, hung }, parent);
    if (thing) all.things.push(...piecesOf(thing, object.assetId));
    if (!thing) count(misplaced.has(object) ? all.inPassages : all.ignored, typeOf(object));
    else if (thing.kind === "box") count(all.boxes, thing.name);
    return thing;
  };
  for (const object of objects) {
    // Our television stands on a cabinet of its own, which takes the place of this one.
    const isStand = object.children.some(isTelevision);
    const parent = isStand ? null : add(object, null);
    const children = object.children.filter((child) => add(child, parent));
    all.kept.push(...keptOf({ ...object, children }, parent !== null));
  }
  return all;
}

/**
 * What has to be kept of an object so that the same things come of it again. A stand is kept with its television, which would hang on
 * the wall without it; what lay on another object that is left out stands for itself.
 */
function keptOf(object: House["objects"][number], isThing: boolean): House["objects"] {
  if (isThing || object.children.some(isTelevision)) return [object];
  return object.children.map((child) => ({ ...child, children: [] }));
}

function divided<T>(list: readonly T[], isFirst: (item: T) => boolean): [first: Set<T>, others: T[]] {
  const first = new Set(list.filter(isFirst));
  return [first, list.filter((item) => !first.has(item))];
}

/** Whether the middle of an object is where a passage leaves no wall for it to hang on. */
const isInPassage = (object: HouseChild, openings: readonly Opening[]): boolean =>
  openings.some((opening) => hangsIn(opening, placeOf(object)) && object.position.y * 100 < opening.top);

const count = (counts: Map<string, number>, key: string): unknown =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

const isTelevision = (object: HouseChild): boolean => typeOf(object) === "Television";

/** What hangs on walls: kinds that always do, and televisions without a stand below them. */
function hanging(objects: House["objects"]): HouseChild[] {
  const all = objects.flatMap((object) => [object, ...object.children]);
  return [...objects.filter(isTelevision), ...all.filter(isHanging)];
}

function isHanging(object: HouseChild): boolean {
  const kind = kindOf(object);
  return kind !== null && factsOf(kind).placement === "hanging";
}

function kindOf(object: HouseChild): Kind | null {
  const type = typeOf(object);
  return Object.hasOwn(MODELLED, type) ? MODELLED[type] : null;
}

const placeOf = ({ position, rotation }: HouseChild): Place => ({
  x: Math.round(position.x * 100),
  z: Math.round(position.z * 100),
  turn: quarterOf(rotation.y),
});

function toThing(object: HouseChild, surroundings: Surroundings, parent: Thing | null): Thing | null {
  const { rooms, floors, openings, panels, hung } = surroundings;
  const place = placeOf(object);
  const room = floors.findIndex((rects) => rects.some((rect) => isInside(rect, place.x, place.z)));
  if (room < 0) return null;
  const support = hung.has(object) ? "wall" : parent ? "object" : "floor";
  const spot = { ...place, room };
  const thing = modelled(object, spot, support, parent) ?? plain(object, spot, parent);
  if (!thing) return null;
  const fitted =
    support === "wall"
      ? shrunkToPlace(thing, rooms[room], { openings, panels }, [...hung.values()])
      : parent
        ? movedInto(thing, footprintOf(parent))
        : thing;
  return movedInto(fitted, spaceAround(place, floors[room]));
}

type Spot = Place & Pick<Thing, "room">;

function modelled(object: HouseChild, spot: Spot, support: Support, parent: Thing | null): Thing | null {
  const kind = kindOf(object);
  if (!kind) return null;
  const { colors, placement } = factsOf(kind);
  const color = colors[checksum(object.assetId || object.id) % colors.length];
  const size = givenSize(object, spot.turn) ?? usualSize(object, kind, support);
  const low = Math.max(0, Math.round(object.position.y * 100) - Math.round(size[1] / 2));
  const thing = { ...thingOf(kind, color, spot), size };
  if (support === "wall") return { ...thing, y: low };
  if (parent && (placement === "top" || placement === "floor")) return { ...thing, y: topOf(parent) };
  return { ...thing, y: placement === "top" ? low : 0 };
}

/** What lies on something else is too small to be drawn as a box. */
function plain(object: HouseChild, spot: Spot, parent: Thing | null): Thing | null {
  const type = typeOf(object);
  if (parent) return null;
  if (!Object.hasOwn(BOXES, type)) return unknown(object, spot);
  const { name, size: usual, color } = BOXES[type];
  const [width, depth] = counterSize(object.assetId) ?? [usual[0], usual[2]];
  const size = givenSize(object, spot.turn) ?? [width, heightOf(object) ?? usual[1], depth];
  return { kind: "box", name, color, y: 0, size, ...spot };
}

/** A box for an object of another type, of the size that the file gives; null without a size, or if its longest side is below `SMALLEST_BOX`. */
function unknown(object: HouseChild, spot: Spot): Thing | null {
  const size = givenSize(object, spot.turn);
  if (!size || Math.max(...size) < SMALLEST_BOX) return null;
  const name = typeOf(object)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  const y = Math.max(0, Math.round(object.position.y * 100) - Math.round(size[1] / 2));
  return { kind: "box", name, color: "silver", y, size, ...spot };
}

/** In centimetres. Smaller objects are left out, as those on furniture are. */
const SMALLEST_BOX = 20;

export const quarterOf = (degrees: number): Quarter => (Math.round(degrees / 90) & 3) as Quarter;

/** A small number that depends on every letter. */
function checksum(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}
