// Shortest solutions of a Sokoban level, counted in moves: A* whose estimate is the pushes that each box needs at least.
import { directions, isSolved, type Level, offsets, placementKey, type Room } from "./room.ts";

interface SolveLimits {
  /** Longer solutions do not count. */
  maxMoves: number;
  /** Limit of examined placements. */
  maxVisited: number;
}

interface Solution {
  /** A shortest plan, or null when there is none within the limits. */
  plan: string[] | null;
  /** Placements examined. */
  visited: number;
}

/** Matching boxes to targets doubles in cost with each box; beyond this many, each counts its nearest target. */
const mostMatched = 6;

/** Enough for every level that the generator makes; rooms with many boxes could take very long. */
const oracleLimits: SolveLimits = { maxMoves: Number.POSITIVE_INFINITY, maxVisited: 200_000 };

interface Node {
  player: number;
  boxes: readonly number[];
  moves: number;
  /** Index in `directions` of the move that led here. */
  action: number;
  parent: Node | null;
}

/** Finds a shortest plan; the same level gives the same plan. */
export function solve(level: Level, limits: SolveLimits = oracleLimits): Solution {
  const estimate = estimator(level);
  const steps = offsets(level.cols);
  const shortest = new Map<string, number>();
  // Estimates are whole numbers, so the queue is a list for each total; within one the newest (deepest) comes first.
  const queue: Node[][] = [];
  let visited = 0;

  const offer = (player: number, boxes: readonly number[], parent: Node | null, action: number) => {
    const moves = parent ? parent.moves + 1 : 0;
    const total = moves + estimate(boxes);
    if (total > limits.maxMoves || total === Number.POSITIVE_INFINITY) return;
    const key = placementKey(player, boxes);
    if ((shortest.get(key) ?? Number.POSITIVE_INFINITY) <= moves) return;
    shortest.set(key, moves);
    while (queue.length <= total) queue.push([]);
    queue[total].push({ player, boxes, moves, action, parent });
  };

  offer(level.player, level.boxes, null, -1);
  for (let total = 0; total < queue.length; total++) {
    for (let node = queue[total].pop(); node; node = queue[total].pop()) {
      if (isSolved(level, node.boxes)) return { plan: planTo(node), visited };
      if (shortest.get(placementKey(node.player, node.boxes)) !== node.moves) continue;
      if (++visited >= limits.maxVisited) return { plan: null, visited };
      for (let action = 0; action < steps.length; action++) {
        const moved = move(level, node.player, node.boxes, steps[action]);
        if (moved) offer(moved.player, moved.boxes, node, action);
      }
    }
  }
  return { plan: null, visited };
}

/** The state after a step, which pushes a box in the way; null if nothing moves. */
export function move(
  room: Room,
  player: number,
  boxes: readonly number[],
  step: number,
): { player: number; boxes: readonly number[] } | null {
  const to = player + step;
  if (room.wall[to]) return null;
  if (!boxes.includes(to)) return { player: to, boxes };
  const beyond = to + step;
  if (room.wall[beyond] || boxes.includes(beyond)) return null;
  return { player: to, boxes: boxes.map((box) => (box === to ? beyond : box)) };
}

function planTo(node: Node): string[] {
  const plan: string[] = [];
  for (let at = node; at.parent; at = at.parent) plan.push(directions[at.action]);
  return plan.reverse();
}

/**
 * A lower bound of the remaining moves, as no move pushes two boxes: the fewest pushes that bring each box to a target of
 * its own. Infinite if a box can no longer reach one.
 */
function estimator(room: Room): (boxes: readonly number[]) => number {
  const { targets } = room;
  const toTarget = targets.map((target) => pushDistances(room, [target]));
  const toNearest = pushDistances(room, targets);
  if (targets.length > mostMatched) return (boxes) => boxes.reduce((sum, box) => sum + toNearest[box], 0);
  // best[set]: cost of the first boxes on exactly these targets. A set is larger than its subsets, so one pass is enough.
  const best = new Float64Array(1 << targets.length);
  return (boxes) => {
    best.fill(Number.POSITIVE_INFINITY);
    best[0] = 0;
    for (let set = 0; set < best.length - 1; set++) {
      const box = boxes[bitCount(set)];
      for (let i = 0; i < targets.length; i++) {
        const larger = set | (1 << i);
        if (larger !== set) best[larger] = Math.min(best[larger], best[set] + toTarget[i][box]);
      }
    }
    return best[best.length - 1];
  };
}

/** The number of pushes that bring a lone box from each cell to the nearest goal, found by pulling it back from there. */
function pushDistances({ wall, cols }: Room, goals: readonly number[]): Float64Array {
  const distance = new Float64Array(wall.length).fill(Number.POSITIVE_INFINITY);
  const queue = [...goals];
  for (const goal of goals) distance[goal] = 0;
  for (const cell of queue) {
    for (const step of offsets(cols)) {
      const [from, stand] = [cell - step, cell - 2 * step];
      if (wall[from] || wall[stand] || distance[from] !== Number.POSITIVE_INFINITY) continue;
      distance[from] = distance[cell] + 1;
      queue.push(from);
    }
  }
  return distance;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest; rest &= rest - 1) count++;
  return count;
}
