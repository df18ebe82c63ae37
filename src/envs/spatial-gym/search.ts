// The shortest way to see enough: a breadth-first search over places, headings and what has been seen from them.
import { type Pose, rotated } from "./heading.ts";
import type { LevelObject } from "./level.ts";

/** What a search begins with. */
interface Beginning {
  pose: Pose;
  /** Names of the objects that have been in view, in the order of the level. */
  seen: readonly string[];
  /** How many more observations there may be. */
  looks: number;
}

interface Node extends Beginning {
  actions: readonly string[];
}

/**
 * @param shownFrom The names of the objects that a look from a pose shows.
 * @returns The fewest actions after which `count` of the objects have been in view; null if none lead there. Turns are multiples of 90°.
 */
export function looksFor(
  count: number,
  from: Beginning,
  objects: readonly LevelObject[],
  shownFrom: (pose: Pose) => readonly string[],
): readonly string[] | null {
  const nodes: Node[] = [{ ...from, actions: [] }];
  const met = new Set(nodes.map(keyOf));
  // The loop also visits the nodes that it adds.
  for (const node of nodes) {
    if (node.seen.length >= count) return node.actions;
    if (node.looks === 0) continue;
    for (const next of [...moves(node, objects), ...observation(node, objects, shownFrom(node.pose))]) {
      if (!met.has(keyOf(next))) nodes.push(next);
      met.add(keyOf(next));
    }
  }
  return null;
}

const keyOf = ({ pose: { x, z, heading }, seen, looks }: Node): string =>
  [x, z, heading, looks, ...seen].join(" ");

/** Quarters of a turn, and jumps to what has been seen. */
function moves(node: Node, objects: readonly LevelObject[]): Node[] {
  const { pose, seen, actions } = node;
  const moved = (action: string, change: Partial<Pose>): Node => ({
    ...node,
    pose: { ...pose, ...change },
    actions: [...actions, action],
  });
  const turn = (degrees: number) => moved(`Rotate(${degrees})`, { heading: rotated(pose.heading, degrees) });
  const jump = ({ name, beside }: LevelObject) => moved(`JumpTo(${name})`, beside);
  return [...[90, 180, 270].map(turn), ...objects.filter(({ name }) => seen.includes(name)).map(jump)];
}

/** A look, unless it shows nothing new. */
function observation(
  { pose, seen, looks, actions }: Node,
  objects: readonly LevelObject[],
  shown: readonly string[],
): Node[] {
  const all = withThose(seen, shown, objects);
  if (all.length === seen.length) return [];
  return [{ pose, seen: all, looks: looks - 1, actions: [...actions, "Observe()"] }];
}

/** Names of objects that have been in view, with those that are now, in the order of the level. */
export const withThose = (
  seen: readonly string[],
  shown: readonly string[],
  objects: readonly LevelObject[],
): string[] => objects.map(({ name }) => name).filter((name) => seen.includes(name) || shown.includes(name));
