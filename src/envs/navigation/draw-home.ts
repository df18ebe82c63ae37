// The home of a seed: a room of one family, and beside half of them a smaller room of another family behind an opening.
import { type Rng, rng } from "../../core/rng.ts";
import { Furnisher } from "./furnish.ts";
import { FAMILIES, type Family, type FloorPoint, type Home, type Opening, type Room } from "./home.ts";
import type { Quarter } from "./pose.ts";

/** Height of the ceiling and of openings, in centimetres. */
const CEILING = 250;
const OPENING_TOP = 210;
const OPENING_WIDTH = 100;

/** Smallest and largest sides of a family's rooms, in centimetres. */
const SIDES: Readonly<Record<Family, readonly [number, number]>> = {
  kitchen: [440, 560],
  "living room": [460, 600],
  bedroom: [440, 560],
  bathroom: [400, 500],
};
const SIDE_ROOM = { shortest: 260, longest: 340 } as const;

interface Rectangle {
  x: number;
  z: number;
  width: number;
  depth: number;
}

/** The home of a family and a seed; equal seeds give equal homes. */
export function drawHome(family: Family, seed: number): Home {
  const random = rng(seed).fork(`home ${family}`);
  const main = { x: 0, z: 0, width: side(family, random), depth: side(family, random) };
  const rooms: Room[] = [{ family, polygon: outline(main) }];
  const openings: Opening[] = [];
  const wall = random.int(4) as Quarter;
  if (random.int(2)) {
    const beside = sideRoom(main, wall, random);
    rooms.push({
      family: random.pick(FAMILIES.filter((other) => other !== family)),
      polygon: outline(beside),
    });
    openings.push(openingBetween(main, beside, wall, random));
  }
  const things = rooms.flatMap((room, i) => {
    const shared = rooms.length > 1 ? [i === 0 ? wall : (wall + 2) & 3] : [];
    const outer = ([0, 1, 2, 3] as const).filter((turn) => !shared.includes((turn + 2) & 3));
    const furnisher = new Furnisher(room, i, { openings }, outer, random.fork(`things ${i}`));
    return furnisher.furnish(i > 0);
  });
  return { rooms, openings, things, height: CEILING };
}

function side(family: Family, random: Rng): number {
  const [least, most] = SIDES[family];
  return least + 10 * random.int((most - least) / 10 + 1);
}

/** A room on the other side of the wall that an agent of this yaw looks at. */
function sideRoom(main: Rectangle, wall: Quarter, random: Rng): Rectangle {
  const { shortest, longest } = SIDE_ROOM;
  const draw = () => shortest + 10 * random.int((longest - shortest) / 10 + 1);
  const [width, depth] = [draw(), draw()];
  const alongX = 10 * random.int((main.width - width) / 10 + 1);
  const alongZ = 10 * random.int((main.depth - depth) / 10 + 1);
  const at: readonly [x: number, z: number][] = [
    [alongX, main.depth],
    [main.width, alongZ],
    [alongX, -depth],
    [-width, alongZ],
  ];
  const [x, z] = at[wall];
  return { x, z, width, depth };
}

/** An opening through the wall that two rooms share. */
function openingBetween(main: Rectangle, beside: Rectangle, wall: Quarter, random: Rng): Opening {
  const isAlongX = wall % 2 === 0;
  const [from, length] = isAlongX ? [beside.x, beside.width] : [beside.z, beside.depth];
  const start = from + 20 + 10 * random.int((length - OPENING_WIDTH - 40) / 10 + 1);
  const at = wall === 0 ? main.depth : wall === 1 ? main.width : 0;
  const end = start + OPENING_WIDTH;
  return isAlongX
    ? { x0: start, x1: end, z0: at - 6, z1: at + 6, top: OPENING_TOP }
    : { z0: start, z1: end, x0: at - 6, x1: at + 6, top: OPENING_TOP };
}

/** Corners of a rectangle, anticlockwise with z up. */
const outline = ({ x, z, width, depth }: Rectangle): FloorPoint[] => [
  [x, z],
  [x + width, z],
  [x + width, z + depth],
  [x, z + depth],
];
