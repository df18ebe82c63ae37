// A file of VAGEN's, whatever it is: trainer YAML, dataset YAML or a list of overrides, taken apart into keys and values.
import { LineCounter, parseDocument } from "yaml";
import { ConfigError } from "../../core/errors.ts";
import { short } from "../../core/short.ts";
import { MAX_CHARACTERS, yamlProblem } from "../../core/yaml-limits.ts";
import { describeRunConfig } from "../describe.ts";
import { OMEGACONF } from "./omegaconf.ts";
import { overridesIn, type Pair } from "./overrides-list.ts";
import type { Generation } from "./row.ts";
import { type Setting, studioSettings } from "./studio-lines.ts";
import { linesFor, TABLE } from "./table.ts";

/** A file to be imported. */
export interface VagenFile {
  name: string;
  text: string;
}

/** One entry of a dataset: a task. */
export interface DatasetEntry {
  generation: Generation;
  split: "train" | "val";
  /** Of the dataset's keys: the table's name, and the file's for people. */
  pairs: readonly (Pair & { shown: string })[];
}

interface VagenText {
  trainer: readonly Pair[];
  entries: readonly DatasetEntry[];
  studio: readonly Setting[];
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Takes a file apart. @throws ConfigError invalid_yaml when it is neither YAML nor a list of overrides. */
export function readVagenFile({ name, text }: VagenFile): VagenText {
  assertShort(text.length, MAX_CHARACTERS, "characters", name);
  const { tree, problem } = parsed(text);
  const studio = studioSettings(text);
  assertShort(studio.length, MAX_KEYS, "settings of the studio", name);
  if (tree) return { ...takeApart(tree, name), studio };
  const trainer = overridesIn(text);
  assertShort(trainer.length, MAX_KEYS, "overrides", name);
  if (trainer.length > 0) return { trainer, entries: [], studio };
  throw new ConfigError(
    "invalid_yaml",
    `${name} is not a VAGEN configuration: ${short(problem, 400) || "there is neither a section nor an override in it"}.`,
    "Give a trainer's YAML, a dataset's YAML, or overrides like algorithm.gamma=1.0.",
  );
}

/** Whether a text is VAGEN's rather than the studio's own. */
export function isVagenConfig(text: string): boolean {
  // The reader of the studio's own files reports that it is too long.
  if (text.length > MAX_CHARACTERS) return false;
  const { tree } = parsed(text);
  if (!tree) return overridesIn(text).length > 0;
  // Our own files say which version of the format they are.
  if ("version" in tree) return false;
  const { trainer, entries } = takeApart(tree, "");
  return entries.length > 0 || trainer.some(({ key }) => isTheirs(key));
}

/** VAGEN's largest files have some 700 keys. */
const MAX_KEYS = 2000;

/** @throws ConfigError for more than `limit` of something: each key is compared with every line of the table. */
function assertShort(count: number, limit: number, of: string, name: string): void {
  if (count <= limit) return;
  throw new ConfigError(
    "invalid_yaml",
    `${name} has ${count} ${of}, more than the ${limit} that are read.`,
    "Check that this is the right file.",
  );
}

/** Known to VAGEN and not to us: sections like `algorithm` exist on both sides. */
function isTheirs(key: string): boolean {
  const isOurs = describeRunConfig().some(({ path }) => path === key || key.startsWith(`${path}.`));
  if (isOurs) return false;
  return ["legacy", "lite"].some((generation) => {
    const lines = linesFor(key, { part: "trainer", generation: generation as Generation });
    return lines.length > 0;
  });
}

function parsed(text: string): { tree: Tree | null; problem: string } {
  const costly = yamlProblem(text);
  if (costly) return { tree: null, problem: costly.what };
  const lines = new LineCounter();
  const document = parseDocument(text, { ...OMEGACONF, lineCounter: lines, prettyErrors: false });
  const error = document.errors[0];
  if (!error) return plain(document);
  const { line, col } = lines.linePos(error.pos[0]);
  return { tree: null, problem: `line ${line}, column ${col}: ${error.message}` };
}

function plain(document: ReturnType<typeof parseDocument>): { tree: Tree | null; problem: string } {
  try {
    const value: unknown = document.toJS();
    return { tree: isTree(value) ? value : null, problem: "" };
  } catch (cause) {
    // A reference to an anchor that does not exist, or far too many of them.
    return { tree: null, problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

function takeApart(tree: Tree, name: string): { trainer: Pair[]; entries: DatasetEntry[] } {
  const split = /(val|test|eval)/i.test(name.replace(/^.*\//, "")) ? "val" : "train";
  const found = { trainer: [] as Pair[], entries: [] as DatasetEntry[] };
  for (const [key, value] of Object.entries(tree)) {
    if (isTree(value) && "env_name" in value) found.entries.push(legacyEntry(key, value, split));
    else if (key === "envs" && Array.isArray(value))
      found.entries.push(...value.filter(isTree).map((entry, i) => liteEntry(i, entry, split)));
    else found.trainer.push(...flat(key, value));
  }
  return found;
}

function legacyEntry(label: string, tree: Tree, split: "train" | "val"): DatasetEntry {
  const pairs = entryPairs(tree, "env_config").map((pair) => ({
    ...pair,
    shown: `${label}.${pair.key}`,
    key: pair.key.replace(/^env_config\./, "config."),
  }));
  return { generation: "legacy", split, pairs };
}

function liteEntry(index: number, tree: Tree, split: "train" | "val"): DatasetEntry {
  const pairs = entryPairs(tree, "config").map((pair) => ({ ...pair, shown: `envs[${index}].${pair.key}` }));
  return { generation: "lite", split, pairs };
}

/** An entry's keys, with those of its options behind a dot. */
function entryPairs(tree: Tree, options: string): Pair[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    key === options && isTree(value)
      ? Object.entries(value).map(([option, inner]) => ({ key: `${key}.${option}`, value: inner }))
      : [{ key, value }],
  );
}

/** Nested sections as dotted keys. A map that the table knows as one value stays one. */
function flat(key: string, value: unknown): Pair[] {
  const isWhole = TABLE.some((row) => row.part === "trainer" && row.key === key);
  if (!isTree(value) || isWhole || Object.keys(value).length === 0) return [{ key, value }];
  return Object.entries(value).flatMap(([inner, below]) => flat(`${key}.${inner}`, below));
}
