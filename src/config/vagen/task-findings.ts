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

/** How a validation entry differs from a training entry. */
interface Differences {
  /** Options of the environment. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly max_turns?: unknown;
}

/** The options and turns in which an entry differs from the task. @param context that of the task's environment */
export function differences(context: ImportContext, entry: DatasetEntry, task: DatasetEntry): Differences {
  const found = givenBy(context, task);
  const ofTask = new Map(playedBy([...taskDefaults(context, task, found), ...ofKind(found, "applied")]));
  const unset = context.spec.config.parse({}) as Readonly<Record<string, unknown>>;
  const differing = playedBy(ofKind(givenBy(context, entry), "applied")).filter(([path, value]) => {
    const usual = path === TURNS ? context.base.rollout.max_turns : unset[path.slice(OPTIONS.length)];
    return JSON.stringify(value) !== JSON.stringify(ofTask.has(path) ? ofTask.get(path) : usual);
  });
  const options = differing.filter(([path]) => path !== TURNS);
  const turns = differing.find(([path]) => path === TURNS);
  return {
    config: Object.fromEntries(options.map(([path, value]) => [path.slice(OPTIONS.length), value])),
    ...(turns && { max_turns: turns[1] }),
  };
}

const givenBy = (context: ImportContext, entry: DatasetEntry): Finding[] =>
  entry.keys.flatMap((key) => taskFindings(context, key, entry));

/** The values of settings that a set of levels may have of its own, by path. */
const playedBy = (findings: readonly Mapped[]) =>
  findings
    .filter(({ path }) => path.startsWith(OPTIONS) || path === TURNS)
    .map(({ path, ours }) => [path, ours] as const);

const OPTIONS = "env.config.";

/** The path of the turns of an episode. */
export const TURNS = "rollout.max_turns";
