// A planner of skills. It looks at a scene and chooses the next skill; `planFrom` carries each one out in the simulation before it
// chooses the next, so a plan that it returns does succeed.
import { minus, type Vec3 } from "../../core/raster/solid.ts";
import { flatDistance, plus, times } from "./geometry.ts";
import type { Outcome } from "./motion.ts";
import type { PhysicsState } from "./physics.ts";
import { clipped, clippedPoint, type Skill, type SkillName, skillText } from "./skills.ts";
import type { TaskId } from "./task-ids.ts";
import { drawerHandle, drawerPoint, type Scene, TARGETS, type Task } from "./tasks.ts";

/** A skill of a plan with what it leads to. */
export interface PlannedSkill {
  action: string;
  before: PhysicsState;
  outcome: Outcome;
}

/** Where a plan begins and ends. */
interface PlanOptions {
  /** The physics of `scene`. */
  state: PhysicsState;
  scene: Scene;
  /** Most skills that it may have. */
  most: number;
  /** It ends after this many skills, even if more are needed to solve the task. */
  needed: number;
  /** What a skill leads to; null ends the planning. */
  simulate: (state: PhysicsState, skill: Skill) => Outcome | null;
}

/** A sequence of skills that solves the task, or its beginning; null when none of at most `most` skills is found. */
export function planFrom(task: Task, options: PlanOptions): PlannedSkill[] | null {
  const { state, scene, most, needed, simulate } = options;
  const plan: PlannedSkill[] = [];
  let [before, now] = [state, scene];
  while (!task.succeeds(now) && plan.length < needed) {
    const skill = plan.length < most ? nextSkill(now, task) : null;
    if (!skill) return null;
    const within = clipped(skill, task.workspace);
    const outcome = simulate(before, within);
    if (!outcome) return null;
    plan.push({ action: skillText(within), before, outcome });
    before = outcome.state;
    now = outcome;
  }
  return plan;
}

/** Height of a cube's middle on the table, and between the middles of stacked cubes. */
const ON_TABLE = 0.02;
const STACKED = 0.042;
/** Other cubes stay out of this box around a place where the fingers go down: half its length in x and y. */
const CLEAR = { x: 0.045, y: 0.095 } as const;
/** How far outside the workspace the middle of an object may lie and still be grasped: along the pads, and between them. */
const REACH = { x: 0.022, y: 0.014 } as const;
/** Another cube this near stands where a finger would go down. */
const CROWDED = { x: 0.036, y: 0.083 } as const;
/** How far a finger goes on behind the place where the middle of the pushed object was. */
const SHOVE = 0.03;
/** From the point between the pads to the middle of an open finger, and to its outer side. */
const FINGER = 0.0475;
const FINGER_REACH = 0.055;

const skill = (name: SkillName, ...points: readonly Vec3[]): Skill => ({
  name,
  points: points.map((point): Vec3 => {
    const [x, y, z] = times(point, 1000);
    // Plus 0: a negative zero would not come back from the text.
    return [Math.round(x) + 0, Math.round(y) + 0, Math.round(z) + 0];
  }),
});

function nextSkill(scene: Scene, task: Task): Skill | null {
  const { hand } = scene.seen;
  const isHome = minus(hand, task.home).every((way) => Math.abs(way) < AWAY);
  // A hand that was blocked on its way home comes free by going straight up, which is how placing begins.
  if (!isHome && !scene.grasped.includes(true)) return skill("place", [hand[0], hand[1], task.home[2]]);
  return NEXT[task.id](scene, task);
}

/** Distance from home, along an axis, from which the hand did not come home. */
const AWAY = 0.02;

const at = ({ seen }: Scene, object: number): Vec3 => seen.objects[object].position;

/** Picks up an object, or what lies on it; pushes it aside first if another stands too near. Null if it lies out of reach. */
function pick(scene: Scene, task: Task, object: number): Skill | null {
  const top = topmost(scene, object);
  const position = at(scene, top);
  const nearest = times(clippedPoint(times(position, 1000), task.workspace), 0.001);
  const away = minus(position, nearest);
  if (Math.abs(away[0]) > REACH.x || Math.abs(away[1]) > REACH.y) return null;
  const crowding = scene.seen.objects.find((other, i) => i !== top && isCrowding(other.position, position));
  return crowding ? pushAside(task, position, crowding.position) : skill("pick", position);
}

/** Whether one object stands where a finger would go down beside another. */
function isCrowding(other: Vec3, position: Vec3): boolean {
  const [x, y, z] = minus(other, position);
  return Math.abs(x) < CROWDED.x && Math.abs(y) < CROWDED.y && Math.abs(z) < 0.025;
}

/** Pushes an object along x with one finger, away from another; the other finger stays outside. */
function pushAside(task: Task, position: Vec3, from: Vec3): Skill {
  const side = position[1] < from[1] ? -1 : 1;
  const away = position[0] < from[0] ? -1 : 1;
  const [low, high] = task.workspace[0];
  const end = position[0] + away * (SHOVE + 0.03);
  const along = end * 1000 < low || end * 1000 > high ? -away : away;
  const line = position[1] + side * FINGER;
  return skill(
    "push",
    [position[0] - along * 0.05, line, ON_TABLE],
    [position[0] + along * SHOVE, line, ON_TABLE],
  );
}

/** Puts down the object that the hand holds so that its middle comes to a place. */
const place = (scene: Scene, object: number, to: Vec3): Skill =>
  skill("place", plus(to, minus(scene.seen.hand, at(scene, object))));

/** The object that lies on top of everything above an object, or the object. */
function topmost(scene: Scene, object: number): number {
  const upper = scene.seen.objects.findIndex((_, other) => other !== object && isAbove(scene, other, object));
  return upper < 0 ? object : topmost(scene, upper);
}

const isAbove = (scene: Scene, upper: number, lower: number): boolean =>
  flatDistance(at(scene, upper), at(scene, lower)) < 0.035 &&
  at(scene, upper)[2] - at(scene, lower)[2] > 0.025;

/** Whether the fingers can put an object down at a place without touching another. */
const isFree = (scene: Scene, object: number, place: Vec3): boolean =>
  scene.seen.objects.every(
    ({ position }, other) =>
      other === object ||
      Math.abs(position[0] - place[0]) > CLEAR.x ||
      Math.abs(position[1] - place[1]) > CLEAR.y,
  );

/** Places on the table to put something aside, in an order that keeps the targets free for longest. */
const ASIDE: readonly Vec3[] = [-0.06, 0.01, 0.08].flatMap((x) =>
  [0, -0.17, 0.17, -0.08, 0.08].map((y): Vec3 => [x, y, ON_TABLE]),
);

function putAside(scene: Scene, object: number): Skill | null {
  const to = ASIDE.find((place) => isFree(scene, object, place));
  return to ? place(scene, object, to) : null;
}

function nextAligned(scene: Scene, task: Task): Skill | null {
  const held = scene.grasped.indexOf(true);
  if (held >= 0) {
    const y = clippedPoint(times(at(scene, held), 1000), task.workspace)[1] / 1000;
    const to = [y, -0.15, 0.15, -0.05, 0.05, 0].map((y): Vec3 => [0, y, ON_TABLE]);
    const free = to.find((place) => isFree(scene, held, place));
    return free ? place(scene, held, free) : null;
  }
  const left = task.stages(scene).indexOf(false);
  return left < 0 ? null : pick(scene, task, left);
}

const TARGET_OF: readonly Vec3[] = [TARGETS.left, TARGETS.right];
/** Places on a target, from its middle. */
const ON_TARGET: readonly Vec3[] = [
  [0, 0, ON_TABLE],
  [-0.035, 0, ON_TABLE],
  [0.035, 0, ON_TABLE],
  [0, -0.035, ON_TABLE],
  [0, 0.035, ON_TABLE],
];

function nextPlaced(scene: Scene, task: Task): Skill | null {
  const held = scene.grasped.indexOf(true);
  const freeFor = (cube: number) =>
    ON_TARGET.map((from) => plus(TARGET_OF[cube], from)).find((place) => isFree(scene, cube, place));
  if (held >= 0) {
    const to = freeFor(held);
    return to ? place(scene, held, to) : putAside(scene, held);
  }
  const left = [0, 1].filter((cube) => flatDistance(at(scene, cube), TARGET_OF[cube]) > TARGETS.radius);
  if (left.length === 0) return null;
  // A cube whose target is taken waits for the other cube, which then must be the one that takes it.
  return pick(scene, task, left.find((cube) => freeFor(cube)) ?? left[0]);
}

const [RED, GREEN, PURPLE] = [0, 1, 2];

function nextStacked(scene: Scene, task: Task): Skill | null {
  const held = scene.grasped.indexOf(true);
  const redIsOn = held !== RED && isAbove(scene, RED, GREEN);
  // Purple must come out from under green before the stack is built.
  const purpleIsUnder = held !== GREEN && isAbove(scene, GREEN, PURPLE);
  if (held >= 0) {
    const base = held === RED && !purpleIsUnder ? GREEN : held === PURPLE && redIsOn ? RED : -1;
    const isBare = base >= 0 && topmost({ ...scene, seen: without(scene, held) }, base) === base;
    return isBare ? place(scene, held, plus(at(scene, base), [0, 0, STACKED])) : putAside(scene, held);
  }
  if (redIsOn || purpleIsUnder) return pick(scene, task, PURPLE);
  // The palm would hit the stack if purple were pushed away from it later.
  if (isCrowding(at(scene, PURPLE), at(scene, GREEN)))
    return pushAside(task, at(scene, PURPLE), at(scene, GREEN));
  // What lies on green must go before red can lie there.
  const onGreen = topmost(scene, GREEN);
  return pick(scene, task, onGreen === GREEN ? RED : onGreen);
}

/** The scene with an object far away. */
const without = ({ seen }: Scene, object: number): Scene["seen"] => ({
  ...seen,
  objects: seen.objects.map((pose, i) => (i === object ? { ...pose, position: [9, 9, 9] } : pose)),
});

function nextStored(scene: Scene, task: Task): Skill | null {
  const [x, y] = drawerPoint(scene.seen);
  // Farther to the left the palm would touch the cabinet.
  if (scene.grasped[0]) return place(scene, 0, [x, Math.max(y, -0.57), 0.24]);
  if (!task.stages(scene)[1]) return pick(scene, task, 0);
  const handle = drawerHandle(scene.seen);
  const start = plus(handle, [0, FINGER_REACH + 0.03, 0]);
  return skill("push", start, [handle[0], -0.57, handle[2]]);
}

const NEXT: Readonly<Record<TaskId, (scene: Scene, task: Task) => Skill | null>> = {
  AlignTwoCube: nextAligned,
  PlaceTwoCube: nextPlaced,
  StackThreeCube: nextStacked,
  PutAppleInDrawer: nextStored,
};
