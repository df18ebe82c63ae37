// Maps: how they are written, read and scored.

import { offsetText } from "../navigation/claims.ts";
import { readOffset } from "../navigation/offsets.ts";
import { type Offset, SIDES, type Side } from "./heading.ts";
import { hasFront, isObject, type Origin, type Placed } from "./objects.ts";
import { fromStart } from "./questions.ts";

/** Length of a step in centimetres. */
export const STEP = 50;

/** What a map says about an object: where it is in steps from the start, and which way its front faces. */
export interface Entry {
  name: string;
  offset: Offset;
  facing?: Side;
}

// Of JSON, numbers below a millionth have an exponent.
const MOVE = "\\d+(?:\\.\\d+)?(?:e-\\d+)? (?:ahead|back|left|right)";
const ENTRY = new RegExp(`^([a-z]+) (${MOVE}(?:,? ${MOVE})?)(?:,? facing (ahead|right|back|left))?$`);

/** The text without unneeded blanks, in small letters. */
const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** The parts of a map's text, readable or not. A text that begins with a brace is VAGEN's JSON. */
export const partsOf = (text: string): string[] =>
  (text.trim().startsWith("{") ? fromJson(text) : tidy(text).split(";"))
    .map((part) => part.replace(/[{}]/g, "").trim())
    .filter((part) => part !== "");

/** What a part of a map says; null if it cannot be read. */
export function readEntry(part: string): Entry | null {
  const [, name, words, facing] = ENTRY.exec(part) ?? [];
  if (name === undefined || !isObject(name)) return null;
  const offset = readOffset(words);
  return offset && { name, offset, ...(facing !== undefined && { facing: facing as Side }) };
}

const COMPASS = ["north", "east", "south", "west"];

/** VAGEN's form, with the start at [0, 0] and its heading as north, in words. What has no such form stays as it is written. */
function fromJson(text: string): string[] {
  let map: object;
  try {
    map = JSON.parse(text.toLowerCase());
  } catch {
    return [tidy(text)];
  }
  return Object.entries(map).map(
    ([name, said]) => jsonEntry(name, said) ?? `${name} ${JSON.stringify(said)}`,
  );
}

function jsonEntry(name: string, said: { position?: unknown; facing?: unknown } | null): string | null {
  const position = said?.position;
  if (!Array.isArray(position) || position.length !== 2 || !position.every(Number.isFinite)) return null;
  const [right, ahead] = position;
  const facing = SIDES[COMPASS.indexOf(String(said?.facing))];
  return entryText({ name, offset: [ahead, right], ...(facing && { facing }) });
}

/** "chair 3 ahead 1 left facing back". */
const entryText = ({ name, offset, facing }: Entry): string =>
  `${name} ${offsetText(offset)}${facing === undefined ? "" : ` facing ${facing}`}`;

/** Which way an object's front faces, seen from the start. */
export const facingOf = ({ turn }: Placed, start: Origin): Side => SIDES[(turn - start.turn + 4) % 4];

/** Half steps round up whatever the last digit of their sum is. */
const ROUNDING = 1e-9;

/** A length in steps, rounded. Plus 0: -0 is 0. */
export const inSteps = (centimetres: number): number => Math.round(centimetres / STEP + ROUNDING) + 0;

/** The right map, in whole steps. */
export const mapOf = (objects: readonly Placed[], start: Origin): string =>
  objects
    .map((object) => {
      const [ahead, right] = fromStart(start, object);
      const facing = hasFront(object) && { facing: facingOf(object, start) };
      return entryText({ name: object.name, offset: [inSteps(ahead), inSteps(right)], ...facing });
    })
    .join("; ");

/** The parts of a map's score, each from 0 to 1. */
interface MapParts {
  dir: number;
  facing: number;
  pos: number;
  /** How many of the objects the agent has seen. */
  coverage: number;
}

/** Cosine of 22.5°: a direction that is less far off is right, which one in eight is by chance. */
const COSINE = 0.9238795325112867;
/** Distance in centimetres from which a place counts nothing. */
const FAR = 200;

/** How right a map is, apart from what was explored. Of several entries about one object the first counts; those about other objects count for nothing. */
export function compareMap(
  entries: readonly Entry[],
  objects: readonly Placed[],
  start: Origin,
): Omit<MapParts, "coverage"> {
  const mean = (among: readonly Placed[], score: (object: Placed, said: Entry) => number) => {
    const scores = among.map((object) => {
      const said = entries.find(({ name }) => name === object.name);
      return said ? score(object, said) : 0;
    });
    return scores.reduce((sum, one) => sum + one, 0) / scores.length;
  };
  return {
    dir: mean(objects, (object, said) => Number(pointsTo(fromStart(start, object), said.offset))),
    facing: mean(objects.filter(hasFront), (object, said) => Number(said.facing === facingOf(object, start))),
    pos: mean(objects, (object, said) => closeness(fromStart(start, object), said.offset)),
  };
}

function pointsTo([ahead, right]: Offset, [a, r]: Offset): boolean {
  const lengths = Math.sqrt((ahead * ahead + right * right) * (a * a + r * r));
  return lengths > 0 && ahead * a + right * r >= COSINE * lengths;
}

function closeness([ahead, right]: Offset, [a, r]: Offset): number {
  const [da, dr] = [ahead - a * STEP, right - r * STEP];
  return Math.max(0, 1 - Math.sqrt(da * da + dr * dr) / FAR);
}

/** VAGEN's score of a map: what its parts are above chance, from 0 to 29/32. */
export const partsScore = ({ dir, facing, pos, coverage }: MapParts): number =>
  (Math.max(0, dir - 1 / 8) + Math.max(0, facing - 1 / 4) + pos + coverage) / 4;

/** The score of a map, from 0 to 29/32. A map that has none of the objects is worth nothing, however much was explored. */
export function mapScore(
  entries: readonly Entry[],
  { objects, start, seen }: { objects: readonly Placed[]; start: Origin; seen: number },
): number {
  if (!objects.some((object) => entries.some(({ name }) => name === object.name))) return 0;
  return partsScore({ ...compareMap(entries, objects, start), coverage: seen / objects.length });
}
