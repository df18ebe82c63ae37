// From a solved room to a level: a search plays backwards, by pulling, and keeps the most displaced state. Solvable by
// construction.
import type { Layout } from "./layout.ts";
import { type Level, offsets, placementKey } from "./room.ts";

/** Breadth of the search, as in VAGEN. */
const maxStates = 300_000;

/** Where generators differ. */
export interface PullRules {
  /** Farthest states that are examined, in moves from the start. */
  maxMoves: number;
  /** Moves that leave a box behind are tried as well, after those that pull. */
  walks: boolean;
  /** What the score counts: changes of the box that is pulled, the first one included, or every pull. */
  counts: "changes" | "pulls";
  /** A box that was moved and is back on its target differs from one that was never moved. */
  marksMoved: boolean;
}

/** The result of one try. */
export interface Draft {
  /** Null if no state has every target in sight and a box away from its target. */
  level: Level | null;
  /** Placements examined. */
  work: number;
}

/**
 * Depth-first search from the solved state. The best state is the first with the largest count × displacement, where the
 * displacement sums the distances of boxes to their own targets, and every target must be in sight.
 */
export function playBackwards({ room, player: start }: Layout, rules: PullRules): Draft {
  const { wall, targets, cols } = room;
  const { maxMoves, walks, counts, marksMoved } = rules;
  const steps = offsets(cols);
  const boxes = [...targets];
  const moved = targets.map(() => 0);
  const seen = new Set<string>();
  let best: Level | null = null;
  let bestScore = 0;

  const consider = (player: number, count: number) => {
    if (targets.some((target) => target === player || boxes.includes(target))) return;
    const displacement = boxes.reduce((sum, box, i) => sum + cellsApart(box, targets[i], cols), 0);
    if (count * displacement <= bestScore) return;
    bestScore = count * displacement;
    best = { ...room, player, boxes: [...boxes] };
  };

  const keyOf = (player: number) =>
    placementKey(player, marksMoved ? boxes.map((box, i) => box + moved[i] * wall.length) : boxes);

  const visit = (player: number, count: number, pulled: number, depth: number) => {
    if (depth > maxMoves || seen.size >= maxStates) return;
    const key = keyOf(player);
    if (seen.has(key)) return;
    seen.add(key);
    consider(player, count);
    for (const pulling of walks ? [true, false] : [true]) {
      for (const step of steps) {
        const to = player + step;
        if (wall[to] || boxes.includes(to)) continue;
        const box = pulling ? boxes.indexOf(player - step) : -1;
        // VAGEN visits a pull without a box here and as a plain move below. The order matters, so we do too.
        if (box < 0) {
          visit(to, count, pulled, depth + 1);
          continue;
        }
        const wasMoved = moved[box];
        boxes[box] = player;
        moved[box] = 1;
        visit(to, counts === "pulls" || box !== pulled ? count + 1 : count, box, depth + 1);
        boxes[box] = player - step;
        moved[box] = wasMoved;
      }
    }
  };

  visit(start, 0, -1, 0);
  return { level: best, work: seen.size };
}

const cellsApart = (one: number, other: number, cols: number) =>
  Math.abs(Math.floor(one / cols) - Math.floor(other / cols)) + Math.abs((one % cols) - (other % cols));
