// One line of the table of VAGEN's keys and our settings, and builders for the common kinds of lines.
import { short } from "../../core/short.ts";
import { getPath } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";

/** Of VAGEN: the full release with its own trainer (`legacy`), and the later rewrite on veRL's agent loop (`lite`). */
export type VagenGeneration = "legacy" | "lite";
/** What a file is read as; AReaL has a configuration of its own. */
export type Generation = VagenGeneration | "areal";
const OF_VAGEN: readonly VagenGeneration[] = ["legacy", "lite"];
export const GENERATIONS: readonly Generation[] = [...OF_VAGEN, "areal"];
/** What people read. */
export const GENERATION_NAMES = { lite: "VAGEN-Lite", legacy: "VAGEN, legacy", areal: "AReaL" } as const;

/** Where a key belongs: in the trainer's file and its overrides, or in an entry of a dataset file. */
export type Part = "trainer" | "dataset";

/** The rest of the files: some keys mean something only together with others. */
export interface Source {
  /** What a dataset file's levels are for. */
  readonly split: "train" | "val";
  /** Whether the files belong to the generation of August 2026, which extends Lite. */
  readonly isOfAugust: boolean;
  /** A trainer key's value, else VAGEN's default. Undefined where the files have no trainer key at all. */
  get(key: string): unknown;
  /** Whether the files set a trainer's key to something other than null, or a key of the section of that name. */
  gives(key: string): boolean;
  /** The value of another key of the same entry of a dataset; undefined where it has none. */
  entry(key: string): unknown;
}

/**
 * A value in our terms; or why there is none; or what the studio lacks, so that the run differs; or what is wrong with VAGEN's and what to
 * write instead.
 */
export type ReadResult =
  | { value: unknown; note?: string }
  | { ignored: string }
  | { unsupported: string }
  | { refused: string };

export interface KeyMapping {
  /** Dotted. In a dataset, options of the environment are `config.…` in both generations. */
  readonly key: string;
  readonly part: Part;
  readonly generations: readonly Generation[];
  /** Of an environment's option: the only environment that has it. */
  readonly env?: string;
  /** Environments that the line is not for: they have one of their own, as the key has another default or meaning there. */
  readonly exceptIn?: readonly string[];
  /** VAGEN's default. */
  readonly default?: unknown;
  /** The default where other keys decide it; undefined where it is `default`. */
  readonly defaultFor?: (source: Source) => unknown;
  /** The default is part of the method, so the import sets it where the files leave the key out. */
  readonly assumed?: boolean;
  /** Our setting. A path that the schema does not have yet is reported as not supported; without one no value is used. */
  readonly path?: string;
  readonly read?: (value: unknown, source: Source) => ReadResult;
  /** Trainer keys that must be booleans: `read` would take any other value for true or false. */
  readonly switches?: readonly string[];
  /** An empty value (null) means something: `read` gets it. Otherwise it is ignored. */
  readonly readsNull?: boolean;
  /** VAGEN's value; undefined leaves the key out. The default is the value at `path`. */
  readonly write?: (config: RunConfig) => unknown;
  /** How the value is converted; for the documentation. */
  readonly converted?: string;
  /** How the meaning differs. */
  readonly note?: string;
  /** The values that VAGEN has, where the studio has more. */
  readonly theirs?: readonly string[];
  /** The value that corresponds to what the studio does without such a setting. */
  readonly builtIn?: unknown;
  /** Why there is no setting. */
  readonly why?: string;
}

/** Why a line of the table that is for training, or for validation, does not read a key of the other. */
export const OTHER_SPLIT = "Of the other split.";

type Extra = Omit<KeyMapping, "key" | "part" | "generations" | "path">;

/** Builds mappings for one part of the files and its generations. Called directly, it maps a key to a setting. */
const buildersFor = (part: Part, generations: readonly Generation[]) => {
  const mapped = (key: string, path: string, extra: Extra = {}): KeyMapping => ({
    key,
    part,
    generations,
    path,
    ...extra,
  });
  /** Keys without a counterpart, all for one reason. `a.*` is everything below `a`. */
  const ignored = (why: string, keys: readonly string[]): KeyMapping[] =>
    keys.map((key) => ({ key, part, generations, why }));
  /** The same for keys of one section; `names` has spaces between them. */
  const ignoredIn = (section: string, why: string, names: string): KeyMapping[] =>
    ignored(
      why,
      names.split(/\s+/).map((name) => `${section}.${name}`),
    );
  /** A key without a counterpart that decides something, or of which the studio lacks a value: `read` says which. */
  const unset = (key: string, why: string, extra: Extra): KeyMapping => ({
    key,
    part,
    generations,
    why,
    ...extra,
  });
  /** A key that the studio does not read but VAGEN needs in a written file. */
  const written = (
    key: string,
    why: string,
    write: (config: RunConfig) => unknown,
    extra: Extra = {},
  ): KeyMapping => unset(key, why, { write, ...extra });
  return Object.assign(mapped, { ignored, ignoredIn, unset, written });
};

/** A trainer key of both generations of VAGEN, of one, of AReaL, and a key of a dataset's entry. */
export const both = buildersFor("trainer", OF_VAGEN);
export const areal = buildersFor("trainer", ["areal"]);
export const legacy = buildersFor("trainer", ["legacy"]);
export const lite = buildersFor("trainer", ["lite"]);
export const entry = buildersFor("dataset", OF_VAGEN);
export const legacyEntry = buildersFor("dataset", ["legacy"]);
export const liteEntry = buildersFor("dataset", ["lite"]);

/**
 * Renames values: `ours` maps VAGEN's names to ours. Where several have the same name here, the export writes the first;
 * names that it does not have pass unchanged. `notes` holds the remarks that the report adds to names of VAGEN.
 */
export function named(
  path: string,
  ours: Readonly<Record<string, string>>,
  fallback: string,
  notes: Readonly<Record<string, string>> = {},
): Pick<KeyMapping, "read" | "write" | "converted"> {
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
      const name = String(theirs);
      const value = Object.hasOwn(ours, name) ? ours[name] : theirs;
      return Object.hasOwn(notes, name) ? { value, note: notes[name]! } : { value };
    },
    write: (config) => writtenAs.get(String(getPath(config, path))) ?? fallback,
  };
}

/** Levels × episodes of each: VAGEN counts levels, which a group of episodes plays; we count episodes. */
export function inEpisodes(levels: unknown, group: unknown): ReadResult {
  if (typeof levels !== "number") return { value: levels };
  if (typeof group !== "number")
    return { ignored: "It counts groups of episodes, and their size is not a number." };
  const value = levels * group;
  return group === 1 ? { value } : { value, note: `${levels} levels × ${group} episodes for each.` };
}

/** Refuses a switch that is neither true nor false. */
export const notABoolean = (key: string, value: unknown): ReadResult => ({
  refused: `${key} is ${short(JSON.stringify(value))}; it must be true or false, without quotes.`,
});
