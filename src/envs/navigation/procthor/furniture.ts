// The objects of a ProcTHOR house as things of a home.
import { footprintOf, type Rect, type Room, type Thing, thingOf } from "../home.ts";
import { factsOf } from "../kinds.ts";
import type { Quarter } from "../pose.ts";
import { floorOf, WALL } from "../walls.ts";
import type { House, HouseChild } from "./house-schema.ts";
import { LIMITS } from "./house-schema.ts";
import { BOXES, MODELLED } from "./types.ts";

interface Furniture {
  things: Thing[];
  /** The objects of the file that became things. */
  kept: House["objects"];
  /** Numbers of all others, by type, which may be any text. */
  ignored: Map<string, number>;
}

export function furnitureOf({ objects }: House, rooms: readonly Room[]): Furniture {
  const floors = rooms.map(({ polygon }) => floorOf(polygon));
  const things: Thing[] = [];
  const kept: House["objects"] = [];
  const ignored = new Map<string, number>();
  const add = (object: HouseChild, parent: Thing | null): Thing | null => {
    const thing = things.length < LIMITS.objects ? toThing(object, floors, parent) : null;
    if (thing) things.push(thing);
    else ignored.set(typeOf(object), (ignored.get(typeOf(object)) ?? 0) + 1);
    return thing;
  };
  for (const object of objects) {
    // Our television stands on a cabinet of its own, which takes the place of this one.
    const isStand = object.children.some((child) => typeOf(child) === "Television");
    const parent = isStand ? null : add(object, null);
    const children = object.children.filter((child) => add(child, parent));
    // What lay on an object that is left out stands for itself.
    kept.push(
      ...(parent ? [{ ...object, children }] : children.map((child) => ({ ...child, children: [] }))),
    );
  }
  return { things, kept, ignored };
}

/**
 * The type of an object: the first part of its id as in ProcTHOR-10K ("Bed|2|0"), else the words of its asset ("Dining_Table_208_1"):
 * ids that the generator itself writes name no type ("2|0", "small|2|4").
 */
function typeOf({ id, assetId }: HouseChild): string {
  if (/^[A-Z]\w*\|/.test(id) || assetId === "") return id.split("|")[0];
  return assetId.replace(/_?\d.*$/, "").replaceAll("_", "");
}

function toThing(object: HouseChild, floors: readonly Rect[][], parent: Thing | null): Thing | null {
  const { x, y, z } = object.position;
  const place = { x: Math.round(x * 100), z: Math.round(z * 100), turn: quarterOf(object.rotation.y) };
  const room = floors.findIndex((rects) => rects.some((rect) => isInside(rect, place.x, place.z)));
  if (room < 0) return null;
  const thing =
    modelled(object, { ...place, room }, Math.round(y * 100), parent) ??
    plain(object, { ...place, room }, parent);
  return thing && movedInside(resized(thing, object), floors[room]);
}

type Spot = Pick<Thing, "x" | "z" | "turn" | "room">;

/** @param middle height of the middle of the object, in centimetres. */
function modelled(object: HouseChild, spot: Spot, middle: number, parent: Thing | null): Thing | null {
  const type = typeOf(object);
  if (!Object.hasOwn(MODELLED, type)) return null;
  const kind = MODELLED[type];
  const { colors, placement, model } = factsOf(kind);
  const color = colors[checksum(object.assetId || object.id) % colors.length];
  const height = object.axisAlignedBoundingBox ? object.axisAlignedBoundingBox.size.y * 100 : model.size[1];
  const low = Math.max(0, middle - Math.round(height / 2));
  if (placement === "hanging") return thingOf(kind, color, { ...spot, y: low });
  if (placement !== "top") return thingOf(kind, color, { ...spot, y: 0 });
  return thingOf(kind, color, { ...spot, y: parent ? parent.y + parent.size[1] : low });
}

/** What lies on something else is too small to be drawn as a box. */
function plain(object: HouseChild, spot: Spot, parent: Thing | null): Thing | null {
  const type = typeOf(object);
  if (parent || !Object.hasOwn(BOXES, type)) return null;
  const { name, size, color } = BOXES[type];
  return { kind: "box", name, color, y: 0, size, ...spot };
}

/** With the size that the file gives, if it does; the file's box lies along x and z, whatever the turn is. */
function resized(thing: Thing, { axisAlignedBoundingBox }: HouseChild): Thing {
  if (!axisAlignedBoundingBox) return thing;
  const { x, y, z } = axisAlignedBoundingBox.size;
  const [width, depth] = thing.turn % 2 ? [z, x] : [x, z];
  const size = [width, y, depth].map((metres) => Math.max(1, Math.round(metres * 100)));
  return { ...thing, size: size as [number, number, number] };
}

/** Moved off the walls of its room, as far as it has space. */
function movedInside(thing: Thing, floors: readonly Rect[]): Thing {
  const floor = floors.find((rect) => isInside(rect, thing.x, thing.z)) as Rect;
  const { x0, x1, z0, z1 } = footprintOf(thing);
  return {
    ...thing,
    x: thing.x + shift(x0, x1, floor.x0 + WALL, floor.x1 - WALL),
    z: thing.z + shift(z0, z1, floor.z0 + WALL, floor.z1 - WALL),
  };
}

function shift(low: number, high: number, least: number, most: number): number {
  if (high - low > most - least) return 0;
  return Math.max(0, least - low) - Math.max(0, high - most);
}

const isInside = ({ x0, x1, z0, z1 }: Rect, x: number, z: number): boolean =>
  x >= x0 && x <= x1 && z >= z0 && z <= z1;

export const quarterOf = (degrees: number): Quarter => (Math.round(degrees / 90) & 3) as Quarter;

/** A small number that depends on every letter. */
function checksum(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}
