// The level that VAGEN plays for a seed: the room of the seed, or of the seeds that it retries with.
import type { SokobanConfig } from "../config.ts";
import type { Level } from "../room.ts";
import { solve } from "../solver.ts";
import { SEED_LIMIT } from "./mersenne-twister.ts";
import { type Generation, referenceRoom } from "./reference-room.ts";
import { hashedSeed, type SipRounds } from "./text-hash.ts";

/** Python 3.12 runs Lite, Python 3.10 the legacy release. */
const sipRounds: Readonly<Record<Generation, SipRounds>> = { lite: [1, 3], legacy: [2, 4] };

/**
 * Placements after which a seed is not retried any more, so that a hopeless search ends within seconds. The usual settings need
 * a few hundred a room.
 */
const maxWork = 300_000;
/** Time of a placement in the solver, in placements of the backward play. */
const solverWeight = 5;

/** The level of a seed, and the seeds of the retries that led to it. */
interface ReferenceLevel {
  level: Level;
  /** Empty if the first room was accepted. The last one gave the level. */
  retriedWith: readonly number[];
}

/** What a level depends on. */
type Options = Pick<
  SokobanConfig,
  "dim_room" | "num_boxes" | "min_solution_steps" | "reset_seed_max_tries" | "min_solution_bfs_max_depth"
>;

/**
 * The level that VAGEN plays for a seed under PYTHONHASHSEED=0, or null if it plays none that satisfies the options. Only the first
 * room of a seed is independent of that variable, which VAGEN's scripts set for legacy and not for Lite. Lite retries until the
 * length of a shortest solution fits `min_solution_steps`. Legacy retries only when the generator fails; it never plays a seed
 * whose room has another length.
 */
export function referenceLevel(
  generation: Generation,
  options: Options,
  seed: number,
): ReferenceLevel | null {
  if (seed >= SEED_LIMIT) return null;
  const retriedWith: number[] = [];
  let work = 0;
  for (let current = seed; ; ) {
    const drawn = referenceRoom(generation, options.dim_room, options.num_boxes, current);
    work += drawn.work;
    if (drawn.level) {
      const { fits, visited } = checkLength(drawn.level, options);
      if (fits) return { level: drawn.level, retriedWith };
      if (generation === "legacy") return null;
      work += visited * solverWeight;
    }
    if (retriedWith.length + 1 >= options.reset_seed_max_tries || work >= maxWork) return null;
    current = hashedSeed(current, sipRounds[generation]);
    retriedWith.push(current);
  }
}

/** Whether the length of a shortest solution is allowed. As in VAGEN, a room without a solution counts as 0 moves long. */
function checkLength(
  level: Level,
  { min_solution_steps: steps, min_solution_bfs_max_depth: depth }: Options,
) {
  if (!steps) return { fits: true, visited: 0 };
  const [fewest, most] = steps;
  // A longer solution is refused whatever its length, unless no solution is allowed.
  const maxMoves = fewest > 0 ? Math.min(depth, most) : depth;
  const { plan, visited } = solve(level, { maxMoves, maxVisited: maxWork });
  const length = plan?.length ?? 0;
  return { fits: fewest <= length && length <= most, visited };
}
