// Shortest plans over poses, by breadth-first search under the real moves.
import { EFFECTS } from "./actions.ts";
import { type Ground, isFreeMove } from "./ground.ts";
import { AHEAD, GRID, offsetTo, type Pose, turned } from "./pose.ts";

/** Where success is: within a horizontal distance of a place, in centimetres. */
export interface Goal {
  x: number;
  z: number;
  reach: number;
}

/** Whether a place, in steps of `GRID`, is close enough. In integers and halves, so there is no rounding at the border. */
export const isReached = (goal: Goal, x: number, z: number): boolean =>
  squaredDistanceTo(goal, x, z) <= goal.reach * goal.reach;

/** Squared horizontal distance from a place, in steps of `GRID`, in square centimetres. */
export const squaredDistanceTo = (to: { x: number; z: number }, x: number, z: number): number =>
  (to.x - x * GRID) * (to.x - x * GRID) + (to.z - z * GRID) * (to.z - z * GRID);

/** The four steps: with them alone, every place is reached as fast as with turns, because the agent can step to each side. */
const STEPS = [0, 1, 2, 3];
/** A step ahead and the two turns. */
const WALKING = [0, 4, 5];

/**
 * A shortest plan to the goal, as indices of actions; null if there is none. It never turns, as steps to the side and back are
 * as long as steps ahead. Of all shortest plans it is one whose steps keep the goal in the quarter ahead as often as possible, so
 * that the agent sees where it goes.
 * @param step length of a step in steps of `GRID`.
 */
export const shortestPlan = (ground: Ground, pose: Pose, goal: Goal, step: number): number[] | null =>
  search(ground, pose, goal, step, STEPS, (x, z) => {
    const [ahead, right] = offsetTo({ x, z, yaw: pose.yaw }, goal);
    return Math.abs(right) <= ahead ? 0 : 1;
  });

/** A shortest plan among those that only turn and step ahead, so that the agent sees where it goes. */
export const walkingPlan = (ground: Ground, pose: Pose, goal: Goal, step: number): number[] | null =>
  search(ground, pose, goal, step, WALKING);

/** Memory of the last search, which the next one uses again: tasks are drawn with many searches. */
let scratch = {
  /** One more than the action that led to a state; 0 where none has. */
  reachedBy: new Uint8Array(0),
  cameFrom: new Int32Array(0),
  /** Actions that lead to a state, and what the places on the way cost. */
  depth: new Uint16Array(0),
  cost: new Uint16Array(0),
  queue: new Int32Array(0),
};

function clearedScratch(states: number): typeof scratch {
  if (scratch.queue.length < states)
    scratch = {
      reachedBy: new Uint8Array(states),
      cameFrom: new Int32Array(states),
      depth: new Uint16Array(states),
      cost: new Uint16Array(states),
      queue: new Int32Array(states),
    };
  scratch.reachedBy.fill(0, 0, states);
  return scratch;
}

/** Of the plans with the fewest actions, one whose places cost least. @param costOf what it costs to stand at a place. */
function search(
  ground: Ground,
  start: Pose,
  goal: Goal,
  step: number,
  actions: readonly number[],
  costOf: (x: number, z: number) => number = () => 0,
): number[] | null {
  if (isReached(goal, start.x, start.z)) return [];
  const { x0, z0, cols, rows } = ground;
  const { reachedBy, cameFrom, depth, cost, queue } = clearedScratch(cols * rows * 4);
  const first = ((start.z - z0) * cols + start.x - x0) * 4 + start.yaw;
  queue[0] = first;
  reachedBy[first] = 255;
  depth[first] = cost[first] = 0;
  const ends: number[] = [];
  for (let head = 0, tail = 1; head < tail; head++) {
    const state = queue[head];
    // All states from which the goal is one action away have been looked at.
    if (ends.length > 0 && depth[state] === depth[ends[0]]) break;
    for (const action of actions) {
      const next = after(ground, state, action, step);
      if (next < 0 || (reachedBy[next] && depth[next] <= depth[state])) continue;
      const place = next >> 2;
      const [x, z] = [(place % cols) + x0, Math.floor(place / cols) + z0];
      const total = cost[state] + costOf(x, z);
      if (reachedBy[next] && cost[next] <= total) continue;
      if (!reachedBy[next]) {
        queue[tail++] = next;
        if (isReached(goal, x, z)) ends.push(next);
      }
      reachedBy[next] = action + 1;
      cameFrom[next] = state;
      depth[next] = depth[state] + 1;
      cost[next] = total;
    }
  }
  if (ends.length === 0) return null;
  const best = ends.reduce((least, end) => (cost[end] < cost[least] ? end : least));
  return trace(reachedBy, cameFrom, best, first);
}

/** The state after an action: four times the place and the yaw; −1 if the way is blocked. */
function after(ground: Ground, state: number, action: number, step: number): number {
  const effect = EFFECTS[action];
  const yaw = state & 3;
  const place = state >> 2;
  if ("turn" in effect) return place * 4 + turned(yaw, effect.turn);
  if (!("move" in effect)) return -1;
  const [dx, dz] = AHEAD[turned(yaw, effect.move)];
  const x = (place % ground.cols) + ground.x0;
  const z = Math.floor(place / ground.cols) + ground.z0;
  if (!isFreeMove(ground, x, z, dx, dz, step)) return -1;
  return (place + step * (dx + dz * ground.cols)) * 4 + yaw;
}

function trace(reachedBy: Uint8Array, cameFrom: Int32Array, last: number, first: number): number[] {
  const plan: number[] = [];
  for (let state = last; state !== first; state = cameFrom[state]) plan.push(reachedBy[state] - 1);
  return plan.reverse();
}
