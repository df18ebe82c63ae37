// SpatialGym in words: what the view shows, and in every turn the map so far, in steps from the start. The context of a policy has its
// earlier turns, so what it has said is what it remembers. Before an answer come the steps from the map to it, small
// enough for a small policy: each follows from a few words just before.
import type { Rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { type Action, read } from "../../envs/spatial-gym/actions.ts";
import {
  asksForMap,
  asSpatial,
  mapOffset,
  mapWords,
  NOT_SEEN,
  NOTHING,
  objectsIn,
  placesAfter,
  type SpatialTruth,
  seenIn,
  visibleWords,
} from "../../envs/spatial-gym/claims.ts";
import { EXAMPLES, QUESTION_KINDS } from "../../envs/spatial-gym/config.ts";
import { type Offset, rotated, SIDES } from "../../envs/spatial-gym/heading.ts";
import { offsetText } from "../../envs/spatial-gym/map.ts";
import { isObject, OBJECT_NAMES } from "../../envs/spatial-gym/objects.ts";
import { MAP_QUESTION, WORDING } from "../../envs/spatial-gym/questions.ts";
import type { Template } from "./template.ts";

type Facts = SpatialTruth["facts"];

/** What an action changes. */
type Change = Partial<
  Pick<
    Facts,
    "x" | "z" | "yaw" | "look_x" | "look_z" | "look_yaw" | "observations" | "exploring" | "given" | "success"
  >
>;

/** Between the actions of an answer. */
const SEPARATOR = " | ";

/** Steps across the largest room, from corner to corner, and a little more. */
const MOST_STEPS = 18;
const numbers = Array.from({ length: MOST_STEPS + 1 }, (_, n) => n);
const hours = Array.from({ length: 12 }, (_, i) => i + 1);
const turns = Array.from({ length: 7 }, (_, i) => 45 * (i + 1)).flatMap((degrees) => [degrees, -degrees]);

/** What an action changes; null if it has no effect. */
function changed(truth: SpatialTruth, action: Action): Change | null {
  const { facts } = truth;
  if (action.name === "Answer")
    return optionsIn(facts).includes(action.word) ? answered(facts, action.word) : null;
  if (action.name === "Map") return asksForMap(truth) ? answered(facts, action.parts.join("; ")) : null;
  if (!facts.exploring) return null;
  switch (action.name) {
    case "Rotate":
      return { yaw: 45 * rotated(facts.yaw / 45, action.degrees) };
    case "Term":
      return { exploring: false };
    case "JumpTo":
      return jumped(truth, action.object);
    case "Observe":
      return looked(facts);
  }
}

const optionsIn = ({ options }: Facts): string[] => options.split(" ");

const answered = (facts: Facts, given: string): Change => ({
  given,
  success: given === facts.answer,
  exploring: false,
});

function jumped(truth: SpatialTruth, name: string): Change | null {
  const object = objectsIn(truth).find((one) => one.name === name);
  if (!object || !seenIn(truth).includes(name)) return null;
  const [x, z] = object.beside;
  return x === truth.facts.x && z === truth.facts.z ? null : { x, z };
}

const looked = ({ x, z, yaw, observations, most }: Facts): Change => ({
  ...{ look_x: x, look_z: z, look_yaw: yaw },
  observations: observations + 1,
  exploring: observations + 1 < most,
});

/** The state after an action, in which nothing has been seen that was not seen before. */
function advance(truth: SpatialTruth, text: string): SpatialTruth {
  const reading = read(text);
  if (truth.facts.given !== "" || !("action" in reading)) return truth;
  const change = changed(truth, reading.action);
  return change ? { ...truth, facts: { ...truth.facts, ...change } } : truth;
}

/** The objects that the answer depends on: those that the question names, in its order, or all for a map. */
const asked = (truth: SpatialTruth): string[] =>
  asksForMap(truth)
    ? objectsIn(truth).map(({ name }) => name)
    : [...truth.facts.question.matchAll(/ the ([a-z]+)/g)].map(([, name]) => name).filter(isObject);

const isAllSeen = (truth: SpatialTruth): boolean =>
  asked(truth).every((name) => seenIn(truth).includes(name));

/**
 * The steps from the map to the answer, once all that the question names has been seen: where each object is from the start, or from
 * the first of three, its hour or its distance there, and what the two together mean. Each word follows from one or two just before it, or
 * repeats the last of its kind.
 */
function working(truth: SpatialTruth): string {
  if (asksForMap(truth) || !isAllSeen(truth)) return "";
  const names = asked(truth);
  const from = names.length === 3 ? names.shift() : undefined;
  const origin = from === undefined ? undefined : mapOffset(truth, from);
  const numbered = names.map((name) => ({ name, number: numberOf(truth, mapOffset(truth, name, from)) }));
  const objects = numbered.map(
    ({ name, number }) => `${SEMICOLON}${name} ${stepsTo(mapOffset(truth, name), origin)}${number.words}`,
  );
  const start = origin ? `${SEMICOLON}${FROM}${from} ${minus(origin)}` : "";
  const other = numbered.length === 2 ? the(numbered[0]!.number.short) : "";
  return `${start}${objects.join("")}${other}, ${conclusion(truth, names[0]!)}`;
}

/** "5 ahead 3 right"; from an origin at 2 ahead 4 right also "5 ahead minus 2 ahead is 3 ahead" and so on, and the difference. */
function stepsTo(offset: Offset, origin: Offset | undefined): string {
  if (!origin) return offsetText(offset);
  // Plus 0: -0 is 0.
  const difference: Offset = [offset[0] - origin[0] + 0, offset[1] - origin[1] + 0];
  const ahead = `${aheadText(offset)}minus ${aheadText(origin)}is ${aheadText(difference)}`;
  const right = `${rightText(offset)} minus ${rightText(origin)} is ${rightText(difference)}`;
  return [offsetText(offset), ahead, right, offsetText(difference)].join(COMMA);
}

const aheadText = ([ahead]: Offset): string => `${Math.abs(ahead)} ${ahead < 0 ? "back" : "ahead"} `;
const rightText = ([, right]: Offset): string => `${Math.abs(right)} ${right < 0 ? "left" : "right"}`;
const minus = (origin: Offset): string => `minus ${aheadText(origin)}minus ${rightText(origin)}`;

/** What is said of an offset: its hour, or how long it is where the question is about distance. */
function numberOf({ facts }: SpatialTruth, offset: Offset): { words: string; short: string } {
  const isDistance = facts.question.includes(WORDING.distance[0]);
  const number = isDistance ? stepsOf(offset) : hourOf(offset);
  return { words: isDistance ? away(number) : at(number), short: isDistance ? `${number}` : `at ${number}` };
}

/** What the answer says of the last object: where it is, or how it compares with the first. */
function conclusion({ facts }: SpatialTruth, first: string): string {
  const side = SIDES.find((one) => one === facts.answer);
  if (side) return BEARINGS[side];
  const words = facts.question.includes(WORDING.distance[0]) ? FARTHER : LATER;
  return words[facts.answer === first ? 0 : 1]!;
}

/** The second of two objects is farther or nearer, comes later or earlier, or is on a side. */
const FARTHER = ["farther", "nearer"];
const LATER = ["later", "earlier"];
const BEARINGS = { ahead: "straight ahead", right: "to the right", back: "behind", left: "to the left" };

const SEMICOLON = " ; ";
const COMMA = ", ";
const FROM = "from the ";
const at = (hour: number): string => ` at ${hour} o'clock`;
const away = (steps: number): string => ` ${steps} steps away`;
const the = (short: string): string => `, the other ${short}`;

/** The hour on a clock whose 12 is ahead. No offset in whole steps lies between two. */
function hourOf([ahead, right]: Offset): number {
  const hour = Math.round((6 * Math.atan2(right, ahead)) / Math.PI);
  return hour > 0 ? hour : hour + 12;
}

const stepsOf = ([ahead, right]: Offset): number =>
  Math.min(MOST_STEPS, Math.round(Math.sqrt(ahead * ahead + right * right)));

/** Any answer to the question, or a map of what has been seen. */
function heuristic(truth: SpatialTruth, random: Rng): string {
  const { facts } = truth;
  if (!asksForMap(truth)) return `Answer(${random.pick(optionsIn(facts))})`;
  const entries = mapWords(truth).filter((words) => !words.endsWith(NOT_SEEN));
  if (entries.length > 0) return `Map(${entries.join("; ")})`;
  if (!facts.exploring) return `Map(${objectsIn(truth)[0].name} 0 ahead 0 right)`;
  return facts.yaw === facts.look_yaw ? "Rotate(90)" : "Observe()";
}

/** An action of any kind, about the objects and the answers of the task. */
function anyAction(truth: SpatialTruth, random: Rng): string {
  const object = () => random.pick(objectsIn(truth)).name;
  const place = () =>
    `${random.int(6)} ${random.pick(["ahead", "back"])} ${random.int(6)} ${random.pick(["right", "left"])}`;
  const last = () =>
    asksForMap(truth) ? `Map(${object()} ${place()})` : `Answer(${random.pick(optionsIn(truth.facts))})`;
  const kinds = [
    () => `JumpTo(${object()})`,
    () => `Rotate(${random.pick(turns)})`,
    () => "Observe()",
    () => "Term()",
    last,
  ];
  return random.pick(kinds)();
}

/**
 * Looks round until all that is asked about has been seen; after three quarters of a turn, between the quarters. Without looks left it
 * guesses.
 */
function expert(truth: SpatialTruth, plan: readonly string[]): readonly string[] {
  const { facts } = truth;
  if (isAllSeen(truth)) return plan;
  if (!facts.exploring) return [];
  if (facts.yaw !== facts.look_yaw) return ["Observe()"];
  return [facts.observations % 4 === 3 ? "Rotate(45)" : "Rotate(90)", "Observe()"];
}

/** The language of SpatialGym. */
export const spatialGymTemplate: Template<WorldTruth> = {
  id: "spatial-gym",
  own: true,
  name: "SpatialGym",
  actions: EXAMPLES,
  separator: SEPARATOR,
  predicts: ["objects"],
  words: () => [
    "SpatialGym ",
    ...OBJECT_NAMES.flatMap((name) => [name, `${name} `, ` ${name}`]),
    ...[",", ":", "?", ` ${MAP_QUESTION}`],
    // The first part of a question follows a colon and a blank.
    ...QUESTION_KINDS.flatMap((kind) => WORDING[kind].map((words, i) => (i === 0 ? ` ${words}` : words))),
    ...["ahead", "back"].flatMap((way) => numbers.map((n) => `${n} ${way} `)),
    ...["right", "left"].flatMap((side) => numbers.map((n) => `${n} ${side}`)),
    ...[FROM, COMMA, " ; so Answer("],
    ...["ahead", "back"].flatMap((way) =>
      numbers.flatMap((n) => [`minus ${n} ${way} `, `minus ${n} ${way} is `]),
    ),
    ...["right", "left"].flatMap((way) =>
      numbers.flatMap((n) => [`minus ${n} ${way}`, ` minus ${n} ${way} is `]),
    ),
    ...hours.flatMap((hour) => [at(hour), the(`at ${hour}`)]),
    ...numbers.flatMap((steps) => [away(steps), the(`${steps}`)]),
    ...[...FARTHER, ...LATER, ...Object.values(BEARINGS)].map((words) => `, ${words}`),
    NOT_SEEN,
    SEMICOLON,
    " ; so ",
    ...turns.map((degrees) => `Rotate(${degrees})`),
    "a map",
    ...["JumpTo(", "Observe()", "Term()", "Answer(", "Map(", ")", "; "],
    ...SIDES.flatMap((side) => [side, ` facing ${side}`]),
    SEPARATOR,
  ],
  symbols: ["\n"],
  describe: (truth) => visibleWords(asSpatial(truth)).join(" ; ") || NOTHING,
  facts: (truth) => mapWords(asSpatial(truth)).join(" ; "),
  working: (truth) => working(asSpatial(truth)),
  decision: " ; so ",
  // Where `advance` leads, nothing has been seen that had not been seen before.
  predict: (truth) =>
    placesAfter(asSpatial(truth), asSpatial(truth))
      .flatMap(({ name, value, optional }) => (optional ? [] : `${name} ${value}`))
      .join(" ; ") || NOTHING,
  advance: (truth, action) => advance(asSpatial(truth), action),
  ended: (truth) => asSpatial(truth).facts.given !== "",
  heuristic: (truth, random) => heuristic(asSpatial(truth), random),
  anyAction: (truth, random) => anyAction(asSpatial(truth), random),
  expert: (truth, plan) => expert(asSpatial(truth), plan),
  /** A turn without a look shows nothing new. */
  actionsPerTurn: (_random, most) => most,
};
