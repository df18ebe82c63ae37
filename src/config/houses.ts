// Whether a run plays in imported houses.
import { envs } from "../envs/index.ts";
import type { TaskSet } from "../envs/navigation/task-sets.ts";
import { furtherEntries } from "./entries.ts";
import { validationSets } from "./levels.ts";
import type { RunConfig } from "./run-config.ts";

/** The options that say which houses are played; complete where the environment's options are sound. */
interface HouseOptions {
  eval_set: TaskSet;
  eval_houses: number;
  eval_houses_from: number;
}

/** Whether levels of an environment can take place in houses. */
export const takesHouses = (id: string): boolean =>
  envs.all.some((spec) => spec.id === id && spec.takesHouses);

/** The options of the first environment if it plays in imported houses; null otherwise. */
export const houseOptions = ({ env }: Pick<RunConfig, "env">): HouseOptions | null =>
  takesHouses(env.name) && env.config.homes === "imported" ? (env.config as unknown as HouseOptions) : null;

/** Whether any environment or validation of a run plays in imported houses. */
export const playsHouses = (config: RunConfig): boolean =>
  [config, ...furtherEntries(config).map((entry) => entry.config)].some(
    (alone) => houseOptions(alone) !== null,
  ) || validationSets(config).some((set) => set.config.homes === "imported");
