// Actions that a person can try in a level: with objects of its task, and with an answer that its question allows.
import type { SceneTruth } from "../../core/types.ts";

/** Examples for a state. They say no more than the agent reads: its objects, and the words that can answer. */
export function examplesIn(truth: SceneTruth): readonly string[] {
  const { facts = {} } = truth;
  const objects = String(facts.objects).split(";");
  const [name, , , , , front] = objects[0]!.split(" ");
  const [seen = name] = wordsIn(facts.seen);
  const answers = answersIn(truth);
  const map = `Map(${name} 2 ahead 1 left${front ? " facing back" : ""})`;
  const last = answers.length === 0 ? [map] : answers.map((answer) => `Answer(${answer})`);
  // Once the exploration has ended, nothing else has an effect.
  if (facts.exploring === false) return last;
  return ["Rotate(90)", "Rotate(-45)", "Observe()", `JumpTo(${seen})`, "Term()", ...last];
}

/** The words that can answer the question of a level; none where a map is asked for, or no level is known. */
export const answersIn = (truth: SceneTruth | undefined): readonly string[] => wordsIn(truth?.facts?.options);

const wordsIn = (list: unknown): string[] =>
  String(list ?? "")
    .split(" ")
    .filter(Boolean);
