// The three skills as text: `pick(62,-55,20)`. Coordinates are millimetres.
import type { Vec3 } from "../../core/raster/solid.ts";
import { short } from "../../core/short.ts";
import { EXAMPLES } from "./task-ids.ts";

/** Number of coordinates that each skill takes. */
const ARITY = { pick: 3, place: 3, push: 6 } as const;

export type SkillName = keyof typeof ARITY;

export const SKILL_NAMES = Object.keys(ARITY) as readonly SkillName[];

/** A skill with its points in millimetres: one for pick and place, start and end for push. */
export interface Skill {
  readonly name: SkillName;
  readonly points: readonly Vec3[];
}

/** What the hand can reach, in millimetres: lowest and highest x, y and z. */
export type Workspace = readonly (readonly [low: number, high: number])[];

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A skill, or why there is none. */
type Reading = { skill: Skill } | { why: string };

/** What a text says, in any letter case. */
function read(text: string): Reading {
  const [, written, list = ""] = /^\s*([a-z]\w*)\s*\(([^()]*)\)\s*$/i.exec(text) ?? [];
  if (written === undefined) return { why: "" };
  const name = SKILL_NAMES.find((known) => known === written.toLowerCase());
  if (!name) return { why: noSkill(written) };
  const words = list.trim() === "" ? [] : list.split(",").map((word) => word.trim());
  const wrong = words.find((word) => !isNumber(word));
  if (wrong !== undefined) return { why: noNumber(wrong, name) };
  if (words.length !== ARITY[name]) return { why: miscounted(words.length, name) };
  // Plus 0: -0 is 0.
  return { skill: { name, points: pointsOf(words.map((word) => Number(word) + 0)) } };
}

const isNumber = (word: string): boolean => NUMBER.test(word) && Number.isFinite(Number(word));

const exampleOf = (name: SkillName): string => EXAMPLES.find((example) => example.startsWith(name))!;

const noSkill = (name: string): string =>
  `There is no skill called "${short(name)}". The skills are pick, place and push, as in ${exampleOf("pick")}.`;
const noNumber = (word: string, name: SkillName): string =>
  `${word === "" ? "A coordinate is missing" : `"${short(word)}" is not a number`}: coordinates are millimetres, as in ${exampleOf(name)}.`;
const miscounted = (given: number, name: SkillName): string =>
  `${name} takes ${ARITY[name]} coordinates, as in ${exampleOf(name)}, but ${given || "none"} ${given === 1 ? "is" : "are"} given.`;

/** The skill that a text means; null for another name, another number of coordinates or anything but numbers. */
export function readSkill(text: string): Skill | null {
  const reading = read(text);
  return "skill" in reading ? reading.skill : null;
}

/** Why a text is no skill, where more can be said than that it is unknown. */
export function whyUnknown(text: string): string {
  const reading = read(text);
  return "why" in reading ? reading.why : "";
}

const pointsOf = (numbers: readonly number[]): Vec3[] =>
  numbers.flatMap((x, i) => (i % 3 === 0 ? [[x, numbers[i + 1], numbers[i + 2]] as const] : []));

/** The text of a skill, without blanks. `readSkill` reads it back. */
export const skillText = ({ name, points }: Skill): string => `${name}(${points.flat().join(",")})`;

/** A text in the spelling of a skill; null if it is none. */
export function readAction(text: string): string | null {
  const skill = readSkill(text);
  return skill && skillText(skill);
}

/** The skill with every coordinate clipped to the workspace, as VAGEN clips them. */
export const clipped = ({ name, points }: Skill, workspace: Workspace): Skill => ({
  name,
  points: points.map((point) => clippedPoint(point, workspace)),
});

export function clippedPoint(point: Vec3, workspace: Workspace): Vec3 {
  const within = (axis: 0 | 1 | 2) => {
    const [low, high] = workspace[axis];
    return Math.min(high, Math.max(low, point[axis]));
  };
  return [within(0), within(1), within(2)];
}
