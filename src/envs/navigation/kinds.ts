// The kinds of objects: what they look like, in which colours they come, and how they are placed.
import { bathtub, shower, toilet, towel, washer } from "./models/bathroom.ts";
import { basket, bed, desk, dresser, laptop, mirror, teddy, wardrobe } from "./models/bedroom.ts";
import { bin, chair, counter, fridge, microwave, sink, stove, table, toaster } from "./models/kitchen.ts";
import {
  armchair,
  bookshelf,
  clock,
  door,
  lamp,
  painting,
  plant,
  rug,
  sofa,
  television,
  window,
} from "./models/living.ts";
import { type ColorName, enlarged, type Model } from "./models/part.ts";

/**
 * Where things of a kind are put: with the back to a wall; on the floor, near a wall; in the middle of the room; on top of
 * something; hanging on a wall.
 */
type Placement = "wall" | "floor" | "centre" | "top" | "hanging";

interface KindFacts {
  model: Model;
  placement: Placement;
  /** Colours that it comes in. */
  colors: readonly ColorName[];
  /** Of what hangs: height of its lower edge, in centimetres. */
  hangs?: number;
}

const kind = (
  model: Model,
  placement: Placement,
  colors: readonly ColorName[],
  hangs?: number,
): KindFacts => ({ model, placement, colors, ...(hangs !== undefined && { hangs }) });

/** Small things are larger here than in a real home: in the agent's picture they would be two or three pixels wide. */
const LARGER = 1.25;

/** What an instruction can ask for. */
export const KINDS = {
  fridge: kind(fridge, "wall", ["white", "silver", "red"]),
  stove: kind(stove, "wall", ["white", "black"]),
  sink: kind(sink, "wall", ["brown", "blue", "white"]),
  microwave: kind(microwave, "top", ["white", "black"]),
  toaster: kind(enlarged(toaster, LARGER), "top", ["red", "yellow", "blue"]),
  table: kind(table, "centre", ["brown", "beige"]),
  chair: kind(chair, "floor", ["orange", "green", "blue"]),
  bin: kind(enlarged(bin, LARGER), "floor", ["green", "silver", "blue"]),
  sofa: kind(sofa, "wall", ["red", "green", "blue"]),
  armchair: kind(armchair, "floor", ["purple", "orange", "yellow"]),
  television: kind(television, "wall", ["brown", "black"]),
  bookshelf: kind(bookshelf, "wall", ["brown", "beige"]),
  lamp: kind(lamp, "floor", ["yellow", "orange", "pink"]),
  plant: kind(plant, "floor", ["orange", "white", "purple"]),
  painting: kind(enlarged(painting, LARGER), "hanging", ["brown", "yellow"], 125),
  clock: kind(enlarged(clock, LARGER), "hanging", ["red", "black", "blue"], 160),
  bed: kind(bed, "wall", ["blue", "pink", "purple"]),
  wardrobe: kind(wardrobe, "wall", ["brown", "beige"]),
  dresser: kind(dresser, "wall", ["beige", "pink", "green"]),
  desk: kind(desk, "wall", ["beige", "white"]),
  laptop: kind(enlarged(laptop, LARGER), "top", ["silver", "red"]),
  teddy: kind(enlarged(teddy, LARGER), "floor", ["brown", "pink"]),
  mirror: kind(mirror, "hanging", ["yellow", "purple"], 75),
  basket: kind(basket, "floor", ["beige", "pink"]),
  toilet: kind(toilet, "wall", ["white", "pink"]),
  bathtub: kind(bathtub, "wall", ["white", "green", "pink"]),
  shower: kind(shower, "wall", ["blue", "orange", "red"]),
  towel: kind(enlarged(towel, LARGER), "hanging", ["red", "blue", "green"], 62),
  washer: kind(washer, "wall", ["white", "silver"]),
} as const satisfies Readonly<Record<string, KindFacts>>;
export type Kind = keyof typeof KINDS;

/** What no instruction asks for. */
const SCENERY = {
  counter: kind(counter, "wall", ["brown"]),
  rug: kind(rug, "centre", ["red", "blue", "purple", "green"]),
  window: kind(window, "hanging", ["white"], 95),
  door: kind(door, "hanging", ["brown"], 0),
} as const satisfies Readonly<Record<string, KindFacts>>;
export type Scenery = keyof typeof SCENERY;

const ALL: Readonly<Record<Kind | Scenery, KindFacts>> = { ...KINDS, ...SCENERY };

export const factsOf = (name: Kind | Scenery): KindFacts => ALL[name];

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** Whether an instruction can ask for it. */
export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
