// What an agent can say about its view: where the target and other objects are in steps from where it stands, and how far it can go.
// The truth has these facts in metres; the words, their reading and their comparison are here.

import { claimText, LINK } from "../../core/claim-words.ts";
import { deniedView, NOTHING_IN_VIEW } from "../../core/empty-view.ts";
import { hasAlternative, OR_ELSE } from "../../core/hedges.ts";
import { affirmed } from "../../core/negation.ts";
import type { Camera } from "../../core/raster/camera.ts";
import { type ClaimRules, clippedOutline, type Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { deniedThings, NOT_IN_VIEW } from "./denied-things.ts";
import { listsIn, NAME } from "./listed-things.ts";
import { beyondQuarter, OFFSET, PLACE, readOffset, readPlace, WAYS } from "./offsets.ts";
import { kindNamed } from "./phrases.ts";
import { AHEAD, cameraOf, GRID, type Pose, type Quarter, TILTS } from "./pose.ts";
import { distanceOf, type Sector, sectorOf } from "./truth.ts";

/** What a state of Navigation says beside the things in view. Lengths are metres; `clear_…` are free steps to each side. */
interface NavigationFacts {
  instruction: string;
  /** The kind of the object that it means. */
  target: string;
  target_x: number;
  target_z: number;
  /**
   * Its sector as seen from the agent, and its horizontal distance; absent in recordings from before there were these facts. A state that
   * was only imagined (a template's `advance`) has those of the state before; `targetSeen` computes them for any state.
   */
  target_direction?: Sector;
  target_distance?: number;
  /** Whether the target has been in view. */
  known: boolean;
  x: number;
  z: number;
  /** Degrees clockwise from +z. */
  yaw: number;
  /** Degrees below level. */
  horizon: number;
  /** Length of a step, and the distance from the target at which the task is solved. */
  step: number;
  reach: number;
  clear_ahead: number;
  clear_right: number;
  clear_back: number;
  clear_left: number;
  /**
   * Visible objects that the state does not list, nearest first, as `writeFurther` writes them; absent where there are none, and in
   * recordings from before there was this fact.
   */
  further?: string;
}

/** The truth of a state: things are the visible objects that the state lists, nearest first. */
export type NavigationTruth = WorldTruth & { facts: NavigationFacts & WorldTruth["facts"] };

/** Free steps are counted up to here: as many actions as a turn may have by default. */
export const MOST_CLEAR = 5;
/** Offsets are said in up to this many steps, which the largest rooms have. */
export const MOST_STEPS = 30;

export const asNavigation = (truth: WorldTruth): NavigationTruth => truth as NavigationTruth;

const poseOf = ({ x, z, yaw, horizon }: NavigationFacts): Pose => ({
  x: Math.round((x * 100) / GRID),
  z: Math.round((z * 100) / GRID),
  yaw: (yaw / 90) as Quarter,
  tilt: horizon / 30,
});

/** The sector of the target, as seen from the agent, and its horizontal distance in metres with two decimals. */
export function targetSeen({ facts }: NavigationTruth): { direction: Sector; distance: number } {
  const pose = poseOf(facts);
  const target = { x: centimetres(facts.target_x), z: centimetres(facts.target_z) };
  return { direction: sectorOf(pose, target), distance: distanceOf(pose, target) };
}

/** As the home has it, whose coordinates have a few binary digits behind the point. */
export const centimetres = (metres: number): number => Math.round(metres * 1e8) / 1e6;

/** Steps ahead and to the right, rounded, from where the agent stands. */
export function stepsTo({ facts }: NavigationTruth, [x, z]: readonly number[]): [number, number] {
  const [fx, fz] = AHEAD[facts.yaw / 90]!;
  const [dx, dz] = [x! - facts.x, z! - facts.z];
  const inSteps = (metres: number) =>
    Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(metres / facts.step + ROUNDING)));
  return [inSteps(dx * fx + dz * fz), inSteps(dx * fz - dz * fx)];
}

/** Metres are decimal fractions: half a step must round the same way whichever digits its sum has. */
const ROUNDING = 1e-9;

/** The place on the floor that is some steps ahead and to the right, [x, z] in metres. */
function placeAt({ facts }: NavigationTruth, [ahead, right]: readonly [number, number]): [number, number] {
  const [fx, fz] = AHEAD[facts.yaw / 90]!;
  return [facts.x + (ahead * fx + right * fz) * facts.step, facts.z + (ahead * fz - right * fx) * facts.step];
}

/** A place as words can give it: what is farther away than they count is where they end. */
function sayable(truth: NavigationTruth, at: readonly number[]): readonly number[] {
  const steps = stepsTo(truth, at);
  return steps.some((count) => Math.abs(count) === MOST_STEPS) ? placeAt(truth, steps) : at;
}

/** "7 ahead 2 right", for a place in steps ahead and to the right. */
export const offsetText = ([ahead, right]: readonly [ahead: number, right: number]): string =>
  `${Math.abs(ahead)} ${ahead < 0 ? "back" : "ahead"} ${Math.abs(right)} ${right < 0 ? "left" : "right"}`;

/** The same for a place on the floor, [x, z] in metres. */
export const offsetWords = (truth: NavigationTruth, at: readonly number[]): string =>
  offsetText(stepsTo(truth, at));

/** The place of the target, [x, z] in metres. */
export const targetAt = ({ facts }: NavigationTruth): readonly number[] => [facts.target_x, facts.target_z];

const NOT_SEEN = "not seen";

/** "lamp 7 ahead 2 right", or "not seen" as long as the target has never been in view. */
export function targetWords(truth: NavigationTruth): string {
  const { target, known } = truth.facts;
  return known ? `${target} ${offsetWords(truth, targetAt(truth))}` : NOT_SEEN;
}

/** The visible objects: "sofa 4 ahead 1 left". */
export const seenThings = (truth: NavigationTruth): string[] =>
  truth.things.map(({ name, at }) => `${name} ${offsetWords(truth, at)}`);

/** The visible objects other than the target. */
const othersIn = (truth: NavigationTruth): WorldTruth["things"] =>
  truth.things.filter(({ name }) => name !== truth.facts.target);

/** Visible objects beyond those that a state lists, as one fact: "chair 1.25 3.4;bin 2 0.5", each with x and z in metres. */
export const writeFurther = (things: WorldTruth["things"]): string =>
  things.map(({ name, at }) => [name, ...at].join(" ")).join(";");

/** The same as things, without those that are called like the target. */
const furtherIn = ({ facts: { further = "", target } }: NavigationTruth): WorldTruth["things"] =>
  further
    .split(";")
    .map((text) => text.split(" "))
    .filter(([name]) => name !== "" && name !== target)
    .map(([name, x, z]) => ({ name: name!, at: [Number(x), Number(z)] }));

/** "clear 5": how many steps are free ahead. */
export const clearWords = ({ facts }: NavigationTruth): string => `clear ${facts.clear_ahead}`;

/** Whether the target is near enough. */
export function isSolved(truth: NavigationTruth): boolean {
  const { x, z, reach } = truth.facts;
  const [tx, tz] = targetAt(truth) as [number, number];
  return (tx - x) ** 2 + (tz - z) ** 2 <= reach * reach + ROUNDING;
}

const STATEMENT = new RegExp(
  `(\\btarget${LINK})?(${NAME})${LINK}(?:[([]\\s*)?(${PLACE})|\\btarget(?:${LINK}(${NAME}))?${LINK}not\\s+seen`,
  "gu",
);

/** A claim about the target has this name; others have the kind of their object. */
export const TARGET = "target";
/** The name of the claim that no object is in view. */
const VIEW = "view";

/** Two places agree if they are at most this many steps apart. */
const TOLERANCE = 2;

/** How views are claimed under a step length, in metres, and a field of view, by its tangent. */
export function navigationClaims(step: number, tangent: number): ClaimRules {
  return {
    expected(scene, claim) {
      const truth = asNavigation(scene);
      const target = {
        name: TARGET,
        value: targetWords(truth),
        ...(truth.facts.known && { at: sayable(truth, targetAt(truth)) }),
      };
      // It need not be said, because a claim without objects says so.
      const view = isEmpty(truth) ? [{ ...EMPTY_VIEW, optional: true as const }] : [];
      if (claim === "prediction") return [target, ...view];
      const placed = ({ name, at }: WorldTruth["things"][number]) => ({
        name,
        value: offsetWords(truth, at),
        at: sayable(truth, at),
      });
      // How many objects a state lists is a limit of what must be said, not of what is there.
      const further = furtherIn(truth).map((thing) => ({ ...placed(thing), optional: true as const }));
      return [target, ...othersIn(truth).map(placed), ...further, ...view];
    },
    read(text, truth) {
      const words = claimText(text);
      const lists = listsIn(words);
      const isListed = ({ index }: RegExpExecArray) =>
        lists.some(([start, end]) => index >= start && index < end);
      return [
        ...affirmed(words, STATEMENT).map((found) =>
          stated(found, asNavigation(truth), {
            isOpen: hasAlternative(words, found),
            isListed: isListed(found),
          }),
        ),
        ...denials(words, asNavigation(truth)),
        ...(deniedView(words) === null ? [] : [EMPTY_VIEW]),
      ];
    },
    agrees(said, expected) {
      if (said.name === TARGET && kindIn(said) !== kindIn(expected)) return false;
      const [quarter] = QUARTER.exec(said.value) ?? [];
      if (quarter !== undefined) return isInQuarter(quarter, expected, step);
      if (!said.at || !expected.at) return said.value === expected.value;
      return apart(said.at, expected.at) <= TOLERANCE * step;
    },
    outline: ({ at }, truth) => (at ? outlineOf(asNavigation(truth), at, tangent) : null),
  };
}

const EMPTY_VIEW: Statement = { name: VIEW, value: NOTHING_IN_VIEW };

const isEmpty = ({ things, facts: { further = "" } }: NavigationTruth): boolean =>
  things.length === 0 && further === "";

const kindIn = ({ value }: Statement): string => value.split(" ", 1)[0]!;

const apart = ([x0, z0]: readonly number[], [x1, z1]: readonly number[]): number =>
  Math.sqrt((x0! - x1!) ** 2 + (z0! - z1!) ** 2) - ROUNDING;

/**
 * What is said not to be in view. It counts where it is false, as a contradiction of the view, and where the target has never been seen, as
 * a complete claim says that too. Other true denials say nothing that a claim should say.
 */
const denials = (words: string, truth: NavigationTruth): Statement[] =>
  deniedThings(words).flatMap(({ kind = truth.facts.target, isTarget }) => {
    const { target, known } = truth.facts;
    // There is no such target.
    if (isTarget && kind !== target) return [{ name: TARGET, value: `${kind} ${NOT_SEEN}` }];
    const counts = isInView(kind, truth) || (kind === target && !known);
    if (!counts) return [];
    return [kind === target ? { name: TARGET, value: NOT_SEEN } : { name: kind, value: NOT_IN_VIEW }];
  });

const isInView = (kind: string, truth: NavigationTruth): boolean =>
  [...truth.things, ...furtherIn(truth)].some(({ name }) => name === kind);

/** How a statement stands in its claim. */
interface Context {
  /** With an alternative; it gives no place. */
  isOpen: boolean;
  /** Among the things that the claim says it sees. */
  isListed: boolean;
}

function stated(
  [, isTarget, name, words, unseen]: RegExpExecArray,
  truth: NavigationTruth,
  { isOpen, isListed }: Context,
): Statement {
  const { target } = truth.facts;
  if (name === undefined) {
    const kind = unseen === undefined ? target : kindNamed(unseen);
    return { name: TARGET, value: kind === target ? NOT_SEEN : `${kind} ${NOT_SEEN}` };
  }
  const kind = kindNamed(name);
  const { value, ...at } = isOpen ? { value: words! + OR_ELSE } : placeIn(words!, truth);
  // The target may also be named among the things in view, if it is one of them; otherwise it is a thing there that is not.
  const isNamed = kind === target && !(isListed && !isInView(kind, truth));
  const isAboutTarget = isTarget !== undefined || name === TARGET || isNamed;
  return isAboutTarget ? { name: TARGET, value: `${kind} ${value}`, ...at } : { name: kind, value, ...at };
}

/** The place that words give. Parts that contradict each other give none, which is wrong wherever the object is. */
function placeIn(words: string, truth: NavigationTruth): Pick<Statement, "value" | "at"> {
  const read = readPlace(words);
  if (!read) return { value: words };
  if (read.unit === "quarter") return { value: `${read.way} ${read.distance} m` };
  if (read.unit === "step") return { value: offsetText(read.offset), at: placeAt(truth, read.offset) };
  const [ahead, right] = read.offset;
  return { value: words, at: placeAt(truth, [ahead / truth.facts.step, right / truth.facts.step]) };
}

/** A way and a distance without a place, as `placeIn` writes them. */
const QUARTER = new RegExp(`(?:${WAYS.join("|")}) \\S+ m$`, "u");

/** Whether a thing is in the quarter and at the distance that words give, within the tolerance. */
function isInQuarter(words: string, { value }: Statement, step: number): boolean {
  const read = readPlace(words);
  const there = stepsIn(value);
  if (read?.unit !== "quarter" || !there) return false;
  const [ahead, right] = there;
  return beyondQuarter([ahead * step, right * step], read) <= TOLERANCE * step + ROUNDING;
}

const STEPS_AT_END = new RegExp(`${OFFSET}$`, "u");

/** The steps ahead and to the right at the end of words; null if there are none. */
function stepsIn(words: string): readonly [ahead: number, right: number] | null {
  const [found] = STEPS_AT_END.exec(words) ?? [];
  return found === undefined ? null : readOffset(found);
}

/** The place that the words of a claim give, [x, z] in metres; null if they give none, and for a state from elsewhere that has no heading. */
export function claimedPlace(truth: NavigationTruth, words: string): readonly number[] | null {
  const steps = stepsIn(words);
  return steps && AHEAD[truth.facts.yaw / 90] ? finite(placeAt(truth, steps)) : null;
}

/** A recording may come from anywhere, with numbers of any length. */
export const finite = (place: readonly number[]): readonly number[] | null =>
  place.every(Number.isFinite) ? place : null;

/** A box that marks a place: half its width, and the heights where it begins and ends, in centimetres. */
interface PlaceMark {
  half: number;
  from: number;
  to: number;
}

/** A thing of usual size that stands on the floor. Recorded verdicts have this box for everything, also for what hangs (`hanging.ts`). */
const STANDING: PlaceMark = { half: 30, from: 0, to: 90 };

/** The camera of a state; null for a state from elsewhere with another tilt than the agent can have. */
export function cameraIn({ facts }: NavigationTruth, tangent: number): Camera | null {
  const pose = poseOf(facts);
  const isPossible = Number.isInteger(pose.tilt) && pose.tilt >= TILTS.lowest && pose.tilt <= TILTS.highest;
  return isPossible ? cameraOf(pose, tangent) : null;
}

/** Where an object of usual size on a place of the floor would show, cut at the edges of the picture. */
function outlineOf(truth: NavigationTruth, at: readonly number[], tangent: number): Outline | null {
  const camera = cameraIn(truth, tangent);
  return camera && outlineThrough(camera, at);
}

/** Where a mark on a place, [x, z] in metres, shows through a camera, cut at the edges of the picture. */
export function outlineThrough(
  camera: Camera,
  [x, z]: readonly number[],
  mark: PlaceMark = STANDING,
): Outline | null {
  const { position, right, up, forward, tangent } = camera;
  const seen = (height: number): [number, number, number] | null => {
    const d = [x! * 100 - position[0], height - position[1], z! * 100 - position[2]] as const;
    const along = (axis: readonly number[]) => d[0] * axis[0]! + d[1] * axis[1]! + d[2] * axis[2]!;
    const depth = along(forward);
    if (depth < STANDING.half) return null;
    const scale = 2 * depth * tangent;
    return [0.5 + along(right) / scale, 0.5 - along(up) / scale, mark.half / scale];
  };
  const [foot, head] = [seen(mark.from), seen(mark.to)];
  if (!foot || !head) return null;
  return clippedOutline(foot[0] - foot[2], head[1], foot[0] + foot[2], foot[1]);
}
