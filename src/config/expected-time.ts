// How long a run will take: in the words of the configuration that it began as, or, where it does other work, by its updates.
import { counted } from "../core/format.ts";
import { envIdsOf } from "./entries.ts";
import type { RunConfig } from "./run-config.ts";
import { sftUpdates } from "./run-length.ts";

/**
 * The expected time of `base`, which may be a preset, if `config` does the same work; otherwise, and where `base` has none, how many
 * updates `config` has.
 */
export function expectedTime(config: RunConfig, base: RunConfig): string {
  const isSame = workOf(config) === workOf(base);
  return (isSame && base.expected_time) || updatesText(config);
}

/** Whether a configuration has the tasks of another, and begins as it does: with the same SFT or a policy that has had it. */
export const beginsAlike = (config: RunConfig, other: RunConfig): boolean =>
  startOf(config) === startOf(other);

const startOf = (config: RunConfig): string => JSON.stringify([envIdsOf(config), sftUpdates(config)]);

/** What decides how long a run takes: its tasks, its updates and their size, and the model. */
const workOf = (config: RunConfig): string =>
  JSON.stringify([
    startOf(config),
    config.trainer.total_updates,
    config.rollout.train_batch_size,
    config.model,
  ]);

function updatesText(config: RunConfig): string {
  const [sft, ppo] = [sftUpdates(config), counted(config.trainer.total_updates, "PPO update")];
  const updates = sft === 0 ? ppo : `${counted(sft, "SFT update")} and ${ppo}`;
  const from = config.trainer.init_checkpoint ? "" : "From random weights: ";
  return `${from}${updates}. The run estimates its time after the first updates.`;
}
