// Entries of a dataset to validate on beyond the run's own validation: sets of levels with metrics of their own.
import { VALIDATION_FIRST_SEED } from "../run-config.ts";
import { type ImportContext, sourceFor, specOf } from "./context.ts";
import type { Finding } from "./findings.ts";
import { readSeedKeys } from "./keys/seeds.ts";
import type { DatasetEntry } from "./parse/file.ts";
import { differingOptions } from "./task-findings.ts";

/** The first entry to validate on, if it plays the `task` as training does: the run's own validation. */
export function ownValidation(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  task: DatasetEntry | undefined,
): DatasetEntry | undefined {
  const first = task && entries.find((entry) => isValidation(entry, task));
  const isOwn = first && Object.keys(differingOptions(context, first, task)).length === 0;
  return isOwn ? first : undefined;
}

/** Whether an entry validates the environment of the task. */
const isValidation = (entry: DatasetEntry, task: DatasetEntry): boolean =>
  entry.split === "val" && specOf(entry) === specOf(task);

/**
 * One finding for all entries to validate on but the run's own: their levels, and the options in which they differ from the `task`
 * that the run trains.
 */
export function validationSetFindings(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  { task, main }: { task: DatasetEntry | undefined; main: DatasetEntry | undefined },
): Finding[] {
  if (!task) return [];
  const further = entries.filter((entry) => entry !== main && entry !== task && isValidation(entry, task));
  if (further.length === 0) return [];
  const sets: Record<string, object> = {};
  for (const entry of further) {
    const name = nameOfEntry(entry, "set", [context.spec.id, ...Object.keys(sets)]);
    sets[name] = { seeds: seedsOfEntry(context, entry), config: differingOptions(context, entry, task) };
  }
  const path = "trainer.val_sets";
  const names = "Their metrics have these names: val-core/<name>/reward/mean@n.";
  const own = main ? "" : ` ${OWN_TOO}`;
  return [
    { kind: "applied", key: "envs", value: Object.keys(sets), path, ours: sets, remark: `${names}${own}` },
  ];
}

const OWN_TOO = "The run also validates on levels of the task that it trains (trainer.val_size).";

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
