// How long a run is. `update` counts optimisation updates of the whole run from 1, those of SFT first.
import { applyChanges } from "./changes.ts";
import type { RunConfig } from "./run-config.ts";

/** Updates of SFT: none when the run starts from a checkpoint, which has had SFT already, unless it continues with SFT. */
export function sftUpdates({ trainer, sft }: RunConfig): number {
  return trainer.init_checkpoint && !sft.after_checkpoint ? 0 : sft.total_updates;
}

/**
 * Whether SFT is tested after an update: every `sft.test_freq` updates once demonstrations have several turns, and after the last
 * one; never without `sft.target_accuracy`.
 */
export function isSftTestDue(config: RunConfig, update: number): boolean {
  const { target_accuracy: target, one_turn_updates: first, test_freq: every } = config.sft;
  const done = update - first;
  return target > 0 && (update === sftUpdates(config) || (done > 0 && done % every === 0));
}

/** The changes of a configuration whose SFT ends with `update`: PPO follows, and the learning rate of SFT keeps its schedule. */
export function sftEndedWith({ sft }: RunConfig, update: number): Readonly<Record<string, number>> {
  return { "sft.total_updates": update, "sft.lr_decay_updates": sft.lr_decay_updates || sft.total_updates };
}

/** The configuration as a run of it is left by SFT that ended sooner, where that of `done` did; otherwise as it is. */
export function afterSftOf(config: RunConfig, done: RunConfig): RunConfig {
  const { target_accuracy: target, total_updates: most } = config.sft;
  const { total_updates: ended } = done.sft;
  return target > 0 && ended < most ? applyChanges(config, sftEndedWith(config, ended)) : config;
}

/** PPO's total (`trainer.total_updates`) with which a run that has done `done` updates does `more` of them. */
export function totalForMore(config: RunConfig, done: number, more: number): number {
  return Math.max(done - sftUpdates(config), config.trainer.total_updates) + more;
}

/**
 * Whether a validation follows an update: every `trainer.test_freq` updates of PPO and at the end. If the total was lowered
 * below the updates that are done, the run ends here. A run without PPO ends after SFT, or with the policy that it starts from.
 */
export function isValidationDue(config: RunConfig, update: number): boolean {
  const done = update - sftUpdates(config);
  const { test_freq: every } = config.trainer;
  if (done === 0) return config.trainer.total_updates === 0;
  return done > 0 && (update >= totalUpdates(config) || (every > 0 && done % every === 0));
}

/**
 * Validations that remain for a run in PPO: those of later updates, and that of the current one unless it is done.
 * @param validated the last update that a validation followed.
 */
export function validationsLeft(config: RunConfig, update: number, validated: number): number {
  // A run that was rewound repeats the later ones.
  const from = validated === update ? update + 1 : update;
  const last = Math.max(update, totalUpdates(config));
  if (from > last || !isValidationDue(config, last)) return 0;
  const { test_freq: every } = config.trainer;
  if (every === 0 || config.trainer.total_updates === 0) return 1;
  // Counted in updates of PPO; the last one is followed by a validation whatever its number.
  const [done, end] = [from - 1, last].map((at) => Math.max(0, at - sftUpdates(config))) as [number, number];
  return Math.ceil(end / every) - Math.floor(done / every);
}

/** Whether an update ends in a checkpoint: every `trainer.save_freq` updates, after SFT and at the end. */
export function isCheckpointDue(config: RunConfig, update: number): boolean {
  return (
    update % config.trainer.save_freq === 0 || update >= totalUpdates(config) || update === sftUpdates(config)
  );
}

/** Updates of the whole run. */
export function totalUpdates(config: RunConfig): number {
  return sftUpdates(config) + config.trainer.total_updates;
}

/**
 * An update of the whole run as page and terminal count it, within its stage: "update 41"; of a run with SFT "SFT update 41" or
 * "PPO update 41".
 */
export function updateName(update: number, ofSft: number): string {
  if (ofSft === 0) return `update ${update}`;
  return update <= ofSft ? `SFT update ${update}` : `PPO update ${update - ofSft}`;
}
