// For tests: homes that are written down, and ways to play in them.

import { EFFECTS } from "./actions.ts";
import { type Home, type Thing, thingOf } from "./home.ts";
import type { Kind } from "./kinds.ts";
import { factsOf, isKind } from "./kinds.ts";
import { isReached, shortestPlan, squaredDistanceTo } from "./plan.ts";
import { AHEAD, type Pose, type Quarter, tangentOf, turned } from "./pose.ts";
import type { Task } from "./tasks.ts";
import { isShown } from "./truth.ts";
import { look } from "./view.ts";

/** Tangent of half of VAGEN's field of view. */
export const TANGENT = tangentOf(100);

/** Step in steps of the grid and success distance in centimetres of both generations. */
export const RULES = { lite: { step: 3, reach: 100 }, legacy: { step: 5, reach: 150 } } as const;
export type Rules = (typeof RULES)[keyof typeof RULES];

/** A thing in the first room. */
export const put = (kind: Kind, x: number, z: number, turn: Quarter = 0): Thing =>
  thingOf(kind, factsOf(kind).colors[0], { x, z, turn, room: 0 });

/** One room of 6 by 6 metres with the given things, and beside it another of 3 by 6 behind a closed wall. */
export const twoRooms = (things: readonly Thing[], openings: Home["openings"] = []): Home => ({
  rooms: [
    {
      family: "living room",
      polygon: [
        [0, 0],
        [600, 0],
        [600, 600],
        [0, 600],
      ],
    },
    {
      family: "bathroom",
      polygon: [
        [600, 0],
        [900, 0],
        [900, 600],
        [600, 600],
      ],
    },
  ],
  openings,
  things,
  height: 250,
});

/** A passage through the wall between the two rooms. */
export const PASSAGE = { x0: 594, x1: 606, z0: 250, z1: 350, top: 210 } as const;

/** Whether a walk along a shortest way to the object of an index passes close enough to the target of the task. */
export function succeedsBy({ place, start, target }: Task, goal: number, { step, reach }: Rules): boolean {
  const { home, ground } = place;
  const plan = shortestPlan(ground, start, { ...home.things[goal], reach }, step) ?? [];
  let { x, z } = start;
  const isThere = () => isReached({ ...home.things[target], reach }, x, z);
  for (const action of plan.slice(0, 30)) {
    const effect = EFFECTS[action];
    if (!("move" in effect)) throw new Error("a shortest plan does not turn");
    const [dx, dz] = AHEAD[turned(start.yaw, effect.move)];
    x += dx * step;
    z += dz * step;
    if (isThere()) return true;
  }
  return isThere();
}

/** Indices of the objects that show from a pose, nearest first. */
export function seenFrom({ place: { home } }: Task, pose: Pose): number[] {
  const { pixels } = look(home, pose, 64, TANGENT);
  const distance = (index: number) => squaredDistanceTo(home.things[index], pose.x, pose.z);
  return objectsOf(home)
    .filter((index) => isShown(pixels[index], 64))
    .sort((a, b) => distance(a) - distance(b));
}

/** Indices of the things that an instruction could mean. */
export const objectsOf = ({ things }: Home): number[] =>
  things.flatMap(({ kind }, i) => (isKind(kind) ? [i] : []));
