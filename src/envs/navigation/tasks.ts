// The tasks of the sets: a home, an object in it, a start and an instruction. Each is a function of set and index alone.
import { keepLast } from "../../core/keep-last.ts";
import { type Rng, rng } from "../../core/rng.ts";
import { drawHome } from "./draw-home.ts";
import { type Ground, groundOf, isFree } from "./ground.ts";
import { FAMILIES, type Family, type Home } from "./home.ts";
import { instruct } from "./instructions.ts";
import { isKind, type Kind } from "./kinds.ts";
import { squaredDistanceTo, walkingPlan } from "./plan.ts";
import { AHEAD, cameraOf, GRID, type Pose, type Quarter, tangentOf, turned } from "./pose.ts";
import {
  rulesFor,
  type Split,
  type StartRules,
  splitOf,
  styleOf,
  TASK_COUNTS,
  type TaskSet,
} from "./task-sets.ts";
import { isShown } from "./truth.ts";
import { pixelsThrough } from "./view.ts";

/** A home with its free ground, which is computed once. */
export interface Place {
  home: Home;
  ground: Ground;
}

export interface Task {
  family: Family;
  /** Seed of the home; no home is in both splits. In imported homes, the seed of the task. */
  seed: number;
  place: Place;
  /** Index of the object that is to be reached. It is the only one of its kind in the home. */
  target: number;
  start: Pose;
  instruction: string;
}

/** Tasks with different targets in each home of the training sets. VAGEN has 60 scenes with 20 tasks each. */
const TASKS_PER_HOME = 4;
/** Homes with fewer objects to choose from are drawn again. */
const LEAST_TARGETS = 5;
/** Actions that an agent may need which only turns and steps ahead: it has 30, and some are for looking round. */
const LONGEST_WALK = 24;
/** Step (in steps of the grid) and success distance (in centimetres) of both generations: a task is solvable under either. */
const GENERATIONS = [
  { step: 3, reach: 100 },
  { step: 5, reach: 150 },
] as const;
/** Farthest that a walk can lead in time, in centimetres, under the constants of either generation. */
export const FARTHEST = Math.min(...GENERATIONS.map(({ step, reach }) => LONGEST_WALK * step * GRID + reach));
/** Places that are tried as a start, free or not. */
const START_TRIES = 300;
/** The picture in which a target must show at the start: the default of `resolution` and `fov`. */
const PICTURE = { size: 64, tangent: tangentOf(100) };
/** Seeds of homes: of training from 0 on, of evaluation from here on. No set has more homes than this. */
const EVAL_HOMES = 1_000_000;
/**
 * How far the seed of a home that does not serve moves on. Modulo this number, the seed stays that of the home's first draw, so a
 * home that is drawn again is never one of another number or split, whatever the number of tasks.
 */
const NEXT_TRY = 2 * EVAL_HOMES;

/** Which of a set's tasks are played. */
interface Selection {
  /** Only one in so many tasks is kept, and counted. */
  every?: number;
  /** Tasks of a training set. */
  trainingTasks?: number;
  /** Whether training tasks begin facing the target, too. */
  facing?: boolean;
}

/** The task of a set at an index, which is taken modulo the number of tasks as VAGEN does. */
export function taskOf(
  set: TaskSet,
  index: number,
  { every = 1, trainingTasks = TASK_COUNTS.train, facing = false }: Selection = {},
): Task {
  const split = splitOf(set);
  const tasks = split === "eval" ? TASK_COUNTS.eval : trainingTasks;
  const at = keptAt(index % Math.ceil(tasks / every), every);
  const homes = split === "eval" ? tasks : Math.ceil(tasks / TASKS_PER_HOME);
  const situation = situationOf(split, at, homes, rulesFor(split, facing));
  return taskFrom(situation, set, { round: Math.floor(at / homes), number: at % homes, seed: at });
}

/**
 * The task of a set in a situation: its instruction, and for `long_horizon` the start with the back to the target. `number` is the home's,
 * `round` counts the times that each home has been used before (`styleOf`); `seed` draws the words.
 */
export function taskFrom(
  situation: Situation,
  set: TaskSet,
  { round, number, seed }: { round: number; number: number; seed: number },
): Task {
  const split = splitOf(set);
  const style = styleOf(set, round, number);
  const { kind, color } = situation.place.home.things[situation.target];
  // The same words in base and long_horizon.
  const words = rng(seed).fork(`${split} ${style === "long_horizon" ? "base" : style}`);
  return {
    ...situation,
    start: style === "long_horizon" ? facingAway(situation) : situation.start,
    instruction: instruct(style, kind as Kind, color, split, words),
  };
}

/** Tasks of the four families alternate, so they are kept in fours: every second task would be of two families only. */
const keptAt = (index: number, every: number): number =>
  Math.floor(index / FAMILIES.length) * FAMILIES.length * every + (index % FAMILIES.length);

/** A task without its words. */
export type Situation = Omit<Task, "instruction">;

/** The episodes of a group begin in the same situation. */
const recall = keepLast<Situation>(64);

/** Home, target and start, which the sets of a split share. */
const situationOf = (split: Split, index: number, homes: number, rules: StartRules): Situation =>
  recall(`${split} ${index} ${homes} ${rules.faces}`, () => findSituation(split, index, homes, rules));

function findSituation(split: Split, index: number, homes: number, rules: StartRules): Situation {
  const number = index % homes;
  const family = FAMILIES[number % FAMILIES.length];
  for (let seed = (split === "eval" ? EVAL_HOMES : 0) + number; ; seed += NEXT_TRY) {
    const found = situationIn(family, seed, rules, Math.floor(index / homes));
    if (found) return found;
  }
}

/** The situation of a number in a home, or null if the home does not serve. */
function situationIn(family: Family, seed: number, rules: StartRules, number: number): Situation | null {
  const home = drawHome(family, seed);
  const candidates = targetsOf(home);
  if (candidates.length < LEAST_TARGETS) return null;
  const place = placeOf(home);
  const random = rng(seed).fork("targets");
  let left = number;
  for (const target of random.shuffle(candidates)) {
    const start = drawStart(place, target, rules, random.fork(`start ${target}`));
    if (start && left-- === 0) return { family, seed, place, target, start };
  }
  return null;
}

export const placeOf = (home: Home): Place => ({ home, ground: groundOf(home) });

/** Objects that an instruction can mean without doubt: the only ones of their kind. */
export function targetsOf({ things }: Home): number[] {
  const isOnly = (kind: string) => things.filter((thing) => thing.kind === kind).length === 1;
  return things.flatMap(({ kind }, i) => (isKind(kind) && isOnly(kind) ? [i] : []));
}

/** Places of the grid, free or not. */
export type Area = Pick<Ground, "x0" | "z0" | "cols" | "rows">;

/** A random start from which the target can be reached, or null if none is found in an area. */
export function drawStart(
  { home, ground }: Place,
  target: number,
  rules: StartRules,
  random: Rng,
  { x0, z0, cols, rows }: Area = ground,
): Pose | null {
  const thing = home.things[target];
  for (let i = 0; i < START_TRIES; i++) {
    const at = random.int(cols * rows);
    const x = (at % cols) + x0;
    const z = Math.floor(at / cols) + z0;
    if (!isFree(ground, x, z)) continue;
    const squared = squaredDistanceTo(thing, x, z);
    if (squared < rules.least * rules.least || squared > rules.most * rules.most) continue;
    const yaw = rules.faces ? facing(x, z, thing) : (random.int(4) as Quarter);
    const pose: Pose = { x, z, yaw, tilt: 0 };
    if (!isWithinReach(ground, pose, thing)) continue;
    if (!rules.faces || sees(home, pose, target)) return pose;
  }
  return null;
}

/** Whether the target can be reached in time, from any yaw, under the constants of both generations. */
const isWithinReach = (ground: Ground, pose: Pose, { x, z }: { x: number; z: number }): boolean =>
  GENERATIONS.every(({ step, reach }) => {
    const plan = walkingPlan(ground, pose, { x, z, reach }, step);
    return plan !== null && plan.length <= LONGEST_WALK;
  });

const sees = (home: Home, pose: Pose, target: number): boolean =>
  isShown(pixelsThrough(home, cameraOf(pose, PICTURE.tangent), PICTURE.size)[target], PICTURE.size);

/** The yaw from a place, in steps of `GRID`, that is closest to the direction of another, in centimetres. */
function facing(x: number, z: number, to: { x: number; z: number }): Quarter {
  const [dx, dz] = [to.x - x * GRID, to.z - z * GRID];
  const ahead = AHEAD.map(([ax, az]) => ax * dx + az * dz);
  return ahead.indexOf(Math.max(...ahead)) as Quarter;
}

/** The start with the back to the target: VAGEN's long_horizon takes the cardinal yaw closest to it. */
function facingAway({ start, place, target }: Situation): Pose {
  return { ...start, yaw: turned(facing(start.x, start.z, place.home.things[target]), 2) };
}
