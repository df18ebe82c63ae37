// The level of a seed: one room or two, a start, objects that can be found from there, and a question about them.
import { EnvError } from "../../core/errors.ts";
import { keepLast } from "../../core/keep-last.ts";
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
type LevelOptions = Pick<SpatialGymConfig, "task" | "objects" | "rooms"> & {
  /** Tangent of half the field of view. */
  tangent: number;
};

/** The episodes of a group begin in the same level. */
const recall = keepLast<Level>(64);

/** The level of a seed. The last ones are kept. @throws EnvError as `drawLevel` does. */
export const levelOf = (seed: number, { task, objects, rooms, tangent }: LevelOptions): Level =>
  recall(`${seed} ${task} ${objects} ${rooms} ${tangent}`, () =>
    drawLevel(seed, { task, objects, rooms, tangent }),
  );

/** Homes that are tried before a search gives up. With one room 4 in 10 have a level, and 4 in 100 for the rarest answers and smallest views. */
const TRIES = 2000;

/** @throws EnvError("unsolvable_level") if no home has enough objects that can be found; no known seed leads to this. */
export function drawLevel(seed: number, options: LevelOptions): Level {
  const random = rng(seed).fork("spatial gym");
  const wanted = wantedOf(options.task, random);
  for (let i = 0; i < TRIES; i++) {
    const level = tryHome(random.fork(`room ${i}`), options, wanted);
    if (level) return level;
  }
  throw new EnvError(
    "unsolvable_level",
    `None of ${TRIES} homes has ${options.objects} objects for a level at seed ${seed}.`,
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

/** How many choices of heading and objects are tried in a home. With two rooms, its views are drawn before. */
const CHOICES = [1, 8] as const;

function tryHome(random: Rng, options: LevelOptions, wanted: Wanted): Level | null {
  const home = drawHome(random.pick(FAMILIES), random.u32());
  if (home.rooms.length !== options.rooms) return null;
  const free = freePlaces(groundOf(home));
  const place = random.pick(middlePlaces(home, free));
  const all = objectsOf(home).map((object) => ({ ...object, beside: nearestTo(object, free) }));
  const sights = apart(home, place, options, all);
  for (let i = 0; i < CHOICES[options.rooms - 1]!; i++) {
    const level = tryChoice({ home, place, ...sights }, random, options, wanted);
    if (level) return level;
  }
  return null;
}

/** A home, where the agent starts, and what it has to look for. */
interface Site {
  home: Home;
  place: Place;
  far: readonly LevelObject[];
  near: readonly LevelObject[];
}

function tryChoice(site: Site, random: Rng, options: LevelOptions, wanted: Wanted): Level | null {
  const { home, place } = site;
  const turn = random.int(4) as Quarter;
  const origin = { x: place.x * GRID, z: place.z * GRID, turn };
  const [far, near] = [site.far, site.near].map((objects) => random.shuffle(objects));
  const objects = spread([...far.slice(0, 1), ...near, ...far.slice(1)], origin, options.objects);
  if (objects.length < options.objects || !objects.some(hasFront)) return null;
  const question = questionAbout(objects, origin, wanted, random, far);
  if (!question) return null;
  const level = { home, start: { ...place, heading: (2 * turn) as Heading }, question, objects };
  return canBeFound(level, options.tangent, far) ? level : null;
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

/** The object that is farthest from a place. */
export function farthestFrom({ x, z }: Place, objects: readonly LevelObject[]): LevelObject {
  const distance = (object: LevelObject) => squaredDistanceTo(object, x, z);
  return objects.reduce((best, object) => (distance(object) > distance(best) ? object : best));
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

/** The things of a room that can be objects of a task. */
const objectsOf = ({ things }: Home): Omit<LevelObject, "beside">[] =>
  things.flatMap(({ kind, x, z, turn }, index) => (isKind(kind) ? [{ name: kind, x, z, turn, index }] : []));

/**
 * The objects that the agent has to look for, and those that the start shows. In one room it has to look for all, with two for those in the
 * second room that do not show from the start; what does not show in the first room is neither.
 */
function apart(
  home: Home,
  place: Place,
  { rooms, tangent }: LevelOptions,
  objects: readonly LevelObject[],
): Pick<Site, "far" | "near"> {
  if (rooms === 1) return { far: objects, near: [] };
  const hidden = hiddenFrom(home, place, tangent, objects);
  const far = hidden.filter(({ index }) => home.things[index]!.room > 0);
  return { far, near: objects.filter((one) => !hidden.includes(one)) };
}

/**
 * Whether looks in four headings show the far objects: from the start, or with near ones from beside the farthest of them. Teachers rely on
 * it (`nextPlace` in `templates/spatial-gym.ts`).
 */
function canBeFound({ home, start, objects }: Level, tangent: number, far: readonly LevelObject[]): boolean {
  const near = objects.filter((object) => !far.includes(object));
  const place = near.length > 0 ? farthestFrom(start, near).beside : start;
  const wanted = objects.filter((object) => far.includes(object));
  return hiddenFrom(home, place, tangent, wanted).length === 0;
}

/** The objects that do not show well from a place in any of four headings. */
function hiddenFrom(
  home: Home,
  { x, z }: Place,
  tangent: number,
  objects: readonly LevelObject[],
): readonly LevelObject[] {
  const views = [0, 2, 4, 6].map((heading) =>
    pixelsThrough(home, cameraAlong({ x, z, tilt: 0 }, ALONG[heading], tangent), JUDGED.side),
  );
  return objects.filter(({ index }) => !views.some((pixels) => pixels[index] >= JUDGED.pixels));
}

/** How far objects are from each other and from the start, at least, in centimetres. */
const SPREAD = 80;

/** The first objects that are far enough from the start and from those before them. */
function spread(candidates: readonly LevelObject[], start: Origin, count: number): LevelObject[] {
  const chosen: LevelObject[] = [];
  const isFar = (a: Place, b: Place) => (a.x - b.x) ** 2 + (a.z - b.z) ** 2 >= SPREAD * SPREAD;
  for (const one of candidates) {
    const isNew = chosen.every((other) => other.name !== one.name && isFar(other, one));
    if (chosen.length < count && isNew && isFar(start, one)) chosen.push(one);
  }
  return chosen;
}

/** "chair, table, lamp: which …?", about one of `some` at least. */
function questionAbout(
  objects: readonly Placed[],
  start: Origin,
  wanted: Wanted,
  random: Rng,
  some: readonly Placed[],
): Question | null {
  if (!objects.some((object) => some.includes(object))) return null;
  const names = objects.map(({ name }) => name);
  const asked = wanted
    ? ask(wanted.kind, wanted.answer, objects, start, random, some)
    : { text: MAP_QUESTION, about: names, options: [], answer: mapOf(objects, start) };
  return asked && { ...asked, text: `${names.join(", ")}: ${asked.text}` };
}
