// A home as a scene for the rasteriser. Group ids: 0 the building, then one more than the index of a thing.
import { buildMesh, type Group, type Mesh } from "../../core/raster/mesh.ts";
import { boxFaces, type Face, type Pattern, type Rgb } from "../../core/raster/solid.ts";
import type { Block, Family, Home, Panel, Rect, Room, Thing } from "./home.ts";
import { factsOf, type Kind, type Scenery } from "./kinds.ts";
import { panelParts } from "./models/panel.ts";
import { box, COLORS, facesOf, type Part } from "./models/part.ts";
import { floorOf, wallsOf } from "./walls.ts";

interface Finish {
  floor: Rgb;
  floorPattern: Pattern;
  wall: Rgb;
  wallPattern: Pattern;
}

/**
 * How the rooms of each family look: their floors and walls tell them apart at once. Every wall has a faint pattern, from which an
 * agent that stands close to it still sees that it moves.
 */
const FINISHES: Readonly<Record<Family, Finish>> = {
  kitchen: {
    floor: [222, 214, 196],
    floorPattern: { kind: "checker", size: 40, second: [150, 142, 128] },
    wall: [246, 226, 170],
    wallPattern: { kind: "tiles", size: 60, second: [226, 202, 142] },
  },
  "living room": {
    floor: [188, 132, 84],
    floorPattern: { kind: "planks", size: 22, second: [130, 84, 48] },
    wall: [208, 216, 200],
    wallPattern: { kind: "planks", size: 50, second: [188, 198, 180] },
  },
  bedroom: {
    floor: [150, 138, 170],
    floorPattern: { kind: "tiles", size: 100, second: [136, 124, 156] },
    wall: [218, 204, 228],
    wallPattern: { kind: "checker", size: 35, second: [206, 192, 218] },
  },
  bathroom: {
    floor: [206, 222, 226],
    floorPattern: { kind: "tiles", size: 30, second: [120, 150, 160] },
    wall: [196, 226, 230],
    wallPattern: { kind: "tiles", size: 40, second: [236, 246, 248] },
  },
};
const CEILING: Rgb = [250, 250, 246];

/** Scenes that were built, for as long as their homes are in use: many tasks are drawn and never looked at. */
const scenes = new WeakMap<Home, Mesh>();

/** The scene of a home. */
export function sceneOf(home: Home): Mesh {
  let scene = scenes.get(home);
  if (!scene) {
    scene = buildScene(home);
    scenes.set(home, scene);
  }
  return scene;
}

/** Drawn in this order: things before the building, which they hide. */
function buildScene(home: Home): Mesh {
  const things = home.things.map((thing, i) => ({ id: i + 1, faces: thingFaces(thing) }));
  const panels = (home.panels ?? []).map((panel) => ({ id: 0, faces: panelFaces(panel) }));
  return buildMesh([...things, ...panels, ...home.rooms.flatMap((room) => roomGroups(room, home))]);
}

const panelFaces = (panel: Panel): Face[] =>
  panelParts(panel).flatMap((part) => facesOf(part, panel.turn, [panel.x, panel.y, panel.z]));

function thingFaces(thing: Thing): Face[] {
  const parts = thing.kind === "box" ? [plainBox(thing)] : fitted(thing);
  return parts.flatMap((part) => facesOf(part, thing.turn, [thing.x, thing.y, thing.z]));
}

function plainBox({ size: [width, height, depth], color }: Thing): Part {
  return box([-width / 2, width / 2], [0, height], [-depth / 2, depth / 2], COLORS[color]);
}

/** The parts of a model, stretched to the size of the thing. */
function fitted({ kind, color, size }: Thing): Part[] {
  const { model } = factsOf(kind as Kind | Scenery);
  const parts = model.parts(COLORS[color]);
  if (size === model.size) return parts;
  const scaled = (at: Part["from"]) =>
    at.map((value, i) => (value * size[i]) / model.size[i]) as [number, number, number];
  return parts.map((part) => ({ ...part, from: scaled(part.from), to: scaled(part.to) }));
}

function roomGroups(room: Room, home: Home): Group[] {
  const { wall, wallPattern, floor, floorPattern } = FINISHES[room.family];
  const walls = wallsOf(room, home).map((block) => patterned(blockFaces(block, wall), wallPattern));
  const floors = floorOf(room.polygon).map((rect) => [
    flat(rect, 0, 1, floor, floorPattern),
    flat(rect, home.height, -1, CEILING, { kind: "plain", size: 1, second: CEILING }),
  ]);
  return [...walls, ...floors].map((faces) => ({ id: 0, faces }));
}

const blockFaces = ({ x0, y0, z0, x1, y1, z1 }: Block, color: Rgb): Face[] =>
  boxFaces([x0, y0, z0], [x1, y1, z1], color);

const patterned = (faces: readonly Face[], pattern: Pattern): Face[] =>
  faces.map((face) => ({ ...face, pattern }));

/** A floor, which is seen from above (1), or a ceiling, which is seen from below (−1). */
function flat({ x0, z0, x1, z1 }: Rect, y: number, facing: 1 | -1, color: Rgb, pattern: Pattern): Face {
  return {
    points: [
      [x0, y, z0],
      [x1, y, z0],
      [x1, y, z1],
      [x0, y, z1],
    ],
    normal: [0, facing, 0],
    color,
    pattern,
  };
}
