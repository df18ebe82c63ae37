// Claims about worlds with expected answers, to measure the rule that judges them. YES is expected if everything that a complete claim
// has is said, right within the tolerance of the world, and nothing is invented.
import type { WorldTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { writeObjects } from "../envs/spatial-gym/claims.ts";
import { wordsOf } from "../envs/worlds.ts";
import type { Claim } from "../judge/judge.ts";
import { type AnsweredCase, type Groups, type Measured, measureVerdicts } from "../judge/measure.ts";
import { judgeStatements } from "../judge/statements.ts";

interface WorldCase extends AnsweredCase {
  envId: "navigation" | "primitive-skill" | "svg" | "spatial-gym";
  claim: Claim;
  truth: WorldTruth;
  /** Where a prediction is made. */
  before: WorldTruth;
}

const STEP = 0.3;

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

const TRUTHS = {
  /** The lamp is 7 ahead and 2 right, a sofa 4 ahead and 1 left. */
  room: view([2, 7], { lamp: [2, 7], sofa: [-1, 4] }),
  /** The lamp is behind the agent and has never been in view. */
  unseen: view([0, -5], {}, false),
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
const BEFORE: Partial<Record<keyof typeof TRUTHS, WorldTruth>> = {
  turned: TRUTHS.start,
  behind: TRUTHS.start,
  unlooked: TRUTHS.start,
  wall: TRUTHS.start,
  found: TRUTHS.bare,
  blank: TRUTHS.bare,
};

type Row = [truth: keyof typeof TRUTHS, answer: "yes" | "no", text: string];

const views: readonly Row[] = [
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "yes", "Sees sofa 4 ahead 1 left. Target lamp 7 ahead 2 right."],
  ["room", "yes", "target lamp 6 ahead 1 right ; sees sofa 4 ahead 2 left"],
  [
    "room",
    "yes",
    "The lamp stands seven steps ahead and a little to the right; the sofa is nearer, on the left.",
  ],
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; lamp 7 ahead 2 right"],
  ["room", "no", "target lamp 7 ahead 2 left ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 3 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target sofa 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; bed 2 ahead 0 right"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; sofa 9 back 9 left"],
  ["room", "no", "no target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target not seen ; sees sofa 4 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 back 1 left"],
  ["room", "no", "There is a lamp somewhere in this room, and a sofa."],
  ["room", "yes", "target lamp 7 ahead, 2 right ; sees couch 1 left 4 ahead"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; piano 2 ahead 1 left"],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; bed 2.5 ahead, 1 left"],
  ["unseen", "yes", "target not seen"],
  ["unseen", "yes", "target lamp not seen"],
  ["unseen", "yes", "I see nothing, target not seen."],
  ["unseen", "yes", "target not seen ; no objects are visible"],
  ["unseen", "no", "target not seen ; piano 3 ahead 0 right"],
  ["unseen", "no", "target lamp 7 ahead 2 right"],
  ["unseen", "no", "I turn around to look for the lamp."],
  // A denial of what is in view, alone and beside what contradicts it.
  ["room", "no", "I see nothing, target not seen."],
  ["room", "no", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left ; no objects are visible"],
  ["room", "yes", "target lamp 7 ahead 2 right ; sees sofa 4 ahead 1 left and nothing else is in view"],
];

const arrivals: readonly Row[] = [
  ["near", "yes", "target lamp 2 ahead 1 left"],
  ["near", "yes", "target lamp 3 ahead 0 right"],
  ["near", "yes", "After these steps: target lamp 2 ahead 1 left."],
  ["near", "yes", "I will stand two steps before the lamp, which is then slightly to my left."],
  ["near", "no", "target lamp 6 ahead 1 left"],
  ["near", "no", "target lamp 2 back 1 left"],
  ["near", "no", "target not seen"],
  ["near", "no", "target lamp 2 ahead 1 left ; target piano 2 ahead 1 left"],
  ["near", "no", "I will be much closer to the lamp."],
  ["near", "no", "target lamp 2 ahead 1 left ; nothing will be in view"],
  ["near", "no", "I will see nothing."],
  ["unseen", "yes", "target not seen ; nothing will be in view"],
];

const workspaces: readonly Row[] = [
  ["cubes", "yes", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "yes", "Purple cube (10, 80, 20), red cube (62, -55, 20), green cube (-40, 30, 20)"],
  ["cubes", "yes", "red cube (70,-60,20) ; green cube (-35,25,20) ; purple cube (0,90,20)"],
  [
    "cubes",
    "yes",
    "The red cube is at x 62, y -55, the green one at x -40, y 30 and the purple one at x 10, y 80.",
  ],
  [
    "cubes",
    "yes",
    "The red cube is at (62, -55, 20), the green cube at (-40.0, 30.0, 20.0), the purple cube position: [10, 80, 20].",
  ],
  ["cubes", "no", "not red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (-40,30,20) ; green cube (62,-55,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20)"],
  ["cubes", "no", "red cube (62,-20,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; apple (0,0,20)"],
  ["cubes", "no", "red cube (62,-55,60) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "(62,-55,20) (-40,30,20) (10,80,20)"],
  ["cubes", "yes", "red cube (62.,-55,20) ; green cube (-4e1,30,20) ; purple cube (10,80,20)"],
  ["cubes", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; piano (0,0,20)"],
  [
    "cubes",
    "no",
    "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20) ; red target (0,0,20)",
  ],
  ["cubes", "no", "the big red cube is not at (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["drawer", "yes", "apple (-60,-160,35) ; drawer (-210,-300,250)"],
  ["drawer", "no", "pineapple (-60,-160,35) ; drawer (-210,-300,250)"],
  ["drawer", "no", "drawer (-60,-160,35) ; apple (-210,-300,250)"],
  // Dictionaries: as VAGEN writes them, as JSON and as Python prints them, and what policies get wrong in them.
  [
    "cubes",
    "yes",
    '{"red_cube_position": (62,-55,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "yes",
    '{\n  "purple_cube_position": [10, 80, 20],\n  "green_cube_position": [-40, 30, 20],\n  "red_cube_position": [62, -55, 20]\n}',
  ],
  [
    "cubes",
    "yes",
    "{'red_cube_position': (62.0, -55.0, 20.0), 'green_cube_position': (-40.0, 30.0, 20.0), 'purple_cube_position': (10.0, 80.0, 20.0)}",
  ],
  [
    "cubes",
    "yes",
    '{"red_cube": {"x": 62, "y": -55, "z": 20}, "green_cube": {"x": -40, "y": 30, "z": 20}, "purple_cube": {"x": 10, "y": 80, "z": 20}}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (-40,30,20), "green_cube_position": (62,-55,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-85,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-55,20), "green_cube_position": (-40,30,20), "purple_cube_position": None}',
  ],
  [
    "cubes",
    "no",
    '{"red_cube_position": (62,-55,20), "red_cube_position": (10,80,20), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  ["drawer", "yes", '{"apple_position": (-60,-160,35), "drawer_position": (-210,-300,250)}'],
  [
    "drawer",
    "no",
    '{"apple_position": (-60,-160,35), "drawer_position": (-210,-300,250), "bowl_position": (0,0,35)}',
  ],
  [
    "targets",
    "yes",
    '{"left_target_position": (0,-100,0), "right_target_position": (0,100,0), "red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}',
  ],
  [
    "targets",
    "no",
    '{"left_target_position": (0,100,0), "right_target_position": (0,-100,0), "red_cube_position": (-90,20,20), "green_cube_position": (75,-30,20)}',
  ],
];

const results: readonly Row[] = [
  ["stacked", "yes", "red cube (-40,30,60) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "yes", "red cube (-42,28,61) ; green cube (-41,29,20) ; purple cube (10,80,20)"],
  ["stacked", "yes", "The red cube will rest on the green one; the purple cube stays where it is."],
  ["stacked", "no", "red cube (-40,30,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["stacked", "no", "purple cube (-40,30,60) ; green cube (-40,30,20) ; red cube (10,80,20)"],
  [
    "stacked",
    "yes",
    '{"red_cube_position": (-40,30,60), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  // As if a cube stood on two.
  [
    "stacked",
    "no",
    '{"red_cube_position": (-40,30,100), "green_cube_position": (-40,30,20), "purple_cube_position": (10,80,20)}',
  ],
  ["held", "yes", "Lifted: red cube (0,0,276). Unchanged: green cube (-40,30,20), purple cube (10,80,20)."],
  ["held", "yes", "The gripper will hold the red cube; the other two cubes stay where they are."],
  // As if the fingers had missed it.
  ["held", "no", "red cube (62,-55,20) ; green cube (-40,30,20) ; purple cube (10,80,20)"],
  ["held", "no", "red cube (0,0,276)"],
];

const shapes: readonly Row[] = [
  ["icon", "yes", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "yes", "Red circle 16, 24, 48, 56. Green rect 8, 0, 40, 48."],
  ["icon", "yes", "green rect 6 0 42 46 ; red circle 18 25 50 57.5"],
  ["icon", "yes", "A green rectangle at the top, and a red circle over its lower right corner."],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 48"],
  ["icon", "no", "green rect 8 0 40 48 ; red path 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48 ; blue circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48"],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; gold path 0 0 8 8"],
  ["icon", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; cyan circle 0 0 8 8"],
  ["icon", "no", "lightgreen rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48.5.9 ; red circle 16 24 48 56"],
  ["icon", "no", "no green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "yes", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "no", "blue path 16 8 48 56"],
  ["icon", "yes", "green rectangle 8 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "red rect 8 0 40 48 ; green circle 16 24 48 56"],
  // A number too many, and one colour for both shapes, as policies write after too much training.
  ["icon", "no", "green rect 8 0 0 40 48 ; red circle 16 24 48 56"],
  ["icon", "no", "green rect 8 0 40 48 ; green circle 16 24 48 56"],
];

const pictures: readonly Row[] = [
  ["drawn", "yes", "blue path 16 8 48 56"],
  ["drawn", "no", "blue rect 16 8 48 56"],
  ["drawn", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56"],
  ["drawn", "yes", "The picture will show a blue path (16, 8, 48, 56)."],
  ["drawn", "yes", "blue triangle 16 8 48 56"],
  ["drawn", "no", "purple path 16 8 48 56"],
  ["drawn", "no", "blue path 16 8 32 56"],
  // As if the icon stayed under the drawing.
  ["drawn", "no", "green rect 8 0 40 48 ; red circle 16 24 48 56 ; blue path 16 8 48 56"],
  ["copied", "yes", "red circle 17 25 47 55 ; green rect 8 0 40 48"],
  ["copied", "yes", "The same as the icon: a green rectangle and a red circle."],
  ["copied", "no", "green rect 8 0 40 48"],
  ["relative", "yes", "blue path 16 8 48 56"],
  // The numbers of its code by position.
  ["relative", "no", "blue path 0 8 16 48"],
];

const looks: readonly Row[] = [
  ["start", "yes", "lamp 4 ahead 2 right ; bed 5 ahead 0 right"],
  ["start", "yes", "Bed 5 ahead 0 left. Lamp 4 ahead 2 right."],
  // One step off along each axis, which takes the bed to the other side.
  ["start", "yes", "lamp 5 ahead 1 right ; bed 4 ahead 1 left"],
  ["start", "yes", "lamp 4 ahead 2 right, bed 5 ahead 0 right and nothing else"],
  ["start", "yes", "lamp 2 right 4 ahead ; bed 5 ahead"],
  ["start", "yes", "The bed is five steps straight ahead; the lamp is a little nearer, on the right."],
  ["start", "no", "lamp 4 ahead 2 left ; bed 5 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 7 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; sofa 2 ahead 1 left"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; piano 2 ahead 1 left"],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right facing ahead"],
  ["start", "no", "no lamp 4 ahead 2 right ; bed 5 ahead 0 right"],
  ["start", "no", "lamp 4 ahead 2 right is not in view ; bed 5 ahead 0 right"],
  ["start", "no", ""],
  // Seen from the start, not from here.
  ["turned", "no", "desk 0 ahead 4 right"],
  // What is out of view is in the right place, but it is not seen.
  ["turned", "no", "In view: desk 4 ahead 0 right ; bed 0 ahead 5 left"],
  ["turned", "yes", "In view: desk 4 ahead 0 right. Out of view: bed 0 ahead 5 left."],
  ["eighth", "yes", "lamp 4 ahead 1 left ; bed 4 ahead 4 left"],
  // The other side, two steps off.
  ["eighth", "no", "lamp 4 ahead 1 right ; bed 4 ahead 4 left"],
  ["wall", "yes", "Nothing is in view."],
  ["wall", "yes", "No objects are visible."],
  ["wall", "yes", "I can't see anything."],
  ["wall", "no", "I see nothing else."],
  ["start", "no", "No objects are visible."],
  ["start", "no", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; I see nothing"],
  ["start", "yes", "lamp 4 ahead 2 right ; bed 5 ahead 0 right ; no other objects are visible"],
  ["wall", "no", "I see bed 0 ahead 5 right"],
];

const turns: readonly Row[] = [
  // The desk comes into view for the first time: it may be left out.
  ["turned", "yes", "bed 0 ahead 5 left ; lamp 2 ahead 4 left"],
  ["turned", "yes", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; desk 4 ahead 0 right"],
  ["turned", "no", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; desk 4 ahead 4 left"],
  ["turned", "no", "desk 4 ahead 0 right"],
  // As if the agent had turned left.
  ["turned", "no", "bed 0 ahead 5 right ; lamp 2 back 4 right"],
  ["behind", "yes", "Behind me: bed 2 back 0 right, lamp 1 back 2 left."],
  ["behind", "yes", "The bed will be right behind me, the lamp behind me as well, to the left."],
  ["behind", "no", "bed 2 ahead 0 right ; lamp 1 ahead 2 left"],
  ["behind", "no", "bed not seen ; lamp not seen"],
  ["unlooked", "yes", "bed 5 ahead 0 right ; lamp 4 ahead 2 right"],
  ["unlooked", "no", "bed 2 back 0 right ; lamp 1 back 2 left"],
  ["blank", "yes", "nothing"],
  ["blank", "yes", "Nothing will be in view."],
  ["wall", "yes", "bed 0 ahead 5 right ; lamp 2 back 4 right ; nothing will be in view"],
  ["turned", "no", "bed 0 ahead 5 left ; lamp 2 ahead 4 left ; nothing will be in view"],
  ["found", "yes", "bin 4 ahead 1 left"],
  // A guess that need not have been made, and a denial of what comes into view.
  ["found", "no", "bin 4 back 1 left"],
  ["found", "no", "Nothing will be in view."],
  ["found", "no", "No objects will be visible."],
  ["found", "no", "I will see nothing."],
  ["found", "no", "Nothing new will be in view."],
  // Nothing has been seen, so there is nothing to place; this says nothing of the view.
  ["found", "yes", "nothing"],
];

const SETS = [
  ["navigation", "observation", views],
  ["navigation", "prediction", arrivals],
  ["primitive-skill", "observation", workspaces],
  ["primitive-skill", "prediction", results],
  ["svg", "observation", shapes],
  ["svg", "prediction", pictures],
  ["spatial-gym", "observation", looks],
  ["spatial-gym", "prediction", turns],
] as const;

const worldCases: readonly WorldCase[] = SETS.flatMap(([envId, claim, rows]) =>
  rows.map(([truth, answer, text], i) => ({
    id: `${envId}/${claim}/${i + 1}`,
    envId,
    claim,
    isRight: answer === "yes",
    text,
    truth: TRUTHS[truth],
    before: BEFORE[truth] ?? TRUTHS[truth],
  })),
);

/** "Navigation, observation". */
const GROUPS: Groups<WorldCase> = SETS.map(([envId, claim]) => [
  `${envs.get(envId).title}, ${claim}`,
  (known) => known.envId === envId && known.claim === claim,
]);

/** How often the rule that judges claims about worlds gives the expected answer. */
export function measureWorlds(): Measured & { claims: number } {
  const verdicts = worldCases.map(({ envId, claim, text, truth, before }) =>
    judgeStatements(text, claim, truth, wordsOf(envId)!.claimRules!(OPTIONS[envId]), before),
  );
  return { ...measureVerdicts(worldCases, verdicts, GROUPS), claims: worldCases.length };
}

/** The options on which the rules depend. */
const OPTIONS = {
  navigation: { step_length: STEP, fov: 100 },
  "primitive-skill": { env_id: "StackThreeCube", camera: "close" },
  svg: {},
  "spatial-gym": { fov: 90 },
};
