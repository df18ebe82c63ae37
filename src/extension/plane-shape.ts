// The parts that only an environment on a plane has. What they leave out gets a default.
import { z } from "../core/schema.ts";
import { extentOf } from "../envs/own/draw-plane.ts";
import type { Extent, OwnPlane, PlaneLook } from "../envs/own/own.ts";
import { PATCH } from "../envs/square-picture.ts";
import { COLOR, flag, invalid, part, SHAPE, shown, TAKEN, thingsOf } from "./shape.ts";

/** Sides of a plane in units, multiples of a patch. */
const SIDES = [16, 96] as const;
/** Most places of one thing: each is a line of the state as text. */
export const MOST_PLACES = 20;
const MOST_SCENERY = 40;

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && value >= least && value <= most;
const isPair = (value: unknown, test: (part: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(test);
/** A pair of one's own, so that an extension cannot change later what was checked. */
const copied = <T extends Extent>(given: T): T =>
  (typeof given === "number" ? given : [given[0], given[1]]) as T;

/** Width and height of a plane. */
export const SIZE = part<OwnPlane["size"]>(
  `[width, height], two multiples of ${PATCH} from ${SIDES[0]} to ${SIDES[1]}, such as [64, 64]`,
  (value) => isPair(value, (side) => isWithin(side, ...SIDES) && side % PATCH === 0),
).transform(copied);
export const BACKGROUND = COLOR.default("#f3efe6");
function extent(least: number) {
  const isLength = (value: unknown) => isWithin(value, least, SIDES[1]);
  return part<PlaneLook["size"]>(
    `a number of units from ${least} to ${SIDES[1]}, or [width, height] of such numbers`,
    (value) => isLength(value) || isPair(value, isLength),
  ).transform(copied);
}
/** Of things, which must be seen. */
const LEAST_THING = 2;
const LOOK = z.strictObject(
  {
    color: COLOR,
    shape: SHAPE,
    size: extent(LEAST_THING).default(PATCH),
    fixed: flag(false),
    most: part<number>(
      `a whole number from 1 to ${MOST_PLACES}`,
      (value) => Number.isInteger(value) && isWithin(value, 1, MOST_PLACES),
    ).default(1),
  },
  'an object such as { color: "#c62f3b", shape: "disc", size: 8 }',
);
const TAKEN_HERE: ReadonlySet<string> = new Set([...TAKEN, "x", "y", "right", "left", "up", "down"]);

/** How things of a plane look, by name. */
export const PLANE_THINGS = thingsOf(
  LOOK,
  TAKEN_HERE,
  '{ player: { color: "#c62f3b", shape: "disc" } }',
).refine((things) => !things.player?.fixed, { path: ["player", "fixed"], error: "false: the player moves" });

/** Shapes that are drawn below all things; they may reach beyond the plane. */
export const SCENERY = z
  .array(
    z.strictObject(
      {
        color: COLOR,
        shape: SHAPE,
        at: part<OwnPlane["scenery"][number]["at"]>(
          `[x, y] of its middle, two numbers from 0 to ${SIDES[1]}`,
          (value) => isPair(value, (along) => isWithin(along, 0, SIDES[1])),
        ).transform(copied),
        size: extent(0.5),
      },
      'an object such as { color: "#5b5048", shape: "square", at: [32, 60], size: [64, 8] }',
    ),
    "a list of shapes",
  )
  .max(MOST_SCENERY, `a list of at most ${MOST_SCENERY} shapes`)
  .default([]);

/** How far away a stated place may be, in units. */
export const NEAR = part<number>("a number of units from 0 to 32", (value) => isWithin(value, 0, 32)).default(
  2,
);

/** How many times its own area a plane may be drawn over: more would take the page seconds at the size that people see. */
const MOST_LAYERS = 16;

/** @throws ExtensionError("invalid") for a plane whose things and scenery take too long to draw */
export function assertDrawable(extension: string, own: OwnPlane): void {
  const { id, size, things, scenery } = own;
  const [area, limit] = [areaOf(size, size), MOST_LAYERS * areaOf(size, size)];
  const ofThings = Object.values(things).reduce((sum, look) => sum + look.most * areaOf(look.size, size), 0);
  const drawn = scenery.reduce((sum, shape) => sum + areaOf(shape.size, size), ofThings);
  if (drawn > limit)
    throw invalid(
      extension,
      `the things and the scenery of the environment "${id}" can cover ${Math.ceil(drawn)} square units; a plane of ${area} may have ${MOST_LAYERS} times as much, ${limit}.`,
      "Make things or scenery smaller, lower a most, or leave shapes out.",
    );
}

/** Of a shape's box, in square units; what is larger than the plane is cut off. */
function areaOf(extent: Extent, [width, height]: OwnPlane["size"]): number {
  const [wide, high] = extentOf(extent);
  return Math.min(wide, width) * Math.min(high, height);
}

/** Whether what is handed over is a plane, with `size`, or a board. @throws ExtensionError("invalid") for both, or neither */
export function hasSize(extension: string, given: unknown): boolean {
  const own = (given ?? {}) as Record<string, unknown>;
  if (typeof own !== "object") return false;
  const [isPlane, isBoard] = [own.size !== undefined, own.rows !== undefined || own.cols !== undefined];
  if (isPlane !== isBoard) return isPlane;
  // What is no environment at all is refused with its own words.
  if (own.id === undefined) return false;
  throw invalid(
    extension,
    isPlane
      ? `the environment ${shown(own.id)} has size ${shown(own.size)} and also rows or cols; it must be a board or a plane.`
      : `the environment ${shown(own.id)} has neither rows and cols nor size.`,
    "Give a board rows and cols, e.g. rows: 5, cols: 5, or a plane size, e.g. size: [64, 64].",
  );
}
