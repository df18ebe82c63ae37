// Entries of a dataset to train on beyond the first: further environments of the run.
import { short } from "../../core/short.ts";
import { getPath } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";
import { contextIn, type ImportContext, isTaskName, specOf } from "./context.ts";
import { taskDefaults, WITHOUT_KEY } from "./defaults.ts";
import { type Finding, type Mapped, ofKind, unmapped } from "./findings.ts";
import type { DatasetEntry } from "./parse/file.ts";
import { TURNS, taskFindings } from "./task-findings.ts";
import {
  isOnlyInSets,
  nameOfEntry,
  seedsOfEntry,
  setsFor,
  type Validations,
  validationSetFindings,
} from "./validation-sets.ts";

/** The entries that are trained, the run's own task first; none of environments that the studio does not have. */
export function trainedEntries(entries: readonly DatasetEntry[]): DatasetEntry[] {
  const known = entries.filter((entry) => specOf(entry) !== undefined);
  const trained = known.filter(({ split }) => split === "train");
  // Without training entries the first validation entry is the task.
  return trained.length > 0 ? trained : known.slice(0, 1);
}

/** A further environment as its entry has it. */
interface FurtherEnv {
  /** In the run, and in the names of its metrics. */
  readonly name: string;
  readonly entry: DatasetEntry;
  /** Its value in `envs`. */
  readonly ours: object;
  /** What its keys and VAGEN's defaults say about settings that all environments of a run share. */
  readonly shared: readonly Mapped[];
  /** What cannot be read, or not be done. */
  readonly failed: readonly Finding[];
}

/**
 * The further environments of the files, and the findings on further sets of levels. Each has a name that nothing else has.
 * @param trained the entries that are trained, the run's own task first
 */
export function furtherParts(
  context: ImportContext,
  trained: readonly DatasetEntry[],
  validations: Validations,
): { further: FurtherEnv[]; sets: Finding[] } {
  const [task, ...others] = trained;
  const { id } = context.spec;
  let sets = task ? setsFor(context, validations, task, { taken: [id] }) : {};
  const taken = [id, ...Object.keys(sets)];
  const further = others.map((entry) => {
    // A dot would separate two parts of a path.
    const name = nameOfEntry(entry, specOf(entry)!.id, taken).replaceAll(".", "_");
    taken.push(name);
    return { name, entry, ...readEntry(context, entry, { task, validations }) };
  });
  for (const { name: env, entry } of further) {
    const own = setsFor(context, validations, entry, { taken, env });
    taken.push(...Object.keys(own));
    sets = { ...sets, ...own };
  }
  const names = [id, ...further.map(({ name }) => name)];
  const unvalidated = names.filter((_, i) => isOnlyInSets(validations, trained[i]));
  return { further, sets: validationSetFindings(sets, unvalidated) };
}

/** The findings on a further environment that do not depend on the rest of the run. */
export function furtherEnvFindings({ name, ours, failed }: FurtherEnv): Finding[] {
  const remark = `Its metrics have this name: train/success/${name}.`;
  return [{ kind: "applied", key: "envs", value: name, path: `envs.${name}`, ours, remark }, ...failed];
}

/**
 * A finding for each value of a further environment that the run does not use, because all of its environments share the setting.
 * Where the first entry says the same, the run treats both alike, and there is nothing to report; nor is there about `settled` paths.
 */
export function sharedSettingFindings(
  { name, entry, shared }: FurtherEnv,
  config: RunConfig,
  ofTask: readonly Mapped[],
  settled: ReadonlySet<string>,
): Finding[] {
  if (!(name in config.envs)) return [];
  const first = new Map(ofTask.map(({ path, ours }) => [path, ours]));
  return shared.flatMap((found) => {
    const { path, ours } = found;
    const used = getPath(config, path);
    if (settled.has(path) || [used, first.get(path)].some((value) => isEqual(value, ours))) return [];
    const why = `All environments of a run share ${path}, which is ${short(JSON.stringify(used))} here.`;
    if (found.kind === "applied") return unmapped("unsupported", found, why);
    const key = `${labelOf(entry)}${found.key}`;
    return unmapped("unsupported", { ...found, key }, `VAGEN's default. ${why}`);
  });
}

/** What the reports of an entry's keys begin with. */
const labelOf = ({ keys }: DatasetEntry): string =>
  keys.find(({ key }) => isTaskName(key))?.shown?.replace(/\w+$/, "") ?? "";

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Settings of a run that a further environment has its own of. */
const OWN: Readonly<Record<string, string>> = {
  [TURNS]: "max_turns",
  "trainer.train_seeds": "train_seeds",
};
const OPTIONS = "env.config.";
const FAILURES: readonly Finding["kind"][] = ["refused", "unknown", "unsupported"];

function readEntry(
  outer: ImportContext,
  entry: DatasetEntry,
  { task, validations }: { task: DatasetEntry | undefined; validations: Validations },
): Omit<FurtherEnv, "name" | "entry"> {
  const context = contextIn(outer, entry);
  const found = entry.keys.flatMap((key) => taskFindings(context, key, entry));
  const config: Record<string, unknown> = {};
  const value: Record<string, unknown> = { config };
  const shared = new Map<string, Mapped>();
  for (const one of [...taskDefaults(context, entry, found), ...ofKind(found, "applied")]) {
    const { path, ours } = one;
    if (path.startsWith(OPTIONS)) config[path.slice(OPTIONS.length)] = ours;
    else if (OWN[path]) value[OWN[path]] = ours;
    else if (path !== "env.name" && one.key !== WITHOUT_KEY) shared.set(path, one);
  }
  const validation = validations.own.get(entry);
  if (validation) value.val_seeds = seedsOfEntry(context, validation);
  const failed = found.filter(({ kind }) => FAILURES.includes(kind));
  const ours = { name: context.spec.id, ...weightOf(entry, task), ...value };
  return { ours, shared: [...shared.values()], failed };
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
