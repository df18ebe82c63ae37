// One line of the table between VAGEN's keys and ours, and the few shapes such a line has.
import { short } from "../../core/short.ts";
import { getPath } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";

/** The full release with its own trainer (`legacy`), and the later rewrite on veRL's agent loop (`lite`). */
export type Generation = "legacy" | "lite";
export const GENERATIONS: readonly Generation[] = ["legacy", "lite"];

/** Where a key stands: in the trainer's file and its overrides, or in an entry of a dataset file. */
export type Part = "trainer" | "dataset";

/** What else is being read: some keys mean something only together with others. */
export interface Source {
  readonly generation: Generation;
  /** Of a dataset file: what its levels are for. */
  readonly split: "train" | "val";
  /** A trainer key; where its file is silent, VAGEN's default. Undefined where there is no trainer's file at all. */
  get(key: string): unknown;
}

/** A value in our terms, or why there is none, or what is wrong with theirs and what to do about it. */
export type Reading =
  | { value: unknown; note?: string }
  | { ignored: string }
  | { refused: string; hint: string };

export interface Row {
  /** Dotted. In a dataset, options of the environment are `config.…` in both generations. */
  readonly key: string;
  readonly part: Part;
  readonly generations: readonly Generation[];
  /** Of an environment's option: the only environment that the line is about. */
  readonly env?: string;
  /** VAGEN's default. */
  readonly default?: unknown;
  /** The default is part of the method: it counts also where the file is silent. */
  readonly assumed?: boolean;
  /** Our value. It may lie in the future: a path that the schema does not have is reported as not supported yet. */
  readonly path?: string;
  readonly read?: (value: unknown, source: Source) => Reading;
  /** Trainer keys that must be true or false for `read`: any other value would pass for one of the two. */
  readonly switches?: readonly string[];
  /** VAGEN's value; undefined leaves the key out. Without it, the value at `path` as it is. */
  readonly write?: (config: RunConfig) => unknown;
  /** How the value is converted, for the documentation. */
  readonly converted?: string;
  /** How the meaning differs. */
  readonly note?: string;
  /** What the studio does as long as it has no such setting. */
  readonly builtIn?: unknown;
  /** Beside another line of the same key, not worth a word before the schema has it. */
  readonly silent?: boolean;
  /** Why there is nothing to set. */
  readonly why?: string;
}

type Extra = Omit<Row, "key" | "part" | "generations" | "path">;

const lineOf =
  (part: Part, generations: readonly Generation[]) =>
  (key: string, path: string, extra: Extra = {}): Row => ({ key, part, generations, path, ...extra });

/** A trainer key of both generations, of one, and a key of a dataset's entry. */
export const both = lineOf("trainer", GENERATIONS);
export const legacy = lineOf("trainer", ["legacy"]);
export const lite = lineOf("trainer", ["lite"]);
export const entry = lineOf("dataset", GENERATIONS);
export const legacyEntry = lineOf("dataset", ["legacy"]);
export const liteEntry = lineOf("dataset", ["lite"]);

/** Keys without a counterpart, all for one reason. `a.*` is everything below `a`. */
export function ignored(
  why: string,
  keys: readonly string[],
  generations: readonly Generation[] = GENERATIONS,
  part: Part = "trainer",
): Row[] {
  return keys.map((key) => ({ key, part, generations, why }));
}

/** A key that the studio has no use for but VAGEN needs in a file that we write. */
export function written(
  key: string,
  why: string,
  write: (config: RunConfig) => unknown,
  generations: readonly Generation[] = GENERATIONS,
  part: Part = "trainer",
): Row {
  return { key, part, generations, why, write };
}

/**
 * Names of ours by names of theirs. Of several theirs for one of ours the first is written; others pass as they are. The
 * note is about names that differ.
 */
export function named(
  path: string,
  ours: Readonly<Record<string, string>>,
  fallback: string,
  note?: string,
): Pick<Row, "read" | "write" | "converted"> {
  const converted = Object.entries(ours)
    .filter(([their, our]) => their !== our)
    .map(([their, our]) => `\`${their}\` is \`${our}\``)
    .join(", ");
  const writtenAs = new Map(
    Object.entries(ours)
      .map(([their, our]) => [our, their] as const)
      .reverse(),
  );
  return {
    ...(converted && { converted: `${converted}.` }),
    read(theirs) {
      const value = Object.hasOwn(ours, String(theirs)) ? ours[String(theirs)] : theirs;
      return value !== theirs && note !== undefined ? { value, note } : { value };
    },
    write: (config) => writtenAs.get(String(getPath(config, path))) ?? fallback,
  };
}

/** VAGEN counts levels, each of which a group of episodes plays; we count episodes. */
export function inEpisodes(levels: unknown, group: unknown): Reading {
  if (typeof levels !== "number") return { value: levels };
  if (typeof group !== "number") return { ignored: "Counts groups of episodes, whose size is not a number." };
  const value = levels * group;
  return group === 1 ? { value } : { value, note: `${levels} levels × ${group} episodes for each.` };
}

/** What to say about a switch that is neither on nor off. */
export function noSwitch(key: string, value: unknown): Reading {
  return {
    refused: `${key} is ${short(JSON.stringify(value))}; it must be true or false.`,
    hint: "Write true or false, without quotes.",
  };
}
