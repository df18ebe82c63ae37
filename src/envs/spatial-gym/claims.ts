// What an agent can say about its view, and about where the objects of the task are from there: in steps ahead and to the right. The
// truth has these facts in metres; the words, their reading and their comparison are here.

import { claimText, GAP, LINK } from "../../core/claim-words.ts";
import { deniedView, NOTHING, NOTHING_IN_VIEW } from "../../core/empty-view.ts";
import { hasAlternative, OR_ELSE } from "../../core/hedges.ts";
import { affirmed } from "../../core/negation.ts";
import type { Camera } from "../../core/raster/camera.ts";
import type { ClaimRules, Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { finite, offsetText, outlineThrough } from "../navigation/claims.ts";
import { deniedThings, NOT_IN_VIEW } from "../navigation/denied-things.ts";
import { NAME } from "../navigation/listed-things.ts";
import { OFFSET, readOffset } from "../navigation/offsets.ts";
import { kindNamed } from "../navigation/phrases.ts";
import { cameraAlong, GRID } from "../navigation/pose.ts";
import { ALONG, type Offset, SIDES, type Side, seenAlong } from "./heading.ts";
import { inSteps, STEP } from "./map.ts";

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
  /** Every object of the task: "chair 1.25 3.4 1 3.1 back;…", its name, x, z, x and z of the place beside it, and which way it faces. */
  objects: string;
}

/** The truth of a state: things are the objects of the task that the last observation shows, nearest first. */
export type SpatialTruth = WorldTruth & { facts: SpatialFacts & WorldTruth["facts"] };

export const asSpatial = (truth: WorldTruth): SpatialTruth => truth as SpatialTruth;

/** A standpoint in the truth: where the agent is, where it began, or where it looked last. */
type Standpoint = "" | "start_" | "look_";

/** An object of the task, in metres. */
export interface KnownObject {
  name: string;
  at: readonly [x: number, z: number];
  beside: readonly [x: number, z: number];
  /** Which way its front faces, seen from the start; absent without a front. */
  facing?: Side;
}

/** The objects as one fact. */
export const writeObjects = (objects: readonly KnownObject[]): string =>
  objects
    .map(({ name, at, beside, facing = [] }) => [name, ...at, ...beside, facing].flat().join(" "))
    .join(";");

/** All objects of the task. */
export const objectsIn = ({ facts }: SpatialTruth): KnownObject[] =>
  facts.objects.split(";").map((text) => {
    const [name, x, z, besideX, besideZ, facing] = text.split(" ");
    return {
      name,
      at: [Number(x), Number(z)],
      beside: [Number(besideX), Number(besideZ)],
      ...(facing !== undefined && { facing: facing as Side }),
    };
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

/** Where an object is from the start, or from another object, in whole steps along the start's heading: what follows from the words of a map. */
export function mapOffset(truth: SpatialTruth, name: string, from?: string): Offset {
  const [ahead, right] = stepsFrom("start_", truth, objectsIn(truth).find((one) => one.name === name)!.at);
  if (from === undefined) return [ahead, right];
  const origin = mapOffset(truth, from);
  // Plus 0: -0 is 0.
  return [ahead - origin[0] + 0, right - origin[1] + 0];
}

/** "3 ahead 1 left". */
const wordsFrom = (standpoint: Standpoint, truth: SpatialTruth, at: readonly number[]): string =>
  offsetText(stepsFrom(standpoint, truth, at));

export const NOT_SEEN = "not seen";

/** The visible objects: "chair 4 ahead 1 left". */
export const visibleWords = (truth: SpatialTruth): string[] =>
  truth.things.map(({ name, at }) => `${name} ${wordsFrom("look_", truth, at)}`);

/** A map is asked for. */
export const asksForMap = ({ facts }: SpatialTruth): boolean => facts.options === "";

/** " facing back", where a map is asked for and the object has a front. */
const facingWords = (truth: SpatialTruth, { facing }: KnownObject): string =>
  asksForMap(truth) && facing !== undefined ? ` facing ${facing}` : "";

/** What a text shows of the view: the visible objects, and for a map which way they face. */
export const viewLines = (truth: SpatialTruth): string[] =>
  visibleWords(truth).map(
    (words, i) =>
      words + facingWords(truth, objectsIn(truth).find(({ name }) => name === truth.things[i].name)!),
  );

/** Every object of the task from the start: "lamp 3 back 0 right", or "lamp not seen". */
export const mapWords = (truth: SpatialTruth): string[] =>
  objectsIn(truth).map((object) =>
    seenIn(truth).includes(object.name)
      ? `${object.name} ${wordsFrom("start_", truth, object.at)}${facingWords(truth, object)}`
      : `${object.name} ${NOT_SEEN}`,
  );

/** Where all objects are from where the agent looked last. Those that had not been seen before need not be said. */
export const placesAfter = (truth: SpatialTruth, before: SpatialTruth): Statement[] =>
  objectsIn(truth).map(
    ({ name, at }): Statement => ({
      name,
      value: wordsFrom("look_", truth, at),
      at,
      ...(!seenIn(before).includes(name) && { optional: true as const }),
    }),
  );

/** The name of the claim that there is nothing to name. */
const VIEW = "view";
const FACING = `(?:${GAP})facing\\s+(?:to\\s+)?(?:the\\s+)?(${SIDES.join("|")})\\b`;
const STATEMENT = new RegExp(`(${NAME})${LINK}(?:[([]\\s*)?(${OFFSET})(?:${FACING})?`, "gu");

/** A place, and which way the front of what is there faces, seen from the start; absent if it has none or none is said. */
type FacingStatement = Statement & { facing?: Side };

/** What can be said of a place of the truth, with the front of the object; it is written where a map is asked for. */
function withFront(truth: SpatialTruth, fact: Statement): FacingStatement {
  const object = objectsIn(truth).find(({ name }) => name === fact.name);
  if (object?.facing === undefined) return fact;
  return { ...fact, value: fact.value + facingWords(truth, object), facing: object.facing };
}

/** How many steps a stated place may be off along either axis. */
const TOLERANCE = 1;

/**
 * How views are claimed under a field of view, by its tangent. A prediction says where all objects that have been seen will be from
 * where the agent looks; what it will see for the first time it cannot know, and may leave out.
 */
export function spatialClaims(tangent: number): ClaimRules {
  return {
    expected(scene, claim, before = scene) {
      const truth = asSpatial(scene);
      const inView: Statement[] = truth.things.map(({ name, at }) => ({
        name,
        value: wordsFrom("look_", truth, at),
        at,
      }));
      const places = (claim === "prediction" ? placesAfter(truth, asSpatial(before)) : inView).map((fact) =>
        withFront(truth, fact),
      );
      return [...places, ...aboutView(truth, places)];
    },
    read(text, truth) {
      const words = claimText(text);
      const denied = deniedView(words);
      return [
        ...affirmed(words, STATEMENT).map((found) =>
          stated(found, asSpatial(truth), hasAlternative(words, found)),
        ),
        ...falseDenials(words, truth),
        ...(denied === null ? [] : [{ name: VIEW, value: denied }]),
      ];
    },
    agrees: (said, expected) =>
      said.at && expected.at
        ? isNear(said.value, expected.value) && isFront(said, expected)
        : said.value === expected.value || isEmptyAsSaid(said, expected),
    outline: ({ at }, truth) => (at ? outlineOf(asSpatial(truth), at, tangent) : null),
  };
}

/** What can be said of the view as a whole; `isNews`: it shows something that had not been seen before. */
type ViewStatement = Statement & { isNews?: true };

/**
 * What can be said of a view beside `places`. Where no place must be said, "nothing" may be: that there is nothing to name. That nothing is
 * in view is another claim, which is right only where nothing is.
 */
function aboutView({ things }: SpatialTruth, places: readonly Statement[]): ViewStatement[] {
  const isEmpty = things.length === 0;
  if (places.some(({ optional }) => !optional))
    return isEmpty ? [{ name: VIEW, value: NOTHING_IN_VIEW, optional: true }] : [];
  const { length } = places;
  return [
    {
      name: VIEW,
      value: NOTHING,
      ...(length > 0 && { optional: true as const }),
      ...(!isEmpty && { isNews: true as const }),
    },
  ];
}

/** Whether a view is said to be empty where it is, and "nothing" would say so, too. */
const isEmptyAsSaid = (said: Statement, { value, isNews }: ViewStatement): boolean =>
  said.value === NOTHING_IN_VIEW && value === NOTHING && !isNews;

/** What is said not to be in view and is. True denials say nothing that a claim should say. */
const falseDenials = (words: string, { things }: WorldTruth): Statement[] =>
  deniedThings(words)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== undefined && things.some(({ name }) => name === kind))
    .map((kind) => ({ name: kind!, value: NOT_IN_VIEW }));

/** A statement; one with an alternative gives no place. */
function stated(
  [, name, words, facing]: RegExpExecArray,
  truth: SpatialTruth,
  isOpen: boolean,
): FacingStatement {
  const offset = isOpen ? null : readOffset(words);
  // Parts that contradict each other give no place, which is wrong wherever the object is.
  const value = offset ? offsetText(offset) : words + (isOpen ? OR_ELSE : "");
  const front = facing === undefined ? null : { facing: facing as Side };
  return {
    name: kindNamed(name),
    value: front ? `${value} facing ${facing}` : value,
    ...(offset && { at: placeAt(truth, offset) }),
    ...front,
  };
}

/** Whether what is said of a front is right, if anything is. */
const isFront = (said: FacingStatement, expected: FacingStatement): boolean =>
  said.facing === undefined || said.facing === expected.facing;

/** The place that is some steps ahead and to the right of where the agent looked last, [x, z] in metres. */
function placeAt({ facts }: SpatialTruth, [ahead, right]: Offset): [number, number] {
  const [fx, fz] = ALONG[facts.look_yaw / 45];
  const step = STEP / 100;
  return [facts.look_x + (ahead * fx + right * fz) * step, facts.look_z + (ahead * fz - right * fx) * step];
}

/** The place that the words of a claim give, [x, z] in metres; null if they give none, and for a state from elsewhere that has no heading. */
export function claimedPlace(truth: SpatialTruth, words: string): readonly number[] | null {
  const offset = readOffset(words);
  return offset && ALONG[truth.facts.look_yaw / 45] ? finite(placeAt(truth, offset)) : null;
}

/** Whether two offsets in words differ by at most the tolerance along each axis. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one, other].map((words) => readOffset(words)!);
  return a.every((value, axis) => Math.abs(value - b[axis]) <= TOLERANCE);
}

/** The camera of the last observation. */
export function cameraIn({ facts }: SpatialTruth, tangent: number): Camera {
  const inGrid = (metres: number) => Math.round((metres * 100) / GRID);
  const place = { x: inGrid(facts.look_x), z: inGrid(facts.look_z), tilt: 0 };
  return cameraAlong(place, ALONG[facts.look_yaw / 45], tangent);
}

const outlineOf = (truth: SpatialTruth, at: readonly number[], tangent: number): Outline | null =>
  outlineThrough(cameraIn(truth, tangent), at);
