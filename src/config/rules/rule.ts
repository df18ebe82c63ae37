// What a rule is, and how it words what it finds.

import { RunConfig } from "../run-config.ts";
import type { ConfigFix, ConfigProblem } from "./problem.ts";

/** Tiles of the environment's picture; each becomes one patch. */
export type Picture = { rows: number; cols: number };

/** The ids that a configuration may name of the lists that extensions add to. */
export interface KnownIds {
  estimators: readonly string[];
  filters: readonly string[];
  /** Reward terms that have their weight in `reward.weights`. */
  terms: readonly string[];
}

/** While the environment's options are not sound the picture is null; otherwise the options are complete. */
export type Rule = (config: RunConfig, picture: Picture | null, known: KnownIds) => ConfigProblem | null;

/** `nearest` is the value of the same setting that solves it, or a fix of another one. */
export function problem(
  path: string,
  value: unknown,
  expected: string,
  hint: string,
  nearest?: number | boolean | string | ConfigFix,
): ConfigProblem {
  const fix = typeof nearest === "object" ? nearest : { path, value: nearest };
  const message = `${path} is ${value === "" ? "empty" : JSON.stringify(value)}; ${expected}.`;
  return { path, value, message, hint, ...(nearest !== undefined && { fix }) };
}

/** Of the possible numbers the one next to the wish, the smaller of two. */
export const closest = (possible: readonly number[], wish: number): number | undefined =>
  possible.toSorted((a, b) => Math.abs(a - wish) - Math.abs(b - wish) || a - b)[0];

export const divides = (part: number, whole: number): boolean => whole % part === 0;

export const divisors = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((part) => divides(part, n));

export const listed = (numbers: readonly number[]): string => numbers.slice(0, 12).join(", ");

/** Settings as they are where nobody has set them. */
export const defaults = RunConfig.parse({});
