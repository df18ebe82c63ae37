// Entries of a dataset to train on beyond the first: further environments of the run.
import { short } from "../../core/short.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { getPath } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";
import { contextIn, type ImportContext, isTaskName, specOf } from "./context.ts";
import { taskDefaults, WITHOUT_KEY } from "./defaults.ts";
import { type Finding, isEqual, type Mapped, OF_REFUSED, ofKind, unmapped } from "./findings.ts";
import { noteIfOverridden } from "./overridden.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import { TURNS, taskFindings } from "./task-findings.ts";
import {
  isOnlyInSets,
  levelFindings,
  nameOfEntry,
  namingKey,
  setsFor,
  type ValidationSetEntry,
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
  /** What became of its keys, except those of `shared`. What is applied has a path below `envs.<name>`. */
  readonly found: readonly Finding[];
  /** VAGEN's defaults that differ from the studio's. */
  readonly assumed: readonly Mapped[];
  /** What its keys and VAGEN's defaults say about settings that all environments of a run share. */
  readonly shared: readonly Mapped[];
}

/**
 * The further environments of the files, and the findings on further sets of levels. Each has a name that nothing else has.
 * @param trained the entries that are trained, the run's own task first
 */
export function furtherParts(
  context: ImportContext,
  trained: readonly DatasetEntry[],
  validations: Validations,
): { further: FurtherEnv[]; sets: ValidationSetEntry[]; ofSets: Finding[] } {
  const [task, ...others] = trained;
  const { id } = context.spec;
  const sets = task ? setsFor(context, validations, task, { taken: [id] }) : [];
  const taken = [id, ...sets.map(({ name }) => name)];
  const further = others.map((entry) => {
    const name = nameOfEntry(entry, specOf(entry)!.id, taken);
    taken.push(name);
    return { name, entry, ...readEntry(context, entry, { name, task, validations }) };
  });
  for (const { name: env, entry } of further) {
    const own = setsFor(context, validations, entry, { taken, env });
    taken.push(...own.map(({ name }) => name));
    sets.push(...own);
  }
  const names = [id, ...further.map(({ name }) => name)];
  const unvalidated = names.filter((_, i) => isOnlyInSets(validations, trained[i]));
  return { further, sets, ofSets: validationSetFindings(sets, unvalidated) };
}

/**
 * The findings on what a further environment says of settings that all environments of a run share: whether the run uses its value. Nothing
 * is reported of VAGEN's defaults that the first entry has as well, or whose path is `settled`.
 */
export function sharedSettingFindings(
  { name, entry, shared }: FurtherEnv,
  config: RunConfig,
  ofTask: readonly Mapped[],
  settled: ReadonlySet<string>,
): Finding[] {
  const first = new Map(ofTask.map(({ path, ours }) => [path, ours]));
  return shared.flatMap((found, i) => {
    const { path, ours, kind } = found;
    const used = getPath(config, path);
    if (!Object.hasOwn(config.envs, name)) {
      const isFirst = shared.findIndex(({ key }) => key === found.key) === i;
      return kind === "applied" && isFirst ? unmapped("ignored", found, OF_REFUSED) : [];
    }
    if (settled.has(path) || [used, first.get(path)].some((value) => isEqual(value, ours)))
      return kind === "applied" ? noteIfOverridden(found, config) : [];
    const why = `All environments of a run share ${path}, which is ${short(JSON.stringify(used))} here.`;
    if (kind === "applied") return unmapped("unsupported", found, why);
    return unmapped("unsupported", { ...found, key: labelled(found.key, entry) }, `VAGEN's default. ${why}`);
  });
}

/** How reports name a key that an entry leaves out. */
function labelled(key: string, { keys }: DatasetEntry): string {
  const name = keys.find(({ key }) => isTaskName(key))?.shown;
  return key === WITHOUT_KEY ? key : `${name?.replace(/\w+$/, "") ?? ""}${key}`;
}

/** Settings of a run that a further environment has its own of. */
const OWN: Readonly<Record<string, string>> = {
  "env.name": "name",
  [TURNS]: "max_turns",
  "trainer.train_seeds": "train_seeds",
};
const OPTIONS = "env.config.";

interface EntryPlace {
  name: string;
  /** The entry of the run's own task. */
  task: DatasetEntry | undefined;
  validations: Validations;
}

function readEntry(
  outer: ImportContext,
  entry: DatasetEntry,
  { name, task, validations }: EntryPlace,
): Omit<FurtherEnv, "name" | "entry"> {
  const context = contextIn(outer, entry);
  const validation = validations.own.get(entry);
  const naming = namingKey(entry);
  const given = entry.keys.flatMap((key): readonly Finding[] => {
    if (key === naming) return [nameFinding(key, name, context.spec.id)];
    const weight = weightFinding(key, name, task);
    return weight ? [weight] : taskFindings(context, key, entry).map((one) => inEntry(name, one));
  });
  const defaults = taskDefaults(context, entry, given).map((one) => inEntry(name, one));
  const ofKeys = ofKind(given, "applied").filter((one) => !isOwn(one));
  const isGiven = ({ path }: Mapped) => ofKeys.some((one) => one.path === path);
  return {
    found: [
      ...given.filter((one) => one.kind !== "applied" || isOwn(one)),
      ...(validation ? levelFindings(context, validation, `envs.${name}.val_seeds`) : []),
    ],
    assumed: differingFromDefaults(defaults.filter(isOwn), context.spec).map((one) => ({
      ...one,
      key: labelled(one.key, entry),
    })),
    shared: [...defaults.filter((one) => !isOwn(one) && !isGiven(one) && one.key !== WITHOUT_KEY), ...ofKeys],
  };
}

/** Whether a further environment has a setting of its own. */
const isOwn = ({ path }: Mapped): boolean => path.startsWith("envs.");

/** The options that the studio's own defaults do not have already. */
function differingFromDefaults(options: readonly Mapped[], { config }: EnvSpec): Mapped[] {
  const usual = config.parse({}) as Readonly<Record<string, unknown>>;
  return options.filter(({ path, ours }) => !isEqual(ours, usual[path.split(".").at(-1)!]));
}

/** What names an environment in the run. */
const nameFinding = ({ key, shown = key, value }: KeyValue, name: string, id: string): Mapped => ({
  ...{ kind: "applied", key: shown, value, path: `envs.${name}.name`, ours: id },
  remark: `Its metrics have this name: train/success/${name}.`,
});

/** The finding with its path in the entry, unless all environments share the setting. */
function inEntry<F extends Finding>(name: string, finding: F): F {
  if (!("path" in finding)) return finding;
  const { path } = finding;
  const own = path.startsWith(OPTIONS) ? `config.${path.slice(OPTIONS.length)}` : OWN[path];
  return own === undefined ? finding : { ...finding, path: `envs.${name}.${own}` };
}

/**
 * VAGEN draws uniformly from the levels of all entries, so an entry's weight is its number of levels relative to the first entry's, within
 * what a weight may be. Undefined for keys that do not count levels, and for empty ones.
 */
function weightFinding(found: KeyValue, name: string, task: DatasetEntry | undefined): Finding | undefined {
  const { key, shown = key, value } = found;
  if (!SIZES.includes(key) || value === null) return undefined;
  const path = `envs.${name}.weight`;
  if (!isSize(value)) {
    const remark = `${key} is ${short(JSON.stringify(value))}; it must be a whole number from 1 on.`;
    return { kind: "refused", key: shown, value, path, ours: value, remark };
  }
  const first = task?.keys.find((other) => SIZES.includes(other.key))?.value;
  if (!isSize(first)) return unmapped("ignored", found, UNCOUNTED);
  const ratio = Number((value / first).toPrecision(4));
  const ours = Math.min(1000, Math.max(0.001, ratio));
  const remark =
    ours === ratio
      ? AS_LEVELS
      : `${AS_LEVELS} It is ${ratio} here, and a weight lies between 0.001 and 1000.`;
  return { kind: "applied", key: shown, value, path, ours, remark };
}

const SIZES = ["n_envs", "train_size"];
const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
const AS_LEVELS =
  "VAGEN draws uniformly from the levels of all entries, so an entry's weight is its number of levels relative to the first entry's.";
const UNCOUNTED = "The first entry does not say how many levels it has, so all environments count alike.";
