// How long a run will take: in the words of the configuration that it began as, or, where it does other work, by its updates.
import { counted } from "../core/format.ts";
import { diffConfigs } from "./changes.ts";
import { envIdsOf } from "./entries.ts";
import type { RunConfig } from "./run-config.ts";
import { sftUpdates } from "./run-length.ts";

/**
 * The expected time of `base`, which may be a preset, if `config` does the same work; otherwise, and where `base` has none, how many
 * updates `config` has.
 */
export function expectedTime(config: RunConfig, base: RunConfig): string {
  return (doesSameWork(config, base) && base.expected_time) || updatesText(config);
}

/** Whether the description of `base` is true of a configuration: with the same tasks, from the same policy or after the same SFT. */
export const isDescribedBy = (config: RunConfig, base: RunConfig): boolean =>
  config.trainer.init_checkpoint === base.trainer.init_checkpoint && beginsAlike(config, base);

/** The configuration without a description or expected time that its changes have made wrong. */
export const withoutStaleDescription = (config: RunConfig, base: RunConfig): RunConfig => ({
  ...config,
  description: isDescribedBy(config, base) ? config.description : "",
  expected_time: doesSameWork(config, base) ? config.expected_time : "",
});

/** Whether a configuration has the tasks of another, and begins as it does: with the same SFT or a policy that has had it. */
const beginsAlike = (config: RunConfig, other: RunConfig): boolean => startOf(config) === startOf(other);

const startOf = (config: RunConfig): string => JSON.stringify([envIdsOf(config), sftUpdates(config)]);

/** Settings that change what is learned and not how long it takes. */
const TIMELESS = new RegExp(
  "^(name|description|expected_time|seed|trainer\\.(init_checkpoint|train_seeds|val_seeds)|reward\\..+|sft\\.rehearsal_lr|" +
    "(actor|critic)\\.(lr|lr_\\w+|min_lr_ratio|weight_decay|grad_clip|clip\\w*|kl_\\w+|entropy_\\w+)|algorithm\\.(gamma\\w*|lam\\w*|high_level_gamma))$",
);

/** Whether two runs begin alike, and differ in nothing else that takes time. */
function doesSameWork(config: RunConfig, base: RunConfig): boolean {
  const hasNoDemonstrations =
    [config, base].every((one) => one.sft.rehearsal_steps === 0) && sftUpdates(config) === 0;
  const isSftOnly = (path: string) => path.startsWith("sft.") && hasNoDemonstrations;
  const isTimeless = ({ path }: { path: string }) => TIMELESS.test(path) || isSftOnly(path);
  return beginsAlike(config, base) && diffConfigs(base, config).every(isTimeless);
}

function updatesText(config: RunConfig): string {
  const [sft, ppo] = [sftUpdates(config), counted(config.trainer.total_updates, "PPO update")];
  const updates = sft === 0 ? ppo : `${counted(sft, "SFT update")} and ${ppo}`;
  const from = config.trainer.init_checkpoint ? "" : "From random weights: ";
  return `${from}${updates}. The run estimates its time after the first updates.`;
}
