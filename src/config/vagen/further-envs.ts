// Entries of a dataset to train on beyond the first: further environments of the run.
import { type ImportContext, schemaOf, specOf } from "./context.ts";
import { taskFindings } from "./dataset-findings.ts";
import { taskDefaults } from "./defaults.ts";
import { type Finding, ofKind } from "./findings.ts";
import type { DatasetEntry } from "./parse/file.ts";
import { nameOfEntry, seedsOfEntry } from "./validation-sets.ts";

/** Entries to train on besides the run's own task. */
const furtherTasks = (entries: readonly DatasetEntry[], task: DatasetEntry | undefined) =>
  entries.filter((entry) => entry !== task && entry.split === "train" && specOf(entry) !== undefined);

/** A finding for each further environment, and one for each of their values that cannot be read. `sets` are names that are taken. */
export function furtherEnvFindings(
  context: ImportContext,
  entries: readonly DatasetEntry[],
  task: DatasetEntry | undefined,
  sets: readonly string[],
): Finding[] {
  const taken = [context.spec.id, ...sets];
  return furtherTasks(entries, task).flatMap((entry): Finding[] => {
    const { id } = specOf(entry)!;
    // A dot would separate two parts of a path.
    const name = nameOfEntry(entry, id, taken).replaceAll(".", "_");
    taken.push(name);
    const { value, others } = readEntry(context, entry, entries);
    const ours = { name: id, ...weightOf(entry, task), ...value };
    const remark = `Its metrics have this name: train/success/${name}.`;
    return [{ kind: "applied", key: "envs", value: name, path: `envs.${name}`, ours, remark }, ...others];
  });
}

/** Settings of a run that a further environment has its own of. */
const OWN: Readonly<Record<string, string>> = {
  "rollout.max_turns": "max_turns",
  "trainer.train_seeds": "train_seeds",
};
const OPTIONS = "env.config.";

function readEntry(outer: ImportContext, entry: DatasetEntry, entries: readonly DatasetEntry[]) {
  const spec = specOf(entry)!;
  const context = { ...outer, spec, schema: schemaOf(spec) };
  const found = entry.keys.flatMap((key) => taskFindings(context, key, entry));
  const config: Record<string, unknown> = {};
  const value: Record<string, unknown> = { config };
  for (const { path, ours } of [...taskDefaults(context, entry, []), ...ofKind(found, "applied")]) {
    if (path.startsWith(OPTIONS)) config[path.slice(OPTIONS.length)] = ours;
    else if (OWN[path]) value[OWN[path]] = ours;
  }
  // Of one environment the validation entries are further sets.
  const validation =
    spec !== outer.spec && entries.find((one) => one.split === "val" && specOf(one) === spec);
  if (validation) value.val_seeds = seedsOfEntry(context, validation);
  return { value, others: found.filter(({ kind }) => kind === "refused" || kind === "unknown") };
}

/** VAGEN draws from all entries alike, so an entry counts as much as it has levels, within what a weight may be. */
function weightOf(entry: DatasetEntry, task: DatasetEntry | undefined): { weight?: number } {
  const [own, first] = [entry, task].map((of) =>
    Number(of?.keys.find(({ key }) => SIZES.includes(key))?.value),
  );
  const weight = Math.min(1000, Math.max(0.001, Number((own! / first!).toPrecision(4))));
  return Number.isFinite(weight) && weight !== 1 ? { weight } : {};
}

const SIZES = ["n_envs", "train_size"];
