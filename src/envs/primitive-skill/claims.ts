// What an agent can say about the workspace: which object is where, in millimetres, and what the fingers hold.
import { claimText, LINK, NUMBER, nameWord, numberOf } from "../../core/claim-words.ts";
import { hasAlternative, OR_ELSE } from "../../core/hedges.ts";
import { affirmed } from "../../core/negation.ts";
import { type ClaimRules, clippedOutline, type Statement } from "../../core/scene.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import { SKILL_NAMES } from "./skills.ts";
import { INSTRUCTIONS, LISTED, type TaskId } from "./task-ids.ts";

/** "(62,-55,20)". */
const tuple = (position: readonly number[]): string => `(${position.join(",")})`;

/** "red cube (62,-55,20)". */
const placeWords = (name: string, position: readonly number[]): string => `${name} ${tuple(position)}`;

/** "holds red cube", or "holds nothing". */
export const heldWords = ({ facts }: WorldTruth): string => `holds ${facts?.held || "nothing"}`;

/**
 * Everything that is where it is: "red cube (62,-55,20)". The order is that of the names, because a small policy learns to find a named
 * thing in the picture; in the order of the list that it is given it would have to find out what is at a place, which it learned far more slowly.
 */
export const namedPlaces = ({ things }: WorldTruth): string[] =>
  inOrder(things).map(({ name, at }) => placeWords(name, at));

const inOrder = (things: WorldTruth["things"]) =>
  NAMES.flatMap((name) => things.filter((thing) => thing.name === name));

/** The key of VAGEN's dictionary: "red_cube_position". */
export const keyOf = (name: string): string => `${name.replace(" ", "_")}_position`;

/** Everything that is where it is, as VAGEN's structured formats write it: `{"red_cube_position": (62,-55,20), …}`. */
export const placesByKey = ({ things }: WorldTruth): string =>
  `{${inOrder(things)
    .map(({ name, at }) => `"${keyOf(name)}": ${tuple(at)}`)
    .join(", ")}}`;

/**
 * What the agent is given besides the picture: the instruction, the places of `things` and how far a drawer is open. The vocabulary's token
 * for an instruction ends with a space. Without places that space is added, or the instruction would be split into many tokens.
 */
export function questionWords({ facts, things }: WorldTruth): string {
  const places = things.map(({ at }) => tuple(at));
  const open = facts?.drawer_open === undefined ? [] : [`open ${facts.drawer_open}`];
  return [facts?.instruction, ...(places.length > 0 ? places : [""]), ...open].join(" ");
}

/** Everything that a task can name. */
export const NAMES = [...new Set(Object.values(LISTED).flat())];

/** Coordinates with the most digits. */
const LONGEST_TUPLE = "(-100,-100,100)";

/** A question and a state as text with as many words as any of a task. */
export const longestWords = (task: TaskId): { question: string; text: string } => ({
  question: [INSTRUCTIONS[task], ...LISTED[task].map(() => LONGEST_TUPLE), "open 400"].join(" "),
  text: [...LISTED[task].map((name) => `${name} ${LONGEST_TUPLE}`), "holds purple cube"].join("\n"),
});

const SUFFIX = "(?:position|pos|coordinates)";
const WORD = nameWord([SUFFIX, ...SKILL_NAMES]);
/** Between two coordinates. */
const COMMA = "(?:\\s*[,;]\\s*|\\s+)";
/** "x: 62", "y=-55", '"z": 20'. */
const LABELLED = `["']?(?<![\\p{L}\\p{N}_])[xyz]["']?(?:\\s*[:=])?\\s*${NUMBER}`;
/**
 * A name or the key of a dictionary, and a place: "red cube (1,2,3)", "the apple is at (1, 2, 3.5)", '"red_cube_position": [1,2,3]',
 * '"red_cube": {"x": 1, "y": 2, "z": 3}'; also with too few or too many coordinates.
 */
const STATEMENT = new RegExp(
  `(${WORD}(?:\\s+${WORD})?)(?:\\s+${SUFFIX})?${LINK}(?:[([]\\s*(${NUMBER}(?:${COMMA}${NUMBER})+)\\s*[)\\]]|` +
    `(?:[{([]\\s*)?(${LABELLED}(?:${COMMA}(?:and\\s+)?${LABELLED})+))`,
  "gu",
);

/** Whether actions can move a thing. What cannot be moved is always in the same place, so nothing is earned by saying where it is. */
const canMove = (name: string): boolean => !name.endsWith(" target");

/** "big red cube" and "red_cube_position" are the red cube; a name that no task has stays as it is. */
function nameIn(written: string): string {
  const words = written.replace(/[\s_]+/g, " ").replace(new RegExp(` ${SUFFIX}$`), "");
  return NAMES.find((name) => words === name || words.endsWith(` ${name}`)) ?? words;
}

/** A statement; without three numbers, one for each axis, or with an alternative it gives no place. */
function stated([, name, list, labelled]: RegExpExecArray, isOpen: boolean): Statement {
  const at = list === undefined ? byAxis(labelled!) : numbersIn(list);
  if (isOpen || !at?.every(Number.isFinite))
    return { name: nameIn(name!), value: `(${list ?? labelled})${isOpen ? OR_ELSE : ""}` };
  return { name: nameIn(name!), value: tuple(at), ...(at.length === 3 && { at }) };
}

const NUMBERS = new RegExp(NUMBER, "g");
const numbersIn = (list: string): number[] => [...list.matchAll(NUMBERS)].map(([number]) => numberOf(number));

/** The coordinates of a list with labels, in the order x, y, z; null where it has not each of them once. */
function byAxis(list: string): number[] | null {
  const [labels, numbers] = [list.match(/[xyz]/g)!, numbersIn(list.replace(/["':=]|[xyz]/g, " "))];
  const isComplete = labels.length === 3 && AXES.every((axis) => labels.includes(axis));
  return isComplete ? AXES.map((axis) => numbers[labels.indexOf(axis)]!) : null;
}

const AXES = ["x", "y", "z"] as const;

/** Two places agree if they are at most this many millimetres apart. */
const TOLERANCE = 20;

/** Edge of the box that marks a place, in millimetres: that of a cube. */
const MARK = 44;

/** The pixel on which a place falls in a picture of a size, and the pixels of a metre there. */
type Project = (
  size: number,
  position: readonly number[],
) => { x: number; y: number; pixelsPerMetre: number } | null;

/** How scenes are claimed; `project` belongs to the camera. */
export const skillClaims = (project: Project): ClaimRules => ({
  expected: ({ things }) =>
    things.map(({ name, at }) => ({
      name,
      value: tuple(at),
      at,
      ...(!canMove(name) && { optional: true as const }),
    })),
  // The right place of what cannot be moved earns nothing; a wrong one costs, such as that of another target.
  read: (text, { things }) =>
    statementsIn(claimText(text)).filter(
      (said) =>
        canMove(said.name) || !things.some(({ name, at }) => name === said.name && isNear(said.at, at)),
    ),
  agrees: (said, expected) => isNear(said.at, expected.at),
  outline: ({ at }) => (at ? outlineOf(project(1, at)) : null),
});

const statementsIn = (words: string): Statement[] =>
  affirmed(words, STATEMENT).map((found) => stated(found, hasAlternative(words, found)));

function isNear(said: readonly number[] | undefined, expected: readonly number[] | undefined): boolean {
  const away = (axis: number) => (said?.[axis] ?? Number.NaN) - (expected?.[axis] ?? Number.NaN);
  return Math.sqrt(away(0) ** 2 + away(1) ** 2 + away(2) ** 2) <= TOLERANCE;
}

function outlineOf(seen: ReturnType<Project>): Outline | null {
  if (!seen) return null;
  const half = (MARK / 2000) * seen.pixelsPerMetre;
  return clippedOutline(seen.x - half, seen.y - half, seen.x + half, seen.y + half);
}
