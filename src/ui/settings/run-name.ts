// The name of a run says what it trains: the preset, or, in another task than the preset's, the task and the preset.
import { envIdsOf } from "../../config/entries.ts";
import { RunConfig } from "../../config/run-config.ts";
import { envTitle } from "../../envs/index.ts";

/** "Lantern (from FrozenLake nano)" for a draft in other environments than `base`, which it began as; otherwise the name of `base`. */
export function nameOfDraft(draft: RunConfig, base: RunConfig): string {
  if (!hasOtherTasks(draft, base)) return base.name;
  const tasks = tasksOf(draft);
  const origin = originOf(base.name);
  return [UNNAMED, tasksOf(base)].includes(origin) ? tasks : `${tasks} (from ${origin})`;
}

/** The configuration of a file that gives no name: it has that of its tasks, unless the import has found another one. */
export const namedAfterTask = (config: RunConfig): RunConfig =>
  config.name === UNNAMED ? { ...config, name: tasksOf(config) } : config;

/** The name of a configuration that was written without one. */
const UNNAMED = RunConfig.parse({}).name;

/** The titles of a run's tasks, each once. */
export const taskTitles = (config: RunConfig): string[] => [...new Set(envIdsOf(config))].map(envTitle);

/** Whether a draft has other tasks than what it began as. */
export const hasOtherTasks = (draft: RunConfig, base: RunConfig): boolean => tasksOf(draft) !== tasksOf(base);

const tasksOf = (config: RunConfig): string => taskTitles(config).join(", ");

/** A draft may begin as a run that has such a name already. */
const originOf = (name: string): string => / \(from (.+)\)$/.exec(name)?.[1] ?? name;
