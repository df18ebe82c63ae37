// SpatialGym in words: what the view shows, and in every turn the map so far, in steps from the start. The context of a policy has its
// earlier turns, so what it has said is what it remembers.
import type { Rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { type Action, read } from "../../envs/spatial-gym/actions.ts";
import {
  asSpatial,
  knownPlaces,
  mapWords,
  NOT_SEEN,
  NOTHING,
  objectsIn,
  type SpatialTruth,
  seenIn,
  visibleWords,
} from "../../envs/spatial-gym/claims.ts";
import { EXAMPLES, QUESTION_KINDS } from "../../envs/spatial-gym/config.ts";
import { rotated, SIDES } from "../../envs/spatial-gym/heading.ts";
import { OBJECT_NAMES } from "../../envs/spatial-gym/objects.ts";
import { MAP_QUESTION, WORDING } from "../../envs/spatial-gym/questions.ts";
import type { Template } from "./template.ts";

type Facts = SpatialTruth["facts"];

/** Between the actions of an answer. */
const SEPARATOR = " | ";

/** Steps across the largest room, from corner to corner, and a little more. */
const MOST_STEPS = 18;
const numbers = Array.from({ length: MOST_STEPS + 1 }, (_, n) => n);
const turns = Array.from({ length: 7 }, (_, i) => 45 * (i + 1)).flatMap((degrees) => [degrees, -degrees]);

/** What an action changes; null if it has no effect. */
function changed(truth: SpatialTruth, action: Action): Partial<Facts> | null {
  const { facts } = truth;
  const asksForMap = facts.options === "";
  if (action.name === "Answer") return asksForMap ? null : answered(facts, action.word);
  if (action.name === "Map") return asksForMap ? answered(facts, action.parts.join("; ")) : null;
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

const answered = (facts: Facts, given: string): Partial<Facts> => ({
  given,
  success: given === facts.answer,
  exploring: false,
});

function jumped(truth: SpatialTruth, name: string): Partial<Facts> | null {
  const object = objectsIn(truth).find((one) => one.name === name);
  if (!object || !seenIn(truth).includes(name)) return null;
  const [x, z] = object.beside;
  return x === truth.facts.x && z === truth.facts.z ? null : { x, z };
}

const looked = ({ x, z, yaw, observations, most }: Facts): Partial<Facts> => ({
  ...{ look_x: x, look_z: z, look_yaw: yaw },
  observations: observations + 1,
  exploring: observations + 1 < most,
});

/** The state after an action, in which nothing has been seen that was not seen before. */
function advance(truth: SpatialTruth, text: string): SpatialTruth {
  const reading = read(text);
  if (truth.facts.given !== "" || !("action" in reading)) return truth;
  const change = changed(truth, reading.action);
  return change ? { ...truth, facts: { ...truth.facts, ...change, known: truth.facts.seen } } : truth;
}

/** The objects that the answer depends on: those that the question names, or all for a map. */
function asked(truth: SpatialTruth): string[] {
  const question = truth.facts.question.split(": ")[1] ?? "";
  const names = objectsIn(truth).map(({ name }) => name);
  return truth.facts.options === "" ? names : names.filter((name) => question.includes(` the ${name}`));
}

/** Any answer to the question, or a map of what has been seen. */
function heuristic(truth: SpatialTruth, random: Rng): string {
  if (truth.facts.options !== "") return `Answer(${random.pick(truth.facts.options.split(" "))})`;
  const entries = mapWords(truth).filter((words) => !words.endsWith(NOT_SEEN));
  return entries.length > 0 ? `Map(${entries.join("; ")})` : "Rotate(90)";
}

/** Looks round until all that is asked about has been seen; after three quarters of a turn, between the quarters. */
function expert(truth: SpatialTruth, plan: readonly string[]): readonly string[] {
  const { facts } = truth;
  const isKnown = asked(truth).every((name) => seenIn(truth).includes(name));
  if (isKnown || !facts.exploring) return plan;
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
    NOT_SEEN,
    " ; ",
    " ; so ",
    ...turns.map((degrees) => `Rotate(${degrees})`),
    ...["JumpTo(", "Observe()", "Term()", "Answer(", "Map(", ")", "; "],
    ...SIDES.flatMap((side) => [side, ` facing ${side}`]),
    SEPARATOR,
  ],
  symbols: ["\n"],
  describe: (truth) => visibleWords(asSpatial(truth)).join(" ; ") || NOTHING,
  facts: (truth) => mapWords(asSpatial(truth)).join(" ; "),
  decision: " ; so ",
  predict: (truth) =>
    knownPlaces(asSpatial(truth))
      .map(({ name, value }) => `${name} ${value}`)
      .join(" ; ") || NOTHING,
  advance: (truth, action) => advance(asSpatial(truth), action),
  ended: (truth) => asSpatial(truth).facts.given !== "",
  heuristic: (truth, random) => heuristic(asSpatial(truth), random),
  expert: (truth, plan) => expert(asSpatial(truth), plan),
  /** A turn without a look shows nothing new. */
  actionsPerTurn: (_random, most) => most,
};
