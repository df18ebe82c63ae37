// The three skills as text: `pick(62,-55,20)`. Coordinates are millimetres.
import type { Vec3 } from "../../core/raster/solid.ts";

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

/** The skill that a text means, in any letter case; null for another name, another number of coordinates or anything but numbers. */
export function readSkill(text: string): Skill | null {
  const [, written = "", list = ""] = /^\s*([a-z]+)\s*\(([^()]*)\)\s*$/i.exec(text) ?? [];
  const name = SKILL_NAMES.find((known) => known === written.toLowerCase());
  const words = list.split(",").map((word) => word.trim());
  if (!name || words.length !== ARITY[name] || !words.every((word) => NUMBER.test(word))) return null;
  // Plus 0: -0 is 0.
  const numbers = words.map((word) => Number(word) + 0);
  if (!numbers.every(Number.isFinite)) return null;
  return { name, points: pointsOf(numbers) };
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
