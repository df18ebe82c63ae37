// SpatialGym in words: what the view shows, and in every turn the map so far, in steps from the start. The context of a policy has its
// earlier turns, so what it has said is what it remembers. Before an answer come the steps from the map to it.
import { NOTHING } from "../../core/empty-view.ts";
import type { Rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { type Action, read } from "../../envs/spatial-gym/actions.ts";
import {
  asksForMap,
  asSpatial,
  type KnownObject,
  mapWords,
  NOT_SEEN,
  objectsIn,
  placesAfter,
  type SpatialTruth,
  seenIn,
  visibleWords,
} from "../../envs/spatial-gym/claims.ts";
import { EXAMPLES, QUESTION_KINDS } from "../../envs/spatial-gym/config.ts";
import { rotated, SIDES } from "../../envs/spatial-gym/heading.ts";
import { isObject, OBJECT_NAMES } from "../../envs/spatial-gym/objects.ts";
import { MAP_QUESTION, WORDING } from "../../envs/spatial-gym/questions.ts";
import { MOST_STEPS, stepsToAnswer, workingWords } from "./spatial-gym-working.ts";
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

const numbers = Array.from({ length: MOST_STEPS + 1 }, (_, n) => n);
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

/** What leads from the map to the answer, once all that the question names has been seen. */
const working = (truth: SpatialTruth): string =>
  asksForMap(truth) || !isAllSeen(truth) ? "" : stepsToAnswer(truth, asked(truth));

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
 * Where to look next: the farthest object from the start that has been seen (`canBeFound` in `level.ts` promises that the second room shows
 * from beside it), and where the agent stands beside that already, the next farthest.
 */
function nextPlace(truth: SpatialTruth): string | undefined {
  const { x, z, start_x, start_z } = truth.facts;
  const distance = ({ at }: KnownObject) => Math.hypot(at[0] - start_x, at[1] - start_z);
  const isHere = ({ beside }: KnownObject) => beside[0] === x && beside[1] === z;
  const seen = objectsIn(truth)
    .filter(({ name }) => seenIn(truth).includes(name))
    .sort((one, other) => distance(other) - distance(one));
  const here = seen.findIndex(isHere);
  const inTurn = [...seen.slice(here + 1), ...seen.slice(0, here + 1)];
  return inTurn.find((object) => !isHere(object))?.name;
}

/** A full turn has this many degrees. */
const FULL_TURN = 360;

/**
 * Looks round until all that is asked about has been seen: at each place in the start's heading and its three quarters to the right, then
 * beside another object. Without looks left it guesses.
 */
function expert(truth: SpatialTruth, plan: readonly string[]): readonly string[] {
  const { facts } = truth;
  if (isAllSeen(truth)) return plan;
  if (!facts.exploring) return [];
  const turned = (facts.yaw - facts.start_yaw + FULL_TURN) % FULL_TURN;
  const isLastQuarter = turned >= FULL_TURN * 0.75;
  /** Back into the start's heading. */
  const turnBack = turned > 0 ? [`Rotate(${FULL_TURN - turned})`] : [];
  const hasMoved = facts.x !== facts.look_x || facts.z !== facts.look_z;
  if (hasMoved) return [...(isLastQuarter ? turnBack : []), "Observe()"];
  if (facts.yaw !== facts.look_yaw) return ["Observe()"];
  if (!isLastQuarter) return ["Rotate(90)", "Observe()"];
  const next = nextPlace(truth);
  return next === undefined ? ["Rotate(45)", "Observe()"] : [`JumpTo(${next})`, ...turnBack, "Observe()"];
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
    ...workingWords(numbers),
    NOT_SEEN,
    " ; ",
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
  players: {
    random: "One action a turn, of a random kind, about the objects and the answers of the task.",
    expert: "it looks until it has seen what it is asked about, then gives the right answer",
    heuristic: "Gives any answer to the question at once, or a map of the first objects that it sees.",
    oracle: "Gives the right answer at once, or the right map as soon as it has looked often enough.",
  },
  heuristic: (truth, random) => heuristic(asSpatial(truth), random),
  anyAction: (truth, random) => anyAction(asSpatial(truth), random),
  expert: (truth, plan) => expert(asSpatial(truth), plan),
  /** A turn without a look shows nothing new. */
  actionsPerTurn: (_random, most) => most,
};
