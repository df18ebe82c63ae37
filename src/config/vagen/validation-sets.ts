// Entries of a dataset to validate on: the validation of an environment that the run trains, or a set of levels with metrics of its own.
import { VALIDATION_FIRST_SEED } from "../run-config.ts";
import { contextIn, type ImportContext, sourceFor, specOf } from "./context.ts";
import type { Finding } from "./findings.ts";
import { readSeedKeys } from "./keys/seeds.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { differences } from "./task-findings.ts";

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

/** Sets of `trainer.val_sets`, by name. */
type Sets = Readonly<Record<string, object>>;

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
): Sets {
  const named: Record<string, object> = {};
  for (const [entry, of] of sets) {
    if (of !== task) continue;
    const name = nameOfEntry(entry, "set", [...taken, ...Object.keys(named)]);
    const seeds = seedsOfEntry(context, entry);
    const { config, ...turns } = differences(contextIn(context, entry), entry, task);
    // In the order of the schema, because values are compared as they are written.
    named[name] = { seeds, config, ...(env !== undefined && { env }), ...turns };
  }
  return named;
}

/**
 * A finding for each further set of levels.
 * @param unvalidated names of environments with sets, for which no entry plays as training does
 */
export function validationSetFindings(sets: Sets, unvalidated: readonly string[]): Finding[] {
  const also =
    unvalidated.length > 0
      ? ` The run also validates on levels of ${unvalidated.join(" and ")} as it trains them.`
      : "";
  return Object.entries(sets).map(([name, ours], i) => ({
    kind: "applied",
    key: "envs",
    value: name,
    path: `trainer.val_sets.${name}`,
    ours,
    remark: `A validation set of its own: val-core/${name}/reward/mean@n.${i === 0 ? also : ""}`,
  }));
}

/** The key of an entry that has Lite's name of a group of metrics. */
export const namingKey = ({ keys }: DatasetEntry): KeyValue | undefined =>
  keys.find(({ key }) => key === "data_source") ?? keys.find(({ key }) => key === "tag_id");

/** Lite's name of a group of metrics, made unique and usable as a part of a path, where a full stop would separate two parts. */
export function nameOfEntry(entry: DatasetEntry, otherwise: string, taken: readonly string[]): string {
  const given = String(namingKey(entry)?.value ?? "")
    .replace(/[^\w-]+/g, "_")
    .slice(0, 50);
  const name = given === "" || given === "__proto__" ? otherwise : given;
  const free = [name, ...taken.map((_, i) => `${name}_${i + 2}`)].find((other) => !taken.includes(other));
  return free ?? `${name}_${taken.length + 2}`;
}

/** The levels that an entry validates on. */
export function seedsOfEntry(context: ImportContext, entry: DatasetEntry): string {
  const read = readSeedKeys(sourceFor(context, entry));
  if ("value" in read) return String(read.value);
  const count = Number(entry.keys.find(({ key }) => key === "n_envs")?.value ?? 100);
  return `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + count - 1}`;
}
