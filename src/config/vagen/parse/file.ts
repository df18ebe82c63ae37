// One VAGEN file of any kind (trainer YAML, dataset YAML or a list of overrides) → dotted keys and values.
import { ConfigError } from "../../../core/errors.ts";
import { short } from "../../../core/short.ts";
import { MAX_CHARACTERS } from "../../../core/yaml-limits.ts";
import { isTree } from "../../changes.ts";
import { describeRunConfig } from "../../describe.ts";
import { readYaml } from "../../read-yaml.ts";
import { type Setting, studioSettings } from "../comments.ts";
import type { Generation, KeyMapping } from "../key-mapping.ts";
import { covers, TABLE } from "../table.ts";
import { withDefaults } from "./environment.ts";
import { OMEGACONF } from "./omegaconf.ts";
import type { KeyValue } from "./overrides.ts";
import { readScript, type ScriptKeys } from "./script.ts";
import { withoutSecrets } from "./secrets.ts";

/** A file to be imported. */
export interface VagenFile {
  name: string;
  text: string;
}

/** One entry of a dataset: a task. */
export interface DatasetEntry {
  generation: Generation;
  split: "train" | "val";
  keys: readonly KeyValue[];
}

/** Files by precedence: what launchers read before their own overrides wins over YAML, and their own overrides win over it. */
const RANKS = { yaml: 0, flags: 1, script: 2 } as const;

interface ParsedFile {
  /** Of two files that set a trainer's key, the higher rank wins. */
  rank: number;
  trainer: readonly KeyValue[];
  entries: readonly DatasetEntry[];
  /** Settings from `# studio:` comments. */
  studio: readonly Setting[];
  /** Of a script: what it does besides. */
  script?: Omit<ScriptKeys, "keys">;
}

type Tree = Readonly<Record<string, unknown>>;

/** Parses one file. @throws ConfigError invalid_yaml when it is neither YAML nor a list of overrides. */
export function parseVagenFile({ name, text }: VagenFile): ParsedFile {
  assertAtMost(MAX_CHARACTERS, text.length, "characters", name);
  const { tree, problem } = parseTree(text);
  const studio = studioSettings(text);
  assertAtMost(MAX_KEYS, studio.length, "settings of the studio", name);
  if (tree) return { rank: RANKS.yaml, ...splitTree(tree, name), studio };
  const { keys, ...script } = readScript(text);
  const trainer = keys.flatMap(flattened).map(withoutSecrets);
  assertAtMost(MAX_KEYS, trainer.length, "overrides", name);
  const rank = RANKS[isFlags(name) ? "flags" : "script"];
  if (trainer.length > 0) return { rank, trainer, entries: [], studio, script };
  throw new ConfigError(
    "invalid_yaml",
    `${name} is not a VAGEN configuration: ${short(problem, 400) || "there is neither a section nor an override in it"}.`,
    "Give a trainer's YAML, a dataset's YAML, or overrides like algorithm.gamma=1.0.",
  );
}

/** Whether a file has the overrides that all launchers of a release share. */
export const isFlags = (name: string): boolean => name.endsWith(".flags");

/** Whether a text is a VAGEN file rather than a configuration of the studio. */
export function isVagenConfig(text: string): boolean {
  // The parser of the studio's own files reports that the text is too long.
  if (text.length > MAX_CHARACTERS) return false;
  const { tree } = parseTree(text);
  if (!tree) return readScript(text).keys.length > 0;
  // Only the studio's files have a format version.
  if ("version" in tree) return false;
  const { trainer, entries } = splitTree(tree, "");
  return entries.length > 0 || count(trainer, isOnlyVagens) > count(trainer, isOnlyOurs);
}

const count = (keys: readonly KeyValue[], has: (key: string) => boolean): number =>
  keys.filter(({ key }) => has(key)).length;

/** VAGEN's largest files have some 700 keys. */
const MAX_KEYS = 2000;

/** Each key is compared with every line of the table, so their number is bounded. @throws ConfigError */
function assertAtMost(limit: number, count: number, of: string, name: string): void {
  if (count <= limit) return;
  throw new ConfigError(
    "invalid_yaml",
    `${name} has ${count} ${of}, more than the ${limit} that are read.`,
    "Check that this is the right file.",
  );
}

// Sections like `algorithm` exist on both sides, so one key does not decide.

const isOnlyVagens = (key: string): boolean =>
  !isOurs(key) && TABLE.some((mapping) => mapping.part === "trainer" && isEvidence(mapping, key));

/** Whether a line of the table is about a key. Patterns like AReaL's `rollout.*` cover misspelt settings of the studio as well. */
const isEvidence = (mapping: KeyMapping, key: string): boolean =>
  mapping.key === key || (covers(mapping.key, key) && !isSectionOfOurs(mapping.key.slice(0, -2)));

const isSectionOfOurs = (name: string): boolean =>
  describeRunConfig().some(({ path }) => path.startsWith(`${name}.`));

const isOnlyOurs = (key: string): boolean =>
  isOurs(key) && !TABLE.some((mapping) => mapping.part === "trainer" && mapping.key === key);

const isOurs = (key: string): boolean =>
  describeRunConfig().some(({ path }) => path === key || key.startsWith(`${path}.`));

function parseTree(text: string): { tree: Tree | null; problem: string } {
  const read = readYaml(text, OMEGACONF);
  if (!("value" in read)) return { tree: null, problem: read.what };
  return { tree: isTree(read.value) ? read.value : null, problem: "" };
}

/** Trainer keys and dataset entries; the file's name decides between training and validation. */
function splitTree(tree: Tree, name: string): { trainer: KeyValue[]; entries: DatasetEntry[] } {
  const isValidation = isNamedForValidation(name) || isEvaluator(tree);
  const split = isValidation ? "val" : "train";
  const trainer: KeyValue[] = [];
  const entries: DatasetEntry[] = [];
  for (const [key, value] of Object.entries(tree)) {
    if (isTree(value) && "env_name" in value)
      entries.push({ generation: "legacy", split, keys: entryKeys(value, key, "env_config") });
    else if (key === "envs" && Array.isArray(value))
      for (const [i, entry] of value.filter(isTree).entries())
        entries.push({ generation: "lite", split, keys: entryKeys(entry, `envs[${i}]`, "config") });
    else trainer.push(...flatten(key, value));
  }
  return { trainer: trainer.map(withoutSecrets), entries: entries.map(concealedEntry) };
}

/** Whether the name of a file says that it is to validate on. "train" decides where the name has both, as in `train_val.yaml`. */
function isNamedForValidation(name: string): boolean {
  const words = name
    .replace(/^.*\//, "")
    .toLowerCase()
    .split(/[^a-z]+/);
  const isOne = (...known: readonly string[]) => words.some((word) => known.includes(word));
  return isOne("val", "valid", "validation", "test", "eval", "evaluation") && !isOne("train", "training");
}

const concealedEntry = (entry: DatasetEntry): DatasetEntry => ({
  ...entry,
  keys: entry.keys.map(withoutSecrets),
});

/** Whether a file is for VAGEN's own evaluator, whose entries are levels to evaluate on. */
const isEvaluator = (tree: Tree): boolean => "envs" in tree && "run" in tree && "backends" in tree;

/** An entry's keys; the table calls an environment's options `config.…` in both generations. */
function entryKeys(tree: Tree, label: string, optionsKey: string): KeyValue[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (key === optionsKey && isEmpty(value)) return [];
    if (key !== optionsKey || !isTree(value))
      return [{ key, shown: `${label}.${key}`, value: withDefaults(value) }];
    return flatten("config", value).map(({ key: option, value: inner }) => ({
      key: option,
      shown: `${label}.${key}${option.slice("config".length)}`,
      value: inner,
    }));
  });
}

/** Whether an entry's options are there and say nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null || (isTree(value) && Object.keys(value).length === 0);

/** An override with a section as its value, `a.b={c: 1}`, as overrides of its keys, because Hydra merges it into the section. */
export const flattened = (override: KeyValue): KeyValue[] =>
  isTree(override.value)
    ? flatten(override.key, override.value).map((inner) => ({ ...override, ...inner }))
    : [override];

/** Nested sections as dotted keys. A map that the table knows as one value stays one. */
function flatten(key: string, value: unknown): KeyValue[] {
  const isWhole = TABLE.some((mapping) => mapping.part === "trainer" && mapping.key === key);
  if (!isTree(value) || isWhole || Object.keys(value).length === 0)
    return [{ key, value: withDefaults(value) }];
  return Object.entries(value).flatMap(([inner, below]) => flatten(`${key}.${inner}`, below));
}
