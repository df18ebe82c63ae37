// VAGEN's four tasks: what lies where, what is asked, and when it is done. Lengths are in metres unless a name says millimetres.

import type { Vec3 } from "../../core/raster/solid.ts";
import type { Rng } from "../../core/rng.ts";
import { flatDistance, type Pose, plus, UPRIGHT } from "./geometry.ts";
import { APPLE_RADIUS, CABINET, type ObjectName } from "./mjcf.ts";
import type { Snapshot } from "./physics.ts";
import { cubesIn, uniform } from "./placement.ts";
import type { Workspace } from "./skills.ts";
import type { TaskId } from "./task-ids.ts";

/** What a task is judged by. */
export interface Scene {
  seen: Snapshot;
  /** For each object whether the fingers hold it. */
  grasped: readonly boolean[];
}

export interface Task {
  readonly id: TaskId;
  /** In millimetres. */
  readonly workspace: Workspace;
  /** Where the hand waits between skills. */
  readonly home: Vec3;
  readonly objects: readonly ObjectName[];
  readonly hasDrawer: boolean;
  /** How far the drawer is open at the start. */
  readonly drawer: number;
  /** The poses of the objects at the start. */
  place(random: Rng): Pose[];
  /** The positions that the agent is given, in the order of `LISTED`. */
  positions(scene: Scene): readonly Vec3[];
  /** Which stages are reached, in order; a later one can be reached without those before it. */
  stages(scene: Scene): readonly boolean[];
  /** Whether VAGEN's code counts the stages: it looks for names that only AlignTwoCube uses. */
  readonly stagesCountInVagen: boolean;
  succeeds(scene: Scene): boolean;
}

const CUBES: Workspace = [
  [-100, 150],
  [-200, 200],
  [10, 200],
];
const HOME: Vec3 = [0, 0, 0.3];

/** Targets of PlaceTwoCube: their middles and their radius. */
export const TARGETS = { left: [0.08, -0.1, 0], right: [0.08, 0.1, 0], radius: 0.05 } as const;

/** Both cubes count as aligned this close to x = 0, and no higher than this. */
const ALIGNED = { x: 0.01, z: 0.05 } as const;
const isAligned = (cube: Vec3): boolean => Math.abs(cube[0]) <= ALIGNED.x && Math.abs(cube[2]) <= ALIGNED.z;

const at = ({ seen }: Scene, object: number): Vec3 => seen.objects[object].position;

/** The positions of all objects, in their order. */
const places = ({ seen }: Scene): Vec3[] => seen.objects.map(({ position }) => position);

const align: Task = {
  id: "AlignTwoCube",
  workspace: CUBES,
  home: HOME,
  objects: ["red cube", "green cube"],
  hasDrawer: false,
  drawer: 0,
  // VAGEN draws the two independently, so that they may overlap, and the simulation would push them apart; here they keep the distance of
  // the other tasks.
  place: (random) =>
    cubesIn(random, [
      { x: [0.1, 0.15], y: [-0.2, 0.1] },
      { x: [0.1, 0.15], y: [0.1, 0.2] },
    ]),
  positions: places,
  stages: (scene) => [isAligned(at(scene, 0)), isAligned(at(scene, 1))],
  stagesCountInVagen: true,
  succeeds: (scene) => isAligned(at(scene, 0)) && isAligned(at(scene, 1)),
};

const isOnTarget = (cube: Vec3, target: Vec3): boolean => flatDistance(cube, target) <= TARGETS.radius;

const put: Task = {
  ...align,
  id: "PlaceTwoCube",
  place: (random) => cubesIn(random, Array(2).fill({ x: [-0.1, 0], y: [-0.1, 0.1] })),
  positions: (scene) => [TARGETS.left, TARGETS.right, ...places(scene)],
  stages: (scene) => [
    scene.grasped[0],
    isOnTarget(at(scene, 0), TARGETS.left) && !scene.grasped[0],
    scene.grasped[1],
  ],
  stagesCountInVagen: false,
  succeeds: (scene) =>
    isOnTarget(at(scene, 0), TARGETS.left) &&
    isOnTarget(at(scene, 1), TARGETS.right) &&
    !scene.grasped.includes(true),
};

/** Whether one cube lies on another, released. */
function isOn(scene: Scene, upper: number, lower: number): boolean {
  const [high, low] = [at(scene, upper), at(scene, lower)];
  return flatDistance(high, low) < 0.02 && high[2] - low[2] > 0.02 && !scene.grasped[upper];
}

const stack: Task = {
  ...put,
  id: "StackThreeCube",
  objects: ["red cube", "green cube", "purple cube"],
  place: (random) => cubesIn(random, Array(3).fill({ x: [-0.1, 0.15], y: [-0.2, 0.2] })),
  positions: places,
  stages: (scene) => [scene.grasped[0], isOn(scene, 0, 1), scene.grasped[2]],
  succeeds: (scene) => isOn(scene, 0, 1) && isOn(scene, 2, 0),
};

/** The point of the drawer that the agent is given, and its handle. */
export const drawerPoint = ({ drawer }: Snapshot): Vec3 => plus(CABINET.point, [0, drawer, 0]);
export const drawerHandle = ({ drawer }: Snapshot): Vec3 => plus(CABINET.handle, [0, drawer, 0]);

function isInDrawer(scene: Scene): boolean {
  const [apple, point] = [at(scene, 0), drawerPoint(scene.seen)];
  const isThere = Math.abs(apple[0] - point[0]) <= 0.1 && Math.abs(apple[1] - point[1]) <= 0.1;
  return isThere && apple[2] >= 0.1 && apple[2] <= 0.4 && !scene.grasped[0];
}

const store: Task = {
  id: "PutAppleInDrawer",
  workspace: [
    [-500, -100],
    [-600, 200],
    [10, 650],
  ],
  home: [0, 0, 0.65],
  objects: ["apple"],
  hasDrawer: true,
  drawer: 0.6 * CABINET.travel,
  place: (random) => [
    {
      position: [uniform(random, -0.15, -0.1), uniform(random, 0.1, 0.2), APPLE_RADIUS],
      rotation: UPRIGHT,
    },
  ],
  positions: (scene) => [...places(scene), drawerPoint(scene.seen)],
  stages: (scene) => [scene.grasped[0], isInDrawer(scene)],
  stagesCountInVagen: false,
  succeeds: (scene) => isInDrawer(scene) && scene.seen.drawer <= 0.1,
};

export const TASKS: Readonly<Record<TaskId, Task>> = {
  AlignTwoCube: align,
  PlaceTwoCube: put,
  StackThreeCube: stack,
  PutAppleInDrawer: store,
};

/** R of a success, and of each completed stage. */
const SUCCESS_VALUE = 10;
const STAGE_VALUE = 2;

/**
 * VAGEN's R: 10 at success, else 2 for each stage up to the highest one that is reached.
 * @param counted which tasks have stages: all, or as in VAGEN's code AlignTwoCube only.
 */
export function stageValue(task: Task, scene: Scene, counted: "all" | "reference"): number {
  if (task.succeeds(scene)) return SUCCESS_VALUE;
  if (counted === "reference" && !task.stagesCountInVagen) return 0;
  return STAGE_VALUE * (task.stages(scene).lastIndexOf(true) + 1);
}
