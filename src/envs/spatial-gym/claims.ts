// What an agent can say about its view, and about where the objects of the task are from there: in steps ahead and to the right. The
// truth has these facts in metres; the words, their reading and their comparison are here.
import type { Camera } from "../../core/raster/camera.ts";
import type { ClaimRules, Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { outlineThrough } from "../navigation/claims.ts";
import { cameraAlong, GRID } from "../navigation/pose.ts";
import { ALONG, type Offset, seenAlong } from "./heading.ts";
import { inSteps, offsetText, STEP } from "./map.ts";
import { isObject } from "./objects.ts";

/** What a state says beside the objects in view. Lengths are metres, angles degrees clockwise from +z. */
interface SpatialFacts {
  question: string;
  /** The words that can answer it, with blanks between them; empty for a map. */
  options: string;
  /** The right answer. */
  answer: string;
  /** What was answered; empty before that. */
  given: string;
  success: boolean;
  /** Whether moving and looking are still possible. */
  exploring: boolean;
  /** Observations so far, without the view of the start, and how many there may be. */
  observations: number;
  most: number;
  /** Where the agent stands. */
  x: number;
  z: number;
  yaw: number;
  start_x: number;
  start_z: number;
  start_yaw: number;
  /** Where it looked last. */
  look_x: number;
  look_z: number;
  look_yaw: number;
  /** Names of the objects that have been in view, with blanks between them. */
  seen: string;
  /** Those of them that had been in view before the last action. */
  known: string;
  /** Every object of the task: "chair 1.25 3.4 1 3.1;…", its name, x, z, and x and z of the place beside it. */
  objects: string;
}

/** The truth of a state: things are the objects of the task that the last observation shows, nearest first. */
export type SpatialTruth = WorldTruth & { facts: SpatialFacts & WorldTruth["facts"] };

export const asSpatial = (truth: WorldTruth): SpatialTruth => truth as SpatialTruth;

/** A standpoint in the truth: where the agent is, where it began, or where it looked last. */
type Standpoint = "" | "start_" | "look_";

/** An object of the task, in metres. */
interface KnownObject {
  name: string;
  at: readonly [x: number, z: number];
  beside: readonly [x: number, z: number];
}

/** The objects as one fact. */
export const writeObjects = (objects: readonly KnownObject[]): string =>
  objects.map(({ name, at, beside }) => [name, ...at, ...beside].join(" ")).join(";");

/** All objects of the task. */
export const objectsIn = ({ facts }: SpatialTruth): KnownObject[] =>
  facts.objects.split(";").map((text) => {
    const [name, ...numbers] = text.split(" ");
    const [x, z, besideX, besideZ] = numbers.map(Number);
    return { name, at: [x, z], beside: [besideX, besideZ] };
  });

const namesIn = (list: string): readonly string[] => list.split(" ").filter((name) => name !== "");

/** The names of objects that have been in view. */
export const seenIn = ({ facts }: SpatialTruth): readonly string[] => namesIn(facts.seen);

/** A place in whole steps from a standpoint. */
function stepsFrom(standpoint: Standpoint, { facts }: SpatialTruth, [x, z]: readonly number[]): Offset {
  const along = ALONG[facts[`${standpoint}yaw`] / 45];
  const [ahead, right] = seenAlong(along, [x - facts[`${standpoint}x`], z - facts[`${standpoint}z`]]);
  return [inSteps(ahead * 100), inSteps(right * 100)];
}

/** "3 ahead 1 left". */
const wordsFrom = (standpoint: Standpoint, truth: SpatialTruth, at: readonly number[]): string =>
  offsetText(stepsFrom(standpoint, truth, at));

export const NOT_SEEN = "not seen";
/** What is said of a view without any object of the task. */
export const NOTHING = "nothing";

/** The visible objects: "chair 4 ahead 1 left". */
export const visibleWords = (truth: SpatialTruth): string[] =>
  truth.things.map(({ name, at }) => `${name} ${wordsFrom("look_", truth, at)}`);

/** Every object of the task from the start: "lamp 3 back 0 right", or "lamp not seen". */
export const mapWords = (truth: SpatialTruth): string[] =>
  objectsIn(truth).map(
    ({ name, at }) => `${name} ${seenIn(truth).includes(name) ? wordsFrom("start_", truth, at) : NOT_SEEN}`,
  );

/** Where the objects that had been seen before the last action are from where the agent looked last. */
export const knownPlaces = (truth: SpatialTruth): Statement[] =>
  objectsIn(truth).flatMap(({ name, at }) =>
    namesIn(truth.facts.known).includes(name) ? [{ name, value: wordsFrom("look_", truth, at), at }] : [],
  );

/** The name of the claim that there is nothing to name. */
const VIEW = "view";
const STATEMENT = new RegExp(
  `([a-z]+) (?:(\\d+) (ahead|back) (\\d+) (left|right)|${NOT_SEEN})|${NOTHING}`,
  "g",
);

/** How many steps a stated place may be off along either axis. */
const TOLERANCE = 1;

/**
 * How views are claimed under a field of view, by its tangent. A prediction says where all objects that have been seen will be from
 * where the agent looks; what it will see for the first time it cannot know.
 */
export function spatialClaims(tangent: number): ClaimRules {
  return {
    expected(scene, claim) {
      const truth = asSpatial(scene);
      const inView = truth.things.map(({ name, at }) => ({ name, value: wordsFrom("look_", truth, at), at }));
      const places = claim === "prediction" ? knownPlaces(truth) : inView;
      return places.length > 0 ? places : [{ name: VIEW, value: NOTHING }];
    },
    read: (text, truth) =>
      [...text.toLowerCase().matchAll(STATEMENT)].flatMap((found) => stated(found, asSpatial(truth))),
    agrees: (said, expected) =>
      said.at && expected.at ? isNear(said.value, expected.value) : said.value === expected.value,
    outline: ({ at }, truth) => (at ? outlineOf(asSpatial(truth), at, tangent) : null),
  };
}

function stated([, name, ahead, way, aside, side]: RegExpExecArray, truth: SpatialTruth): Statement[] {
  if (name === undefined) return [{ name: VIEW, value: NOTHING }];
  if (!isObject(name)) return [];
  const offset: Offset = [
    way === "back" ? -Number(ahead) : Number(ahead),
    side === "left" ? -Number(aside) : Number(aside),
  ];
  return [{ name, value: `${ahead} ${way} ${aside} ${side}`, at: placeAt(truth, offset) }];
}

/** The place that is some steps ahead and to the right of where the agent looked last, [x, z] in metres. */
function placeAt({ facts }: SpatialTruth, [ahead, right]: Offset): [number, number] {
  const [fx, fz] = ALONG[facts.look_yaw / 45];
  const step = STEP / 100;
  return [facts.look_x + (ahead * fx + right * fz) * step, facts.look_z + (ahead * fz - right * fx) * step];
}

/** Whether two offsets in words differ by at most the tolerance along each axis. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one, other].map(offsetIn);
  return a.every((value, axis) => Math.abs(value - b[axis]) <= TOLERANCE);
}

function offsetIn(words: string): number[] {
  const [ahead, way, aside, side] = words.split(" ");
  return [way === "back" ? -Number(ahead) : Number(ahead), side === "left" ? -Number(aside) : Number(aside)];
}

/** The camera of the last observation. */
function cameraIn({ facts }: SpatialTruth, tangent: number): Camera {
  const inGrid = (metres: number) => Math.round((metres * 100) / GRID);
  const place = { x: inGrid(facts.look_x), z: inGrid(facts.look_z), tilt: 0 };
  return cameraAlong(place, ALONG[facts.look_yaw / 45], tangent);
}

const outlineOf = (truth: SpatialTruth, at: readonly number[], tangent: number): Outline | null =>
  outlineThrough(cameraIn(truth, tangent), at);
