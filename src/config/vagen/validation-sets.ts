// Entries of a dataset to validate on: the validation of an environment that the run trains, or a set of levels with metrics of its own.
import { VALIDATION_FIRST_SEED } from "../run-config.ts";
import { contextIn, type ImportContext, sourceFor, specOf } from "./context.ts";
import type { Finding } from "./findings.ts";
import { readSeedKeys } from "./keys/seeds.ts";
import type { DatasetEntry } from "./parse/file.ts";
import { differences } from "./task-findings.ts";

/** What the entries to validate on are to the entries that are trained. */
export interface Validations {
  /** By an entry that is trained, the one that validates it: the first that plays as it does. */
  readonly own: ReadonlyMap<DatasetEntry, DatasetEntry>;
  /** By an entry that is a further set of levels, the one that is trained in its environment. */
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
  for (const task of trained) {
    const found = [...free].find((entry) => playsAs(context, entry, task));
    if (!found) continue;
    own.set(task, found);
    free.delete(found);
  }
  const sets = [...free].flatMap((entry) => {
    const task = trained.find((other) => specOf(other) === specOf(entry));
    return task ? [[entry, task] as const] : [];
  });
  return { own, sets: new Map(sets) };
}

/** Whether sets of levels are all that the files validate a trained entry on. */
export const isOnlyInSets = ({ own, sets }: Validations, task: DatasetEntry | undefined): boolean =>
  [...sets.values()].some((of) => of === task) && !(task && own.has(task));

/** Whether an entry plays the environment of the task with its options and turns. */
function playsAs(context: ImportContext, entry: DatasetEntry, task: DatasetEntry): boolean {
  if (specOf(entry) !== specOf(task)) return false;
  const { config, max_turns } = differences(contextIn(context, task), entry, task);
  return Object.keys(config).length === 0 && max_turns === undefined;
}

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
    const differing = differences(contextIn(context, entry), entry, task);
    named[name] = { seeds, ...differing, ...(env !== undefined && { env }) };
  }
  return named;
}

/**
 * One finding for all further sets of levels; none without any.
 * @param unvalidated names of environments with sets, for which no entry plays as training does
 */
export function validationSetFindings(sets: Sets, unvalidated: readonly string[]): Finding[] {
  const found = Object.keys(sets);
  if (found.length === 0) return [];
  const names = "Their metrics have these names: val-core/<name>/reward/mean@n.";
  const remark =
    unvalidated.length > 0
      ? `${names} The run also validates on levels of ${unvalidated.join(" and ")} as it trains them (trainer.val_size).`
      : names;
  return [{ kind: "applied", key: "envs", value: found, path: "trainer.val_sets", ours: sets, remark }];
}

/** Lite's name of a group of metrics, made unique. */
export function nameOfEntry({ keys }: DatasetEntry, otherwise: string, taken: readonly string[]): string {
  const given = keys.find(({ key }) => key === "data_source") ?? keys.find(({ key }) => key === "tag_id");
  const name = String(given?.value ?? otherwise)
    .replace(/[^\w.-]+/g, "_")
    .slice(0, 50);
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
