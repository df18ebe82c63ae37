// From the map of SpatialGym to the answer, in words. A small policy hardly looks three words back, so the steps are small: each word follows
// from one or two just before it, or repeats the last of its kind (docs/log.md).
import { offsetText } from "../../envs/navigation/claims.ts";
import { mapOffset, type SpatialTruth } from "../../envs/spatial-gym/claims.ts";
import { type Offset, SIDES } from "../../envs/spatial-gym/heading.ts";
import { WORDING } from "../../envs/spatial-gym/questions.ts";

/**
 * The steps to the answer: for each object that the question names, its place and its hour or distance, seen from the start or from the
 * first of three objects; then what follows from them. Every object must have been seen.
 */
export function stepsToAnswer(truth: SpatialTruth, names: readonly string[]): string {
  const [from, ...others] = names.length === 3 ? names : [undefined, ...names];
  const origin = from === undefined ? undefined : mapOffset(truth, from);
  const numbers = others.map((name) => numberOf(truth, mapOffset(truth, name!, from)));
  const objects = others.map(
    (name, i) => `${NEXT}${name} ${stepsTo(mapOffset(truth, name!), origin)} ${numbers[i]!.words}`,
  );
  const start = origin ? `${NEXT}${FROM}${from} ${takenAway(origin)}` : "";
  const compared = others.length === 2 ? theOther(numbers[0]!.short) : "";
  return `${start}${objects.join("")}${compared}, ${conclusion(truth, others[0]!)}`;
}

/** "5 ahead 3 right"; from an origin at 2 ahead 4 right also "5 ahead minus 2 ahead is 3 ahead" and so on, and the difference. */
function stepsTo(offset: Offset, origin: Offset | undefined): string {
  if (!origin) return offsetText(offset);
  // Plus 0: -0 is 0.
  const difference: Offset = [offset[0] - origin[0] + 0, offset[1] - origin[1] + 0];
  const ahead = `${aheadText(offset)} minus ${aheadText(origin)} is ${aheadText(difference)} `;
  const right = `${rightText(offset)} minus ${rightText(origin)} is ${rightText(difference)}`;
  return [offsetText(offset), ahead, right, offsetText(difference)].join(COMMA);
}

const aheadText = ([ahead]: Offset): string => `${Math.abs(ahead)} ${ahead < 0 ? "back" : "ahead"}`;
const rightText = ([, right]: Offset): string => `${Math.abs(right)} ${right < 0 ? "left" : "right"}`;
const takenAway = (origin: Offset): string => `minus ${aheadText(origin)} minus ${rightText(origin)}`;

const isAboutDistance = ({ facts }: SpatialTruth): boolean => facts.question.includes(WORDING.distance[0]!);

/**
 * An offset as a number: its hour, or its length where the question is about distance. `words` follow the object; `short` follows "the
 * other".
 */
function numberOf(truth: SpatialTruth, offset: Offset): { words: string; short: string } {
  if (isAboutDistance(truth)) return { words: lengthWords(stepsOf(offset)), short: `${stepsOf(offset)}` };
  return { words: hourWords(hourOf(offset)), short: `at ${hourOf(offset)}` };
}

/** What the answer says of the last object: on which side it is, or how it compares with the first. */
function conclusion(truth: SpatialTruth, first: string): string {
  const { answer } = truth.facts;
  const side = SIDES.find((one) => one === answer);
  if (side) return BEARINGS[side];
  return (isAboutDistance(truth) ? LENGTHS : ORDERS)[answer === first ? 0 : 1];
}

const LENGTHS = ["farther", "nearer"] as const;
const ORDERS = ["later", "earlier"] as const;
const BEARINGS = { ahead: "straight ahead", right: "to the right", back: "behind", left: "to the left" };

const NEXT = " ; ";
const COMMA = ", ";
const FROM = "from the ";
const hourWords = (hour: number): string => `at ${hour} o'clock`;
const lengthWords = (steps: number): string => `${steps} steps away`;
const theOther = (short: string): string => `, the other ${short}`;

/** The hour on a clock whose 12 is ahead. A diagonal lies halfway between two hours and gets the later one. */
function hourOf([ahead, right]: Offset): number {
  const hour = Math.round((6 * Math.atan2(right, ahead)) / Math.PI);
  return hour > 0 ? hour : hour + 12;
}

/** Steps across the largest room, from corner to corner, or from the first wall of two rooms to the last. */
export const MOST_STEPS = 18;

const stepsOf = ([ahead, right]: Offset): number =>
  Math.min(MOST_STEPS, Math.round(Math.sqrt(ahead * ahead + right * right)));

const hours = Array.from({ length: 12 }, (_, i) => i + 1);

/** The phrases of these steps, each of which becomes one token. `numbers`: lengths in steps. */
export const workingWords = (numbers: readonly number[]): string[] => [
  FROM,
  COMMA,
  // One token, so that the answer follows the last word of these steps.
  " ; so Answer(",
  ...["ahead", "back"].flatMap((way) =>
    numbers.flatMap((n) => [`minus ${n} ${way} `, `minus ${n} ${way} is `]),
  ),
  ...["right", "left"].flatMap((way) =>
    numbers.flatMap((n) => [`minus ${n} ${way}`, ` minus ${n} ${way} is `]),
  ),
  ...hours.flatMap((hour) => [` ${hourWords(hour)}`, theOther(`at ${hour}`)]),
  ...numbers.flatMap((steps) => [` ${lengthWords(steps)}`, theOther(`${steps}`)]),
  ...[...LENGTHS, ...ORDERS, ...Object.values(BEARINGS)].map((words) => `, ${words}`),
];
