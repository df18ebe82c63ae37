// Sokoban levels from a seed, by the reference's rules: carve a room with a random walk, place player and targets, then
// play backwards from the solved state by pulling and keep the most displaced state. Solvable by construction.
import { type Rng, rng } from "../../core/rng.ts";
import { configError, type Problem } from "../grid.ts";
import type { SokobanConfig } from "./index.ts";
import { type Level, offsets, placementKey, type Room } from "./room.ts";
import { solve } from "./solver.ts";

const turnProbability = 0.35;
/** Depth and breadth of the backward play, as in the reference. */
const maxPullDepth = 300;
const maxPulledStates = 300_000;
/** Placements that one reset may look at in all. Bounds a hopeless search to seconds whatever the number of tries. */
const maxWork = 1_500_000;
/** Levels whose solution takes a longer search than this are drawn again, so that the oracle can always keep up. */
const maxSolverVisits = 30_000;
/** A placement in the solver costs about as much time as so many in the backward play. */
const solverWeight = 5;

/** Cells that the random walk stamps around itself: 3×3 masks as [row, col] offsets from the middle. */
const stamps: readonly (readonly (readonly [number, number])[])[] = [
  [
    [0, -1],
    [0, 0],
    [0, 1],
  ],
  [
    [-1, 0],
    [0, 0],
    [1, 0],
  ],
  [
    [0, -1],
    [0, 0],
    [1, 0],
  ],
  [
    [0, -1],
    [0, 0],
    [1, -1],
    [1, 0],
  ],
  [
    [0, 0],
    [0, 1],
    [1, 0],
  ],
];

/**
 * The level of a seed. Tries draw on from one stream until the shortest solution lies within `min_solution_steps`.
 * @throws EnvError("unsolvable_level") when no try gave one.
 */
export function generateLevel(config: SokobanConfig, seed: number): Level {
  const random = rng(seed).fork("room");
  const [fewest, most] = config.min_solution_steps ?? [1, config.min_solution_bfs_max_depth];
  const maxMoves = Math.min(most, config.min_solution_bfs_max_depth);
  let work = 0;
  let tries = 0;
  while (tries < config.reset_seed_max_tries && work < maxWork) {
    tries++;
    const draft = draftLevel(config, random);
    work += draft.work;
    if (!draft.level) continue;
    const { plan, visited } = solve(draft.level, { maxMoves, maxVisited: maxSolverVisits });
    work += visited * solverWeight;
    if (plan && plan.length >= fewest) return draft.level;
  }
  throw configError(notFound(config, seed, tries), "unsolvable_level");
}

/** Why no room can ever satisfy a configuration; null when one might. Costs nothing: no level is drawn. */
export function impossible(config: SokobanConfig): Problem | null {
  const { dim_room, num_boxes, min_solution_steps, min_solution_bfs_max_depth } = config;
  const inside = (dim_room[0] - 2) * (dim_room[1] - 2);
  if (num_boxes + 2 > inside) {
    return {
      field: "num_boxes",
      value: num_boxes,
      why: `a ${dim_room.join("×")} room has only ${inside} cells inside its walls, for the boxes, the player and one to move to.`,
      remedy: `Use at most ${inside - 2} boxes, or a larger dim_room.`,
    };
  }
  if (!min_solution_steps) return null;
  const [fewest, most] = min_solution_steps;
  const bad = (why: string, remedy: string) => ({
    field: "min_solution_steps",
    value: min_solution_steps,
    why,
    remedy,
  });
  if (fewest > most) return bad("the lower bound is above the upper bound.", `Use [${most}, ${fewest}].`);
  if (most < num_boxes) {
    return bad(
      `${num_boxes} boxes need at least as many moves.`,
      `Raise the upper bound to ${num_boxes} or more.`,
    );
  }
  if (fewest > min_solution_bfs_max_depth) {
    return bad(
      `solutions are only searched up to min_solution_bfs_max_depth = ${min_solution_bfs_max_depth} moves.`,
      `Lower it to ${min_solution_bfs_max_depth} or less.`,
    );
  }
  const placements = inside * choose(inside - 1, num_boxes);
  if (fewest < placements) return null;
  return bad(
    `a ${dim_room.join("×")} room with ${num_boxes} boxes has only ${placements} states, so no shortest solution is that long.`,
    "Lower it, or use a larger dim_room.",
  );
}

function notFound(config: SokobanConfig, seed: number, tries: number): Problem {
  const room = `a ${config.dim_room.join("×")} room with ${config.num_boxes} box${config.num_boxes > 1 ? "es" : ""}`;
  if (config.min_solution_steps) {
    return {
      field: "min_solution_steps",
      value: config.min_solution_steps,
      why: `seed ${seed}: none of ${tries} levels of ${room} has a shortest solution of that length.`,
      remedy: "Widen the interval ([1, 5] is easy), or change dim_room or num_boxes.",
    };
  }
  return {
    field: "num_boxes",
    value: config.num_boxes,
    why: `seed ${seed}: none of ${tries} levels of ${room} was found solvable.`,
    remedy: "Use fewer boxes or a larger dim_room.",
  };
}

interface Draft {
  level: Level | null;
  /** Placements looked at. */
  work: number;
}

/** One try: a room and its most displaced state, or no level when the room is too small or no box can be pulled. */
function draftLevel({ dim_room, num_boxes }: SokobanConfig, random: Rng): Draft {
  const [rows, cols] = dim_room;
  const wall = carve(rows, cols, random);
  const floor = Array.from(wall.keys()).filter((cell) => !wall[cell]);
  if (floor.length <= num_boxes + 1) return { level: null, work: 1 };
  const [player, ...rest] = drawDistinct(floor, num_boxes + 1, random);
  return playBackwards({ rows, cols, wall, targets: rest }, player);
}

/** All wall, then floor wherever a random walk stamps it; the border stays wall. */
function carve(rows: number, cols: number, random: Rng): Uint8Array {
  const wall = new Uint8Array(rows * cols).fill(1);
  const ways = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  let way = random.pick(ways);
  let [row, col] = [1 + random.int(rows - 1), 1 + random.int(cols - 1)];
  for (let step = 0; step < Math.floor(1.7 * (rows + cols)); step++) {
    if (random.float() < turnProbability) way = random.pick(ways);
    row = Math.min(Math.max(row + way[0], 1), rows - 2);
    col = Math.min(Math.max(col + way[1], 1), cols - 2);
    for (const [dr, dc] of random.pick(stamps)) {
      const inside = row + dr > 0 && row + dr < rows - 1 && col + dc > 0 && col + dc < cols - 1;
      if (inside) wall[(row + dr) * cols + col + dc] = 0;
    }
  }
  return wall;
}

function drawDistinct(items: readonly number[], count: number, random: Rng): number[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(random.int(left.length), 1)[0]);
}

/**
 * Depth-first search from the solved state over moves that pull a box along and moves that leave it. The best state has
 * the largest (changes of the box that is pulled) × (displacement) with every target in sight. The original
 * implementation means the same but forgets which box was pulled last and so counts every pull; for one box the levels
 * come out alike.
 */
function playBackwards(room: Room, start: number): Draft {
  const { wall, targets, cols } = room;
  const steps = offsets(cols);
  const boxes = [...targets];
  const seen = new Set<string>();
  let best: Level | null = null;
  let bestScore = 0;

  const consider = (player: number, swaps: number) => {
    if (targets.some((target) => target === player || boxes.includes(target))) return;
    const displacement = boxes.reduce((sum, box, i) => sum + cellsApart(box, targets[i], cols), 0);
    if (swaps * displacement <= bestScore) return;
    bestScore = swaps * displacement;
    best = { ...room, player, boxes: [...boxes] };
  };

  const visit = (player: number, swaps: number, pulled: number, depth: number) => {
    const key = placementKey(player, boxes);
    if (depth >= maxPullDepth || seen.size >= maxPulledStates || seen.has(key)) return;
    seen.add(key);
    consider(player, swaps);
    for (const pulling of [true, false]) {
      for (const step of steps) {
        const to = player + step;
        if (wall[to] || boxes.includes(to)) continue;
        const box = pulling ? boxes.indexOf(player - step) : -1;
        // A pull without a box is a plain move, whose turn comes below; the reference visits it here, so we do too.
        if (box >= 0) boxes[box] = player;
        visit(to, box >= 0 && box !== pulled ? swaps + 1 : swaps, box >= 0 ? box : pulled, depth + 1);
        if (box >= 0) boxes[box] = player - step;
      }
    }
  };

  visit(start, 0, -1, 1);
  return { level: best, work: seen.size };
}

const cellsApart = (one: number, other: number, cols: number) =>
  Math.abs(Math.floor(one / cols) - Math.floor(other / cols)) + Math.abs((one % cols) - (other % cols));

/** The number of ways to choose k of n, as a double. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways *= (n - i) / (i + 1);
  return Math.round(ways);
}
