// The level of a seed: a room, a start, objects that can be seen from there, and a question about them.
import { EnvError } from "../../core/errors.ts";
import { type Rng, rng } from "../../core/rng.ts";
import { drawHome } from "../navigation/draw-home.ts";
import { type Ground, groundOf } from "../navigation/ground.ts";
import { boundsOf, FAMILIES, type Home } from "../navigation/home.ts";
import { isKind } from "../navigation/kinds.ts";
import { squaredDistanceTo } from "../navigation/plan.ts";
import { cameraAlong, GRID, type Quarter } from "../navigation/pose.ts";
import { pixelsThrough } from "../navigation/view.ts";
import { QUESTION_KINDS, type QuestionKind, type SpatialGymConfig } from "./config.ts";
import { ALONG, type Heading, type Pose } from "./heading.ts";
import { mapOf } from "./map.ts";
import { hasFront, type Origin, type Placed } from "./objects.ts";
import { ANSWERS, ask, MAP_QUESTION, type Question } from "./questions.ts";

/** A place on the floor in steps of Navigation's grid. */
interface Place {
  x: number;
  z: number;
}

export interface LevelObject extends Placed {
  /** Index among the things of the home. */
  index: number;
  /** Where the agent stands when it jumps to it. */
  beside: Place;
}

export interface Level {
  home: Home;
  start: Pose;
  objects: readonly LevelObject[];
  /** The question; its text begins with the names of the objects. */
  question: Question;
}

/** What the level depends on besides the seed. */
type LevelOptions = Pick<SpatialGymConfig, "task" | "objects"> & {
  /** Tangent of half the field of view. */
  tangent: number;
};

/** Rooms that are tried before a search gives up: 4 in 10 have a level, and 4 in 100 for the rarest answers and smallest views. */
const TRIES = 2000;

/** @throws EnvError("unsolvable_level") if no room has enough objects that can be seen; no known seed leads to this. */
export function drawLevel(seed: number, options: LevelOptions): Level {
  const random = rng(seed).fork("spatial gym");
  const wanted = wantedOf(options.task, random);
  for (let i = 0; i < TRIES; i++) {
    const level = tryRoom(random.fork(`room ${i}`), options, wanted);
    if (level) return level;
  }
  throw new EnvError(
    "unsolvable_level",
    `None of ${TRIES} rooms has ${options.objects} objects for a level at seed ${seed}.`,
    "Use fewer objects, or another seed.",
  );
}

/** The kind of a question and the index of its right answer; both are drawn first, so that no room favours any. */
type Wanted = { kind: QuestionKind; answer: number } | null;

function wantedOf(task: SpatialGymConfig["task"], random: Rng): Wanted {
  if (task === "map") return null;
  const kind = task === "questions" ? random.pick(QUESTION_KINDS) : task;
  return { kind, answer: random.int(ANSWERS[kind]) };
}

function tryRoom(random: Rng, options: LevelOptions, wanted: Wanted): Level | null {
  const home = drawHome(random.pick(FAMILIES), random.u32());
  if (home.rooms.length > 1) return null;
  const free = freePlaces(groundOf(home));
  const place = random.pick(middlePlaces(home, free));
  const turn = random.int(4) as Quarter;
  const start = { ...place, heading: (2 * turn) as Heading };
  const origin = { x: place.x * GRID, z: place.z * GRID, turn };
  const objects = spread(random.shuffle(objectsOf(home)), origin, options.objects);
  if (objects.length < options.objects || !objects.some(hasFront)) return null;
  const question = questionAbout(objects, origin, wanted, random);
  // Drawing takes longest, so it comes last.
  if (!question || !areSeenFrom(home, place, options.tangent, objects)) return null;
  const beside = (object: Candidate) => ({ ...object, beside: nearestTo(object, free) });
  return { home, start, question, objects: objects.map(beside) };
}

/** How far from the middle of the room the agent starts, at most, in centimetres. */
const OFF_MIDDLE = 80;

/** Free places near the middle of a room, or else the one that is nearest to it. */
function middlePlaces({ rooms }: Home, free: readonly Place[]): Place[] {
  const { x0, x1, z0, z1 } = boundsOf(rooms[0].polygon);
  const middle = { x: (x0 + x1) / 2, z: (z0 + z1) / 2 };
  const near = free.filter(({ x, z }) => squaredDistanceTo(middle, x, z) <= OFF_MIDDLE * OFF_MIDDLE);
  return near.length > 0 ? near : [nearestTo(middle, free)];
}

function freePlaces({ x0, z0, cols, free }: Ground): Place[] {
  const places: Place[] = [];
  for (let i = 0; i < free.length; i++)
    if (free[i]) places.push({ x: x0 + (i % cols), z: z0 + Math.floor(i / cols) });
  return places;
}

/** The free place that is nearest to a point in centimetres; of equally near ones the first along x, then z. */
function nearestTo(point: { x: number; z: number }, free: readonly Place[]): Place {
  const distance = ({ x, z }: Place) => squaredDistanceTo(point, x, z);
  return free.reduce((best, place) => (distance(place) < distance(best) ? place : best));
}

/** Side of the picture in which an object has to show, in pixels, and in how many of them; in fewer no policy can tell what it is. */
const JUDGED = { side: 64, pixels: 12 };

/** The share of a picture's pixels from which an object shows in it. */
export const SHOWS_FROM = JUDGED.pixels / JUDGED.side ** 2;

type Candidate = Placed & { index: number };

/** The things of a room that can be objects of a task. */
const objectsOf = ({ things }: Home): Candidate[] =>
  things.flatMap(({ kind, x, z, turn }, index) => (isKind(kind) ? [{ name: kind, x, z, turn, index }] : []));

/** Whether each object shows well from a place in one of four headings. */
function areSeenFrom(home: Home, place: Place, tangent: number, objects: readonly Candidate[]): boolean {
  const views = [0, 2, 4, 6].map((heading) => {
    const camera = cameraAlong({ ...place, tilt: 0 }, ALONG[heading], tangent);
    return pixelsThrough(home, camera, JUDGED.side);
  });
  return objects.every(({ index }) => views.some((pixels) => pixels[index] >= JUDGED.pixels));
}

/** How far objects are from each other and from the start, at least, in centimetres. */
const SPREAD = 80;

/** The first objects that are far enough from the start and from those before them. */
function spread(candidates: readonly Candidate[], start: Origin, count: number): Candidate[] {
  const chosen: Candidate[] = [];
  const isFar = (a: Place, b: Place) => (a.x - b.x) ** 2 + (a.z - b.z) ** 2 >= SPREAD * SPREAD;
  for (const one of candidates) {
    const isNew = chosen.every((other) => other.name !== one.name && isFar(other, one));
    if (chosen.length < count && isNew && isFar(start, one)) chosen.push(one);
  }
  return chosen;
}

/** "chair, table, lamp: which …?" */
function questionAbout(
  objects: readonly Placed[],
  start: Origin,
  wanted: Wanted,
  random: Rng,
): Question | null {
  const asked = wanted
    ? ask(wanted.kind, wanted.answer, objects, start, random)
    : { text: MAP_QUESTION, options: [], answer: mapOf(objects, start) };
  return asked && { ...asked, text: `${objects.map(({ name }) => name).join(", ")}: ${asked.text}` };
}
