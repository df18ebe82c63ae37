// Sokoban levels from a seed, by VAGEN's rules: carve a room with a random walk, place player and targets, then
// play backwards from the solved state by pulling and keep the most displaced state. Solvable by construction.
import { type Message, message } from "../../core/message.ts";
import { type Rng, rng } from "../../core/rng.ts";
import { ImpossibleConfig, option, type Problem } from "../grid.ts";
import { type SokobanConfig, usualDepth, usualTries } from "./config.ts";
import { drawLayout } from "./layout.ts";
import { type Draft, type PullRules, playBackwards } from "./reverse-play.ts";
import type { Level } from "./room.ts";
import { solve } from "./solver.ts";

/**
 * The original implementation intends to count the changes of the box that is pulled, but forgets which box was pulled last and
 * so counts every pull. These rules count the changes; `reference/` has the original's.
 */
const studioRules: PullRules = { maxMoves: 298, walks: true, counts: "changes", marksMoved: false };

/** Placements that one reset may examine, per unit of search budget. Limits a hopeless search to seconds for any number of tries. */
const maxWork = 1_500_000;
/** Levels whose solution takes a longer search than this are drawn again, so that the oracle can solve every level. */
const maxSolverVisits = 30_000;
/** Time of a placement in the solver, in placements of the backward play. */
const solverWeight = 5;

/**
 * The level of a seed. Tries draw on from one stream until the shortest solution lies within `min_solution_steps`.
 * @param searchBudget multiplies the allowed tries and work; a level that takes less is the same under any budget.
 * @throws EnvError("unsolvable_level") if no try succeeds.
 */
export function generateLevel(config: SokobanConfig, seed: number, searchBudget = 1): Level {
  const random = rng(seed).fork("room");
  const [fewest, most] = config.min_solution_steps ?? [1, config.min_solution_bfs_max_depth];
  const maxMoves = Math.min(most, config.min_solution_bfs_max_depth);
  let work = 0;
  let tries = 0;
  while (tries < searchBudget * config.reset_seed_max_tries && work < searchBudget * maxWork) {
    tries++;
    const draft = draftLevel(config, random);
    work += draft.work;
    if (!draft.level) continue;
    const { plan, visited } = solve(draft.level, { maxMoves, maxVisited: maxSolverVisits });
    work += visited * solverWeight;
    if (plan && plan.length >= fewest) return draft.level;
  }
  throw new ImpossibleConfig(notFound(config, seed, tries), "unsolvable_level");
}

/** Why no room can satisfy a configuration, or null if one might. Draws no level. */
export function impossible(config: SokobanConfig): Problem | null {
  return noSpace(config) ?? (config.min_solution_steps && noSuchLength(config, config.min_solution_steps));
}

/** A level needs distinct cells for boxes, targets and player, and cells in a row to push along. */
function noSpace({ dim_room, num_boxes, min_solution_bfs_max_depth: depth }: SokobanConfig): Problem | null {
  const [rows, cols] = dim_room;
  const inside = cellsInside(dim_room);
  if (Math.max(rows, cols) < 5)
    return {
      field: "dim_room",
      value: dim_room,
      why: "inside its walls no three cells lie in a row, so no box can be pushed",
      remedy: "Use [5, 5] or larger.",
    };
  if (2 * num_boxes + 1 > inside)
    return {
      field: "num_boxes",
      value: num_boxes,
      why: `a ${rows}×${cols} room has ${inside} cells inside its walls, too few for so many boxes, as many targets and the player`,
      remedy: fewerBoxes(dim_room),
    };
  if (num_boxes > depth)
    return {
      field: "min_solution_bfs_max_depth",
      value: depth,
      why: `${num_boxes} boxes need at least as many moves`,
      remedy: `Use ${usualDepth}, the default.`,
    };
  return null;
}

function noSuchLength(config: SokobanConfig, [fewest, most]: readonly [number, number]): Problem | null {
  const { dim_room, num_boxes, min_solution_bfs_max_depth: depth } = config;
  const room = roomOf(config);
  const bad = (why: Message, remedy = otherLengths(config)) => ({
    field: "min_solution_steps",
    value: [fewest, most],
    why,
    remedy,
  });
  const placements = cellsInside(dim_room) * choose(cellsInside(dim_room) - 1, num_boxes);
  if (fewest >= placements)
    return bad(`${room} has only ${placements} states, so no shortest solution is that long`);
  if (fewest > most) {
    const common = most <= 2 * num_boxes && fewest >= 5 * num_boxes;
    return bad("the lower bound is above the upper bound", common ? `Use [${most}, ${fewest}].` : undefined);
  }
  if (most < num_boxes) return bad(`${num_boxes} boxes need at least as many moves`);
  if (fewest > depth)
    return bad(
      message`solutions are only searched up to ${option("min_solution_bfs_max_depth")}, ${depth} moves`,
    );
  return null;
}

/** The most likely cause of a failed search, and a value with which levels are found. */
function notFound(config: SokobanConfig, seed: number, tries: number): Problem {
  const { dim_room, num_boxes, min_solution_steps: steps, min_solution_bfs_max_depth: depth } = config;
  const blame = (field: keyof SokobanConfig, goal: string, remedy: Message): Problem => ({
    field,
    value: config[field],
    why: `seed ${seed}: none of ${tries} levels of ${roomOf(config)} ${goal}`,
    remedy,
  });
  if (num_boxes > easyBoxes(dim_room))
    return blame("num_boxes", steps ? "is as long as asked for" : "was found solvable", fewerBoxes(dim_room));
  if (depth < usualLength(config) && (!steps || steps[1] > depth))
    return blame(
      "min_solution_bfs_max_depth",
      "can be solved in so few moves",
      `Use ${usualDepth}, the default.`,
    );
  if (tries >= config.reset_seed_max_tries && tries < 100)
    return blame("reset_seed_max_tries", "will do", `Use ${usualTries}, the default.`);
  if (steps)
    return blame("min_solution_steps", "has a shortest solution of that length", otherLengths(config));
  return blame("dim_room", "was found solvable", "Use [6, 6].");
}

const cellsInside = ([rows, cols]: readonly [number, number]) => (rows - 2) * (cols - 2);

const roomOf = ({ dim_room, num_boxes }: SokobanConfig) =>
  `a ${dim_room.join("×")} room with ${num_boxes} box${num_boxes > 1 ? "es" : ""}`;

/** The number of boxes that fit into nearly every room of a size and that a short search can solve. */
function easyBoxes(dim_room: readonly [number, number]): number {
  const inside = cellsInside(dim_room);
  return Math.max(1, Math.min(Math.floor(inside / 4), Math.ceil(120 / inside)));
}

const fewerBoxes = (dim_room: readonly [number, number]) =>
  message`Use ${upTo(easyBoxes(dim_room))}, or another ${option("dim_room")}.`;
const upTo = (boxes: number) => (boxes === 1 ? "1 box" : `1 to ${boxes} boxes`);

/** Most levels need no more moves than this. */
const usualLength = ({ dim_room: [rows, cols], num_boxes }: SokobanConfig) =>
  Math.min(usualDepth, num_boxes * (rows + cols));

const otherLengths = (config: SokobanConfig) =>
  `Use [1, ${usualLength(config)}], which most levels satisfy, or null for any length.`;

/** One try: a room and its most displaced state, or no level if the room is too small or no box can be pulled. */
function draftLevel({ dim_room, num_boxes }: SokobanConfig, random: Rng): Draft {
  const layout = drawLayout(dim_room, num_boxes, random, random);
  return layout ? playBackwards(layout, studioRules) : { level: null, work: 1 };
}

/** The number of ways to choose k of n, as a double. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways *= (n - i) / (i + 1);
  return Math.round(ways);
}
