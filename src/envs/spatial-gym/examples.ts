// Actions that a person can try in a level: with objects of its task, and with an answer that its question allows.
import type { SceneTruth } from "../../core/types.ts";

/** Examples for a state. They say no more than the agent reads: its objects, and the first of the words that can answer. */
export function examplesIn({ facts = {} }: SceneTruth): readonly string[] {
  const objects = String(facts.objects).split(";");
  const [name, , , , , front] = objects[0]!.split(" ");
  const [seen = name] = wordsIn(facts.seen);
  const [option] = wordsIn(facts.options);
  const map = `Map(${name} 2 ahead 1 left${front ? " facing back" : ""})`;
  const answer = option === undefined ? map : `Answer(${option})`;
  return ["Rotate(90)", "Rotate(-45)", "Observe()", `JumpTo(${seen})`, "Term()", answer];
}

const wordsIn = (list: unknown): string[] =>
  String(list ?? "")
    .split(" ")
    .filter(Boolean);
