// Entries of a dataset to validate on: the validation of an environment that the run trains, or a set of levels with metrics of its own.
import { type RunConfig, VALIDATION_FIRST_SEED } from "../run-config.ts";
import { contextIn, type ImportContext, isTaskName, sourceFor, specOf } from "./context.ts";
import { type Finding, type Mapped, ofKind, unmapped } from "./findings.ts";
import { readSeedKeys } from "./keys/seeds.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { differences, TURNS, taskFindings } from "./task-findings.ts";

/** Keys of a validation entry that say which levels it has. */
export const LEVELS = ["n_envs", "seed", "seed_list"];

export const AS_TRAINED = "As in training.";

/** How validation entries relate to training entries. */
export interface Validations {
  /** Maps a training entry to the first validation entry with the same options and turns. */
  readonly own: ReadonlyMap<DatasetEntry, DatasetEntry>;
  /** Maps every other validation entry to a training entry of the same environment. */
  readonly sets: ReadonlyMap<DatasetEntry, DatasetEntry>;
}

/** @param trained the entries that are trained, the run's own task first */
export function validationsOf(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  trained: readonly DatasetEntry[],
): Validations {
  const free = new Set(entries.filter((entry) => entry.split === "val" && !trained.includes(entry)));
  const own = new Map<DatasetEntry, DatasetEntry>();
  // A validation entry that serves as the task needs no second one.
  for (const task of trained.filter(({ split }) => split === "train")) {
    const found = [...free].find((entry) => playsAs(context, entry, task));
    if (!found) continue;
    own.set(task, found);
    free.delete(found);
  }
  const sets = [...free].flatMap((entry) => {
    const task = nearestOf(context, entry, trained);
    return task ? [[entry, task] as const] : [];
  });
  return { own, sets: new Map(sets) };
}

/** Whether a training entry has further validation sets but no validation of its own. */
export const isOnlyInSets = ({ own, sets }: Validations, task: DatasetEntry | undefined): boolean =>
  [...sets.values()].some((of) => of === task) && !(task && own.has(task));

/** Whether an entry plays the environment of the task with its options and turns. */
const playsAs = (context: ImportContext, entry: DatasetEntry, task: DatasetEntry): boolean =>
  specOf(entry) === specOf(task) && differing(context, entry, task) === 0;

/** How many options differ between two entries of one environment; different turns count as one more. */
function differing(context: ImportContext, entry: DatasetEntry, task: DatasetEntry): number {
  const { config, max_turns } = differences(contextIn(context, task), entry, task);
  return Object.keys(config).length + (max_turns === undefined ? 0 : 1);
}

/** The training entry most like a validation entry; undefined if none has its environment. */
const nearestOf = (
  context: ImportContext,
  entry: DatasetEntry,
  trained: readonly DatasetEntry[],
): DatasetEntry | undefined =>
  trained
    .filter((task) => specOf(task) === specOf(entry))
    .toSorted((a, b) => differing(context, entry, a) - differing(context, entry, b))[0];

/** A set of `trainer.val_sets`. */
export interface ValidationSetEntry {
  readonly name: string;
  readonly entry: DatasetEntry;
  readonly ours: {
    seeds: string;
    config: Readonly<Record<string, unknown>>;
    env?: string;
    max_turns?: unknown;
  };
}

/**
 * The further sets of levels of an entry that is trained.
 * @param taken names that no set may have
 * @param env the name of the further environment that the entry is; undefined for the run's own task
 */
export function setsFor(
  context: ImportContext,
  { sets }: Validations,
  task: DatasetEntry,
  { taken, env }: { taken: readonly string[]; env?: string },
): ValidationSetEntry[] {
  const named: ValidationSetEntry[] = [];
  for (const [entry, of] of sets) {
    if (of !== task) continue;
    const seeds = seedsOfEntry(context, entry);
    const { config, ...turns } = differences(contextIn(context, entry), entry, task);
    const word = Object.values(config).find(
      (value) => typeof value === "string" && /^[a-z]\w*$/i.test(value),
    );
    const name = nameOfEntry(entry, String(word ?? "set"), [...taken, ...named.map((set) => set.name)]);
    // In the order of the schema, because values are compared as they are written.
    named.push({ name, entry, ours: { seeds, config, ...(env !== undefined && { env }), ...turns } });
  }
  return named;
}

/**
 * A finding for each further set of levels.
 * @param unvalidated names of environments with sets, for which no entry plays as training does
 */
export function validationSetFindings(
  sets: readonly ValidationSetEntry[],
  unvalidated: readonly string[],
): Finding[] {
  const also =
    unvalidated.length > 0
      ? ` The run also validates on levels of ${unvalidated.join(" and ")} as it trains them.`
      : "";
  return sets.map(({ name, entry, ours }, i) => {
    const { key, shown = key, value } = namingKey(entry) ?? { key: "envs", value: name };
    const remark = `A validation set of its own: val-core/${name}/reward/mean@n.${i === 0 ? also : ""}`;
    return { kind: "applied", key: shown, value, path: `trainer.val_sets.${name}`, ours, remark };
  });
}

/** The findings on the other keys of a set: it has its own levels, options and turns, and shares everything else with the run. */
export function setKeyFindings(
  outer: ImportContext,
  { name, entry, ours }: ValidationSetEntry,
  config: RunConfig,
): Finding[] {
  const context = contextIn(outer, entry);
  const path = `trainer.val_sets.${name}`;
  const others = entry.keys.filter((found) => found !== namingKey(entry));
  if (!Object.hasOwn(config.trainer.val_sets, name))
    return others.map((found) => unmapped("ignored", found, "Its validation set was refused."));
  const found = others
    .filter(({ key }) => !LEVELS.includes(key))
    .flatMap((key) => taskFindings(context, key, entry))
    .map((one) => (one.kind === "applied" ? inSet(one, path, ours) : one));
  return [...found, ...levelFindings(context, entry, `${path}.seeds`)];
}

/** What a key of a set's entry sets in the set, or that the set plays as training does. */
function inSet(found: Mapped, path: string, { config, env, max_turns }: ValidationSetEntry["ours"]): Finding {
  if (found.path === "env.name") return { ...found, path: `${path}.env`, ours: env ?? found.ours };
  const option = found.path.startsWith(OPTIONS) ? found.path.slice(OPTIONS.length) : "";
  if (Object.hasOwn(config, option)) return { ...found, path: `${path}.config.${option}` };
  if (found.path === TURNS && max_turns !== undefined) return { ...found, path: `${path}.max_turns` };
  return unmapped("ignored", found, AS_TRAINED);
}

const OPTIONS = "env.config.";

/**
 * The findings on the keys that say which levels an entry has to validate on. All of them together make one setting, at `path`; of two lists of
 * seeds one counts.
 */
export function levelFindings(context: ImportContext, entry: DatasetEntry, path: string): Finding[] {
  const keys = entry.keys.filter(({ key }) => LEVELS.includes(key));
  const isListed = keys.some(({ key, value }) => key === "seed_list" && value !== null);
  return keys.map((found) => {
    const { key, shown = key, value } = found;
    if (key === "seed" && isListed) return unmapped("ignored", found, "The entry's seed_list counts.");
    const refused = ofKind(taskFindings(context, found, entry), "refused")[0];
    return refused
      ? { ...refused, path }
      : { kind: "applied", key: shown, value, path, ours: seedsOfEntry(context, entry) };
  });
}

/** The key that names an entry in a run: Lite's name of a group of metrics, or else the environment. */
export const namingKey = (entry: DatasetEntry): KeyValue | undefined =>
  metricsKey(entry) ?? entry.keys.find(({ key }) => isTaskName(key));

const metricsKey = ({ keys }: DatasetEntry): KeyValue | undefined =>
  keys.find(({ key }) => key === "data_source") ?? keys.find(({ key }) => key === "tag_id");

/** Lite's name of a group of metrics, made unique and usable as a part of a path, where a full stop would separate two parts. */
export function nameOfEntry(entry: DatasetEntry, otherwise: string, taken: readonly string[]): string {
  const given = String(metricsKey(entry)?.value ?? "")
    .replace(/[^\w-]+/g, "_")
    .slice(0, 50);
  const name = given === "" || given === "__proto__" ? otherwise : given;
  const free = [name, ...taken.map((_, i) => `${name}_${i + 2}`)].find((other) => !taken.includes(other));
  return free ?? `${name}_${taken.length + 2}`;
}

/** The levels that an entry validates on. */
function seedsOfEntry(context: ImportContext, entry: DatasetEntry): string {
  const read = readSeedKeys(sourceFor(context, entry));
  if ("value" in read) return String(read.value);
  const count = Number(entry.keys.find(({ key }) => key === "n_envs")?.value ?? 100);
  return `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + count - 1}`;
}
