// Tasks in imported homes: the seed chooses one of the homes, and what is to be reached there.
import { type Rng, rng } from "../../core/rng.ts";
import type { Home, Thing } from "./home.ts";
import { GRID } from "./pose.ts";
import { rulesFor, type StartRules, splitOf, type TaskSet } from "./task-sets.ts";
import {
  type Area,
  drawStart,
  FARTHEST,
  type Place,
  placeOf,
  type Situation,
  type Task,
  targetsOf,
  taskFrom,
} from "./tasks.ts";

/** Draws that are made until one finds a task, each in every home. */
const MOST_DRAWS = 10;

/**
 * The task of a seed in imported homes: the seed chooses home, target, start and words. The next home takes the place of one in which
 * no object can be the target under the rules of the set; null if none of them serves.
 */
export function taskIn(homes: readonly Home[], set: TaskSet, seed: number, facing = false): Task | null {
  const situation = situationAmong(homes, seed, rulesFor(splitOf(set), facing));
  return (
    situation &&
    taskFrom(situation, set, { round: Math.floor(seed / homes.length), number: seed % homes.length, seed })
  );
}

/** Whether training can have a task in a home. */
export const isPlayable = (home: Home): boolean => situationAmong([home], 0, rulesFor("train")) !== null;

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
    if (start) return { family: home.rooms[thing.room].family, seed, place, target, start };
  }
  return null;
}

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

/** Places of imported homes, for as long as the homes are in use. */
const places = new WeakMap<Home, Place>();

function placeIn(home: Home): Place {
  const place = places.get(home) ?? placeOf(home);
  places.set(home, place);
  return place;
}
