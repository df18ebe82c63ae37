// Skills that a person can try in a level: at a thing that lies there.
import { isBoard } from "../../core/scene.ts";
import type { SceneTruth } from "../../core/types.ts";
import { EXAMPLES } from "./task-ids.ts";

/** Points besides the objects that the hand can take. */
const NO_OBJECTS = /target|drawer/;

/** How far the examples move a thing to the right, and begin to push before it, in millimetres. */
const WAY = 60;

/** Each skill once for the first object of a state that lies there. They say no more than the agent reads, which is its position. */
export function examplesIn(truth: SceneTruth): readonly string[] {
  if (isBoard(truth)) return EXAMPLES;
  const object = truth.things.find(({ name }) => !NO_OBJECTS.test(name) && name !== truth.facts?.held);
  const [x, y, z] = object?.at ?? [];
  if (x === undefined || y === undefined || z === undefined) return EXAMPLES;
  return [`pick(${x},${y},${z})`, `place(${x},${y + WAY},${z})`, `push(${x},${y - WAY},${z},${x},${y},${z})`];
}
