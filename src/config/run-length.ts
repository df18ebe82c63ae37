// How long a run is. `update` counts optimisation updates of the whole run from 1, warm-up first.
import type { RunConfig } from "./run-config.ts";

/** Warm-up updates: none when the run starts from a checkpoint, which is warmed up already. */
export function warmupUpdates({ trainer, sft }: RunConfig): number {
  return trainer.init_checkpoint ? 0 : sft.total_updates;
}

/** PPO's total (`trainer.total_updates`) with which a run that has done `done` updates does `more` of them. */
export function totalForMore(config: RunConfig, done: number, more: number): number {
  return Math.max(done - warmupUpdates(config), config.trainer.total_updates) + more;
}

/** Updates of the whole run. */
export function totalUpdates(config: RunConfig): number {
  return warmupUpdates(config) + config.trainer.total_updates;
}
