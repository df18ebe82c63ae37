// States of worlds that claims with expected answers are about (`world-claims.ts`).
import type { WorldTruth } from "../core/types.ts";
import { writeObjects } from "../envs/spatial-gym/claims.ts";

export const STEP = 0.3;

/** A view from the origin along +z: where the target is and whether it has been seen, and what is in view, in steps [right, ahead]. */
function view(target: readonly number[], seen: Readonly<Record<string, readonly number[]>>, known = true) {
  const metres = ([right, ahead]: readonly number[]) => [right! * STEP, ahead! * STEP];
  const [target_x, target_z] = metres(target);
  const things = Object.entries(seen).map(([name, at]) => ({ name, at: metres(at) }));
  const pose = { x: 0, z: 0, yaw: 0, horizon: 0, step: STEP, reach: 1 };
  return {
    frame: "floor",
    things,
    facts: { target: "lamp", target_x, target_z, known, ...pose },
  } as WorldTruth;
}

const table = (places: Readonly<Record<string, readonly number[]>>): WorldTruth => ({
  frame: "workspace",
  things: Object.entries(places).map(([name, at]) => ({ name, at })),
  facts: { held: "" },
});

/** An icon, and the latest drawing of it. */
const canvas = (icon: string, drawing?: string): WorldTruth => ({
  frame: "canvas",
  things: [],
  facts: { icon, ...(drawing !== undefined && { drawing }), solved: false },
});

const ICON =
  '<svg viewBox="0 0 64 64"><rect x="8" y="0" width="32" height="48" fill="green"/><circle cx="32" cy="40" r="16" fill="red"/></svg>';
const DRAWING = '<svg viewBox="0 0 64 64"><path d="M16 8L48 8L32 56Z" fill="blue"/></svg>';

/** The objects of SpatialGym's task, in metres. Only the bed and the desk have a front. */
const OBJECTS = [
  { name: "bed", at: [3.1, 5.6], beside: [3.1, 4.4], facing: "back" },
  { name: "lamp", at: [4, 5], beside: [4, 4.4] },
  { name: "desk", at: [5.1, 2.9], beside: [4.4, 2.9], facing: "left" },
  { name: "bin", at: [1.9, 1], beside: [1.9, 1.5] },
] as const;

/** A look from [x, z] along `yaw`: the objects that it shows, nearest first, and those that have been in view by then. */
function look([x, z]: readonly [number, number], yaw: number, shown: string, seen: string): WorldTruth {
  const names = shown.split(" ");
  const things = OBJECTS.filter(({ name }) => names.includes(name));
  return {
    frame: "floor",
    things: things.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name)),
    facts: { x, z, yaw, look_x: x, look_z: z, look_yaw: yaw, seen, objects: writeObjects(OBJECTS) },
  };
}

/** Where SpatialGym's agent begins, and where it stands beside the bed. */
const [MIDDLE, BESIDE] = [
  [3, 3],
  [3.1, 4.4],
] as const;

/** The lamp is 4 ahead and 2 right, the bed 5 ahead. The desk is to the right and the bin behind, out of view. */
const START = look(MIDDLE, 0, "lamp bed", "bed lamp");

export const TRUTHS = {
  /** The lamp is 7 ahead and 2 right, a sofa 4 ahead and 1 left. */
  room: view([2, 7], { lamp: [2, 7], sofa: [-1, 4] }),
  /** The lamp is behind the agent and has never been in view. */
  unseen: view([0, -5], {}, false),
  /** The lamp has been in view and is now 5 back; a sofa is 4 ahead and 1 left. */
  passed: view([0, -5], { sofa: [-1, 4] }),
  /** The lamp is 5 back as well, but it has never been in view. */
  searching: view([0, -5], { sofa: [-1, 4] }, false),
  /** After some steps the lamp is 2 ahead and 1 left. */
  near: view([-1, 2], { lamp: [-1, 2] }),
  cubes: table({ "red cube": [62, -55, 20], "green cube": [-40, 30, 20], "purple cube": [10, 80, 20] }),
  /** The red cube has come to rest on the green one. */
  stacked: table({ "red cube": [-40, 30, 60], "green cube": [-40, 30, 20], "purple cube": [10, 80, 20] }),
  /** The red cube has been picked up and is in the hand. */
  held: table({ "red cube": [0, 0, 276], "green cube": [-40, 30, 20], "purple cube": [10, 80, 20] }),
  drawer: table({ apple: [-60, -160, 35], drawer: [-210, -300, 250] }),
  /** Cubes beside the places where they belong, which cannot be moved. */
  targets: table({
    "left target": [0, -100, 0],
    "right target": [0, 100, 0],
    "red cube": [-90, 20, 20],
    "green cube": [75, -30, 20],
  }),
  /** A green rectangle below a red circle. */
  icon: canvas(ICON),
  /** The same icon; a blue triangle has been drawn. */
  drawn: canvas(ICON, DRAWING),
  /** The icon has been drawn as it is. */
  copied: canvas(ICON, ICON),
  /** The same triangle in code that counts from point to point. */
  relative: canvas(ICON, '<svg viewBox="0 0 64 64"><path fill="blue" d="M16 8h32l-16 48z" /></svg>'),
  /** A tall ellipse would be a circle only by name: this one is twice as wide as high. */
  oval: canvas('<svg viewBox="0 0 64 64"><ellipse cx="32" cy="32" rx="24" ry="12" fill="red"/></svg>'),
  tile: canvas('<svg viewBox="0 0 64 64"><rect x="16" y="16" width="32" height="32" fill="blue"/></svg>'),
  diamond: canvas('<svg viewBox="0 0 64 64"><path d="M32 8L56 32L32 56L8 32Z" fill="red"/></svg>'),
  start: START,
  /** A quarter of a turn to the right: the desk is 4 ahead; the bed is now 5 left, the lamp 2 ahead and 4 left, the bin 2 back and 4 right. */
  turned: look(MIDDLE, 90, "desk", "bed lamp desk"),
  /** An eighth to the right: the lamp is 4 ahead and 1 left, the bed 4 ahead and 4 left. */
  eighth: look(MIDDLE, 45, "lamp bed", "bed lamp"),
  /** A quarter to the left: a bare wall; the bed is 5 right. */
  wall: look(MIDDLE, 270, "", "bed lamp"),
  /** Beside the bed, looking back to the start: the bin is 7 ahead and 2 right; the bed is 2 back, the lamp 1 back and 2 left. */
  behind: look(BESIDE, 180, "bin", "bed lamp bin"),
  /** The agent has gone there and turned, but has not looked: what counts is still the first view. */
  unlooked: { ...START, facts: { ...START.facts, x: BESIDE[0], z: BESIDE[1], yaw: 180 } },
  /** A level that begins at the bare wall: nothing has been seen. */
  bare: look(MIDDLE, 270, "", ""),
  /** An eighth to the left from there: the bin comes into view, 4 ahead and 1 left. */
  found: look(MIDDLE, 225, "bin", "bin"),
  /** An eighth to the right instead: still nothing. */
  blank: look(MIDDLE, 315, "", ""),
} satisfies Record<string, WorldTruth>;

/** The state before the turn that led to a state, where predictions depend on it. */
export const BEFORE: Partial<Record<keyof typeof TRUTHS, WorldTruth>> = {
  turned: TRUTHS.start,
  behind: TRUTHS.start,
  unlooked: TRUTHS.start,
  wall: TRUTHS.start,
  found: TRUTHS.bare,
  blank: TRUTHS.bare,
};
