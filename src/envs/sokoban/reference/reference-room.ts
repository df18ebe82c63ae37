// The room that VAGEN's generator draws for a seed, draw by draw: gym-sokoban's generator (VAGEN-Lite) and VAGEN's changed
// copy of it (the legacy release).
import { type Draws, drawLayout, type Layout } from "../layout.ts";
import { type PullRules, playBackwards } from "../reverse-play.ts";
import { type Level, offsets } from "../room.ts";
import { numpyLegacyRandom, pythonRandom } from "./mersenne-twister.ts";

/** VAGEN's two generators. */
export type Generation = "lite" | "legacy";

/** Lite's search counts every pull, because it forgets which box was pulled last. */
const rules: Readonly<Record<Generation, PullRules>> = {
  lite: { maxMoves: 298, walks: true, counts: "pulls", marksMoved: true },
  legacy: { maxMoves: 98, walks: false, counts: "changes", marksMoved: true },
};

/** Tries of a seed, all on the same two streams. */
const triesPerSeed = 4;

/** The outcome of drawing one seed's room. */
interface Drawn {
  /** Null if the generator fails: too few floor cells, or no try could move a box. */
  level: Level | null;
  /** Placements examined. */
  work: number;
}

/** Draws the room of a seed without any retry. @param seed 0 … 2³²−1 */
export function referenceRoom(
  generation: Generation,
  size: readonly [number, number],
  boxes: number,
  seed: number,
): Drawn {
  const walk = pythonRandom(seed);
  const placing = numpyLegacyRandom(seed);
  let work = 0;
  for (let attempt = 0; attempt < triesPerSeed; attempt++) {
    const layout: Layout | null = drawLayout(size, boxes, walk, placing);
    if (!layout) return { level: null, work: work + 1 };
    const draft = playBackwards(layout, rules[generation]);
    work += draft.work;
    if (draft.level)
      return { level: generation === "legacy" ? movePlayer(draft.level, walk) : draft.level, work };
  }
  return { level: null, work };
}

/** Legacy only: half of the time the player walks one to three steps, never back to a cell of this walk. */
function movePlayer(level: Level, random: Draws): Level {
  if (random.float() > 0.5) return level;
  const visited = [level.player];
  for (let step = 1; step <= 3; step++) {
    const free = offsets(level.cols)
      .map((offset) => visited[visited.length - 1] + offset)
      .filter((cell) => !level.wall[cell] && !level.boxes.includes(cell) && !visited.includes(cell));
    if (free.length === 0) break;
    // A single cell draws, too.
    visited.push(free[random.int(free.length)]);
    if (step < 3 && random.float() > 0.5) break;
  }
  return { ...level, player: visited[visited.length - 1] };
}
