// The type of a rule, and what rules share.

import { type Message, type Part, value as valuePart } from "../../core/message.ts";
import { RunConfig } from "../run-config.ts";
import type { ConfigFix, ConfigProblem } from "./problem.ts";

/** Tiles of the environment's image, each of which becomes one patch, and the most images of an observation. */
export type Picture = { rows: number; cols: number; most: number };

/** The ids that a configuration may name of the lists that extensions add to. */
export interface KnownIds {
  environments: readonly string[];
  estimators: readonly string[];
  filters: readonly string[];
  /** Reward terms that have their weight in `reward.weights`. */
  terms: readonly string[];
  /** Number of the loaded houses of ProcTHOR. */
  houses: number;
}

/** A problem with the configuration's own value of the setting, unless another one is to be shown. */
export type RuleProblem = Omit<ConfigProblem, "value"> & Partial<Pick<ConfigProblem, "value">>;

/** The picture is null while the environment's options have problems; otherwise the options are complete. */
export type Rule = (config: RunConfig, picture: Picture | null, known: KnownIds) => RuleProblem | null;

/**
 * A problem of a rule. Its texts (or `reads`) name every setting that the rule compares: where the schema refuses one of
 * these, the problem is dropped, because the rule saw a default in its place.
 * @param nearest the value of the same setting that solves it, or a fix of another one.
 */
export function problem(
  path: string,
  expected: Message,
  hint: Message,
  nearest?: number | boolean | string | ConfigFix,
): RuleProblem {
  const fix = typeof nearest === "object" ? nearest : { path, value: nearest };
  return { path, expected, hint, ...(nearest !== undefined && { fix }) };
}

/** The possible number nearest to a target, the smaller of two. */
export const closest = (possible: readonly number[], target: number): number | undefined =>
  possible.toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target) || a - b)[0];

export const divides = (part: number, whole: number): boolean => whole % part === 0;

export const divisors = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((part) => divides(part, n));

/** The first numbers of a list, with commas between them. */
export const someOf = (numbers: readonly number[]): string => numbers.slice(0, 12).join(", ");

/** Choices of a setting, to be listed in a message. */
export const choices = (path: string, ...ids: readonly string[]): readonly Part[] =>
  ids.map((id) => valuePart(path, id));

/** The defaults of all settings. */
export const defaults = RunConfig.parse({});
