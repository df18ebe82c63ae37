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
 * The fewest turns and looks after which `count` of the objects have been in view, and where these lead nowhere, the fewest with jumps: other
 * places cost more views. Turns are multiples of 90°.
 * @param shownFrom The names of the objects that a look from a pose shows.
 * @returns The actions; null if none lead there.
 */
export function looksFor(
  count: number,
  from: Beginning,
  objects: readonly LevelObject[],
  shownFrom: (pose: Pose) => readonly string[],
): readonly string[] | null {
  const search = (after: (node: Node) => Node[]) => {
    const all = (node: Node) => [...after(node), ...observation(node, objects, shownFrom(node.pose))];
    return firstWith(count, { ...from, actions: [] }, all);
  };
  return search(turns) ?? search((node) => [...turns(node), ...jumps(node, objects)]);
}

/** The actions of the first node of a breadth-first search in which enough objects have been in view. */
function firstWith(count: number, begin: Node, after: (node: Node) => Node[]): readonly string[] | null {
  const nodes = [begin];
  const met = new Set(nodes.map(keyOf));
  // The loop also visits the nodes that it adds.
  for (const node of nodes) {
    if (node.seen.length >= count) return node.actions;
    if (node.looks === 0) continue;
    for (const next of after(node)) {
      if (!met.has(keyOf(next))) nodes.push(next);
      met.add(keyOf(next));
    }
  }
  return null;
}

const keyOf = ({ pose: { x, z, heading }, seen, looks }: Node): string =>
  [x, z, heading, looks, ...seen].join(" ");

const moved = (node: Node, action: string, change: Partial<Pose>): Node => ({
  ...node,
  pose: { ...node.pose, ...change },
  actions: [...node.actions, action],
});

/** Quarters of a turn. */
const turns = (node: Node): Node[] =>
  [90, 180, 270].map((degrees) =>
    moved(node, `Rotate(${degrees})`, { heading: rotated(node.pose.heading, degrees) }),
  );

/** Jumps to what has been seen. */
const jumps = (node: Node, objects: readonly LevelObject[]): Node[] =>
  objects
    .filter(({ name }) => node.seen.includes(name))
    .map(({ name, beside }) => moved(node, `JumpTo(${name})`, beside));

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
