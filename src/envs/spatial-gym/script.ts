// What a scripted exploration sees: a look round at the start, and with two rooms another beside the farthest object that this shows.
import type { SpatialGymConfig } from "./config.ts";
import { type Pose, rotated } from "./heading.ts";
import { farthestFrom, type Level } from "./level.ts";

interface Script {
  /** Where it looks from, in order; the first is the start. */
  poses: readonly Pose[];
  /** Names of the objects that it jumps to. */
  beside: readonly string[];
}

/** A level promises that this shows all objects of its task; see `level.ts`. @param shownFrom the names of the objects that a view shows */
export function scriptOf(
  { start, objects }: Level,
  { rooms }: Pick<SpatialGymConfig, "rooms">,
  shownFrom: (pose: Pose) => readonly string[],
): Script {
  const here = lookRound(start);
  const shown = here.flatMap(shownFrom);
  const seen = objects.filter(({ name }) => shown.includes(name));
  const far = rooms > 1 && seen.length > 0 ? [farthestFrom(start, seen)] : [];
  const there = far.flatMap(({ beside: { x, z } }) => lookRound({ ...here.at(-1)!, x, z }));
  return { poses: [...here, ...there], beside: far.map(({ name }) => name) };
}

const lookRound = (from: Pose): Pose[] =>
  [0, 90, 180, 270].map((degrees) => ({ ...from, heading: rotated(from.heading, degrees) }));
