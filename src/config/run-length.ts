// How long a run is. `update` counts optimisation updates of the whole run from 1, warm-up first.
import type { RunConfig } from "./run-config.ts";

/** Warm-up updates: none when the run starts from a checkpoint, which is warmed up already. */
export function warmupUpdates({ trainer, sft }: RunConfig): number {
  return trainer.init_checkpoint ? 0 : sft.total_updates;
}

/** Updates of the whole run. */
export function totalUpdates(config: RunConfig): number {
  return warmupUpdates(config) + config.trainer.total_updates;
}
