// Questions about where things are. Each has one right answer that is no close call.
import type { Rng } from "../../core/rng.ts";
import type { QuestionKind } from "./config.ts";
import { ALONG, clearSide, type Offset, SIDES, seenAlong } from "./heading.ts";
import type { Origin, Placed } from "./objects.ts";

export interface Question {
  text: string;
  /** The words that can answer it; none for a map. */
  options: readonly string[];
  /** The right one. */
  answer: string;
}

/** Number of answers of each kind. */
export const ANSWERS: Readonly<Record<QuestionKind, number>> = {
  direction: 4,
  perspective: 4,
  distance: 2,
  order: 2,
};

/** How much farther the farther of two objects is, at least, in centimetres. */
const FARTHER = 60;
/** Sine of the angle between two directions, at least, and tangent of that to the start's heading: 25° and 19°. */
const APART = { sine: 0.42, tangent: 0.35 };

/** The words before, between and after the names of objects. */
export const WORDING: Readonly<Record<QuestionKind, readonly string[]>> = {
  direction: ["seen from the start, where is the", "?"],
  perspective: ["standing at the", " and facing the", ", where is the", "?"],
  distance: ["which is nearer to the", ", the", " or the", "?"],
  order: ["turning right from the start, which comes first, the", " or the", "?"],
};

/** What a map answers. */
export const MAP_QUESTION = "where is everything, seen from the start?";

/** A question about objects, in this order. */
export const questionText = (kind: QuestionKind, names: readonly string[]): string =>
  WORDING[kind].map((words, i) => (i < names.length ? `${words} ${names[i]}` : words)).join("");

/**
 * A question of a kind about one of some objects at least, with the right answer at a given index of its options.
 * @returns null if the objects allow none.
 */
export function ask(
  kind: QuestionKind,
  answer: number,
  objects: readonly Placed[],
  start: Origin,
  random: Rng,
  some = objects,
): Question | null {
  const size = WORDING[kind].length - 1;
  const fitting = selections(objects, size).filter(
    (chosen) => chosen.some((object) => some.includes(object)) && answerTo(kind, chosen, start) === answer,
  );
  if (fitting.length === 0) return null;
  const names = random.pick(fitting).map(({ name }) => name);
  const options = ANSWERS[kind] === 4 ? SIDES : names.slice(-2);
  return { text: questionText(kind, names), options, answer: options[answer] };
}

/** Every ordered choice of some objects. */
function selections(objects: readonly Placed[], size: number): Placed[][] {
  if (size === 0) return [[]];
  return objects.flatMap((first) =>
    selections(
      objects.filter((other) => other !== first),
      size - 1,
    ).map((rest) => [first, ...rest]),
  );
}

const between = (from: { x: number; z: number }, to: { x: number; z: number }): [number, number] => [
  to.x - from.x,
  to.z - from.z,
];

/** The offset of an object from the start, in centimetres. */
export const fromStart = (start: Origin, to: { x: number; z: number }): Offset =>
  seenAlong(ALONG[2 * start.turn], between(start, to));

/** Index of the right answer to a question about objects; null if it is a close call. */
export function answerTo(kind: QuestionKind, chosen: readonly Placed[], start: Origin): number | null {
  const [a, b, c] = chosen;
  switch (kind) {
    case "direction":
      return clearSide(fromStart(start, a));
    case "perspective":
      return clearSide(seenAlong(between(a, b), between(a, c)));
    case "distance":
      return nearer(between(a, b), between(a, c));
    case "order":
      return firstOf(fromStart(start, a), fromStart(start, b));
  }
}

const length = ([x, z]: readonly [number, number]): number => Math.sqrt(x * x + z * z);

function nearer(one: readonly [number, number], other: readonly [number, number]): number | null {
  const difference = length(other) - length(one);
  return Math.abs(difference) < FARTHER ? null : difference > 0 ? 0 : 1;
}

/** Which of two offsets comes first in a clockwise turn from ahead. */
function firstOf(one: Offset, other: Offset): number | null {
  const cross = one[0] * other[1] - one[1] * other[0];
  const dot = one[0] * other[0] + one[1] * other[1];
  const areClose = dot > 0 && Math.abs(cross) < APART.sine * length(one) * length(other);
  if (areClose || isNearHeading(one) || isNearHeading(other)) return null;
  const [half, otherHalf] = [one, other].map(([, right]) => (right > 0 ? 0 : 1));
  if (half !== otherHalf) return half < otherHalf ? 0 : 1;
  return cross > 0 ? 0 : 1;
}

const isNearHeading = ([ahead, right]: Offset): boolean =>
  ahead > 0 && Math.abs(right) < APART.tangent * ahead;
