// The tasks of the ten sets: a home, an object in it, a start and an instruction. Each is a function of set and index alone.
import { type Rng, rng } from "../../core/rng.ts";
import { drawHome } from "./draw-home.ts";
import { type Ground, groundOf, isFree } from "./ground.ts";
import { FAMILIES, type Family, type Home, type Thing } from "./home.ts";
import { instruct } from "./instructions.ts";
import { isKind, type Kind } from "./kinds.ts";
import { squaredDistanceTo, walkingPlan } from "./plan.ts";
import { AHEAD, cameraOf, GRID, type Pose, type Quarter, tangentOf, turned } from "./pose.ts";
import { type Split, splitOf, stylesOf, TASK_COUNTS, type TaskSet } from "./task-sets.ts";
import { LEAST_PIXELS } from "./truth.ts";
import { pixelsThrough } from "./view.ts";

/** A home with its free ground, which is computed once. */
interface Place {
  home: Home;
  ground: Ground;
}

export interface Task {
  family: Family;
  /** Seed of the home; no home is in both splits. In imported homes, the seed of the task. */
  homeSeed: number;
  place: Place;
  /** Index of the object that is to be reached. It is the only one of its kind in the home. */
  target: number;
  start: Pose;
  instruction: string;
}

/** What start poses of a split are like. */
interface StartRules {
  /** Least and largest distance to the target, in centimetres. */
  least: number;
  most: number;
  /** The agent faces the target and sees it; otherwise it looks anywhere. */
  faces: boolean;
}

/**
 * VAGEN: evaluation tasks begin 2.51 to 3.00 m from the target, training tasks at least 2.0 m, looking anywhere. Those of
 * evaluation face the target here, unless the set is long_horizon.
 */
const STARTS: Readonly<Record<Split, StartRules>> = {
  eval: { least: 251, most: 300, faces: true },
  train: { least: 200, most: Number.POSITIVE_INFINITY, faces: false },
};

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
/** Places that are tried as a start, free or not. */
const START_TRIES = 300;
/** The picture in which a target must show at the start: the default of `resolution` and `fov`. */
const PICTURE = { size: 64, tangent: tangentOf(100) };
/** Seeds of homes: of training from 0 on, of evaluation from here on; a home that is drawn again moves on by `NEXT_TRY`. */
const EVAL_HOMES = 1_000_000;
const NEXT_TRY = 10_000;

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
  const styles = stylesOf(set);
  const style = styles[Math.floor(at / homes) % styles.length]!;
  const rules = split === "train" && facing ? { ...STARTS.train, faces: true } : STARTS[split];
  const task = situationOf(split, at, homes, rules);
  const { kind, color } = task.place.home.things[task.target];
  // The same words in base and long_horizon.
  const words = rng(at).fork(`${split} ${style === "long_horizon" ? "base" : style}`);
  return {
    ...task,
    start: style === "long_horizon" ? facingAway(task) : task.start,
    instruction: instruct(style, kind as Kind, color, split, words),
  };
}

/** Tasks of the four families alternate, so they are kept in fours: every second task would be of two families only. */
const keptAt = (index: number, every: number): number =>
  Math.floor(index / FAMILIES.length) * FAMILIES.length * every + (index % FAMILIES.length);

type Situation = Omit<Task, "instruction">;

/** Situations that were found last: the episodes of a group begin in the same one. */
const recent = new Map<string, Situation>();
const MOST_RECENT = 64;

/** Home, target and start, which the sets of a split share. */
function situationOf(split: Split, index: number, homes: number, rules: StartRules): Situation {
  const key = `${split} ${index} ${homes} ${rules.faces}`;
  const known = recent.get(key);
  if (known) return known;
  const situation = findSituation(split, index, homes, rules);
  if (recent.size >= MOST_RECENT) recent.delete([...recent.keys()][0]);
  recent.set(key, situation);
  return situation;
}

function findSituation(split: Split, index: number, homes: number, rules: StartRules): Situation {
  const number = index % homes;
  const family = FAMILIES[number % FAMILIES.length];
  for (let seed = (split === "eval" ? EVAL_HOMES : 0) + number; ; seed += NEXT_TRY) {
    const found = situationIn(family, seed, rules, Math.floor(index / homes));
    if (found) return found;
  }
}

/** The situation of a number in a home, or null if the home does not serve. */
function situationIn(family: Family, homeSeed: number, rules: StartRules, number: number): Situation | null {
  const home = drawHome(family, homeSeed);
  const candidates = targetsOf(home);
  if (candidates.length < LEAST_TARGETS) return null;
  const place = placeOf(home);
  const random = rng(homeSeed).fork("targets");
  let left = number;
  for (const target of random.shuffle(candidates)) {
    const start = drawStart(place, target, rules, random.fork(`start ${target}`));
    if (start && left-- === 0) return { family, homeSeed, place, target, start };
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
type Area = Pick<Ground, "x0" | "z0" | "cols" | "rows">;

/** A random start from which the target can be reached, or null if none is found in an area. */
function drawStart(
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
  pixelsThrough(home, cameraOf(pose, PICTURE.tangent), PICTURE.size)[target] >= LEAST_PIXELS;

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

/** Places of imported homes, for as long as the homes are in use. */
const places = new WeakMap<Home, Place>();

function placeIn(home: Home): Place {
  const place = places.get(home) ?? placeOf(home);
  places.set(home, place);
  return place;
}

/** Farthest that a walk can lead in time, in centimetres, under the constants of either generation. */
const FARTHEST = Math.min(...GENERATIONS.map(({ step, reach }) => LONGEST_WALK * step * GRID + reach));

/** The part of an imported home in which a walk to the target may begin. Houses are large, and most of their places are too far. */
function areaAround({ ground }: Place, { x, z }: Thing, { most }: StartRules): Area {
  const reach = Math.min(most, FARTHEST);
  const x0 = Math.max(ground.x0, Math.ceil((x - reach) / GRID));
  const z0 = Math.max(ground.z0, Math.ceil((z - reach) / GRID));
  return {
    x0,
    z0,
    cols: Math.min(ground.x0 + ground.cols, Math.floor((x + reach) / GRID) + 1) - x0,
    rows: Math.min(ground.z0 + ground.rows, Math.floor((z + reach) / GRID) + 1) - z0,
  };
}

/** Draws that are made until one finds a task, each in every home. */
const MOST_DRAWS = 10;

/**
 * The task of a seed in imported homes: the seed chooses home, target, start and words. The next home takes the place of one in which
 * no object can be the target under the rules of the set; null if none of them serves.
 */
export function taskIn(homes: readonly Home[], set: TaskSet, seed: number, facing = false): Task | null {
  const split = splitOf(set);
  const rules = split === "train" && facing ? { ...STARTS.train, faces: true } : STARTS[split];
  const situation = situationAmong(homes, seed, rules);
  if (!situation) return null;
  const styles = stylesOf(set);
  const style = styles[Math.floor(seed / homes.length) % styles.length]!;
  const { kind, color } = situation.place.home.things[situation.target];
  const words = rng(seed).fork(`${split} ${style === "long_horizon" ? "base" : style}`);
  return {
    ...situation,
    start: style === "long_horizon" ? facingAway(situation) : situation.start,
    instruction: instruct(style, kind as Kind, color, split, words),
  };
}

/** Whether training can have a task in a home. */
export const isPlayable = (home: Home): boolean => situationAmong([home], 0, STARTS.train) !== null;

function situationAmong(homes: readonly Home[], seed: number, rules: StartRules): Situation | null {
  const random = rng(seed).fork("task");
  for (let draw = 0; draw < MOST_DRAWS; draw++)
    for (let i = 0; i < homes.length; i++) {
      const found = anySituation(homes[(seed + i) % homes.length]!, seed, rules, random);
      if (found) return found;
    }
  return null;
}

function anySituation(home: Home, seed: number, rules: StartRules, random: Rng): Situation | null {
  const place = placeIn(home);
  for (const target of random.shuffle(targetsOf(home))) {
    const thing = home.things[target];
    const start = drawStart(place, target, rules, random, areaAround(place, thing, rules));
    if (start) return { family: home.rooms[thing.room].family, homeSeed: seed, place, target, start };
  }
  return null;
}
