// What the keys of one entry of a dataset say about its task.
import { type ImportContext, isTaskName, sourceFor } from "./context.ts";
import { taskDefaults } from "./defaults.ts";
import { type Finding, type Mapped, ofKind } from "./findings.ts";
import { interpretKey } from "./interpret.ts";
import type { DatasetEntry } from "./parse/file.ts";
import type { KeyValue } from "./parse/overrides.ts";
import type { Scope } from "./table.ts";

/** Findings on one key of the task's entry, or of one that is read as it. */
export function taskFindings(context: ImportContext, found: KeyValue, task: DatasetEntry): Finding[] {
  const { spec, schema } = context;
  const { key, shown = key, value } = found;
  if (isTaskName(key)) return [{ kind: "applied", key: shown, value, path: "env.name", ours: spec.id }];
  const scope: Scope = { part: "dataset", generation: task.generation, env: spec.id };
  return interpretKey(found, scope, sourceFor(context, task), schema);
}

/** The options that an entry gives otherwise than the task has them, by name. */
export function differingOptions(context: ImportContext, entry: DatasetEntry, task: DatasetEntry): object {
  const found = givenBy(context, task);
  const ofTask = new Map(optionsIn([...taskDefaults(context, task, found), ...ofKind(found, "applied")]));
  const unset = context.spec.config.parse({}) as Readonly<Record<string, unknown>>;
  const differing = optionsIn(ofKind(givenBy(context, entry), "applied")).filter(([option, value]) => {
    const trained = ofTask.has(option) ? ofTask.get(option) : unset[option];
    return JSON.stringify(value) !== JSON.stringify(trained);
  });
  return Object.fromEntries(differing);
}

const givenBy = (context: ImportContext, entry: DatasetEntry): Finding[] =>
  entry.keys.flatMap((key) => taskFindings(context, key, entry));

const optionsIn = (findings: readonly Mapped[]) =>
  findings
    .filter(({ path }) => path.startsWith(OPTIONS))
    .map(({ path, ours }) => [path.slice(OPTIONS.length), ours] as const);

const OPTIONS = "env.config.";
