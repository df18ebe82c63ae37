// What a run begins with: its own last checkpoint, the weights of another checkpoint, or nothing.
import { type ConfigChange, diffConfigs } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { checkpointTitle } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type Checkpoint, decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import type { TrainerEvent } from "../training/events.ts";

/** A run that is taken up again. */
export interface Resumption {
  good: GoodCheckpoint;
  history: readonly TrainerEvent[];
}

/** What is stored under this run's id is this run, even when its folder was renamed since. */
export function ownCheckpoint(runId: string, { checkpoint }: GoodCheckpoint): Checkpoint {
  return { ...checkpoint, meta: { ...checkpoint.meta, runId } };
}

/**
 * The weights that `trainer.init_checkpoint` names; undefined when it names none.
 * @param load gives the file's bytes. @throws what `load` throws; CheckpointError when they are no checkpoint
 */
export async function initialCheckpoint(
  { trainer }: RunConfig,
  load: (name: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Checkpoint | undefined> {
  const name = trainer.init_checkpoint;
  if (!name) return undefined;
  const title = checkpointTitle(name);
  const { meta, tensors } = await decodeCheckpoint(await load(name), title);
  // Only a checkpoint of this very run continues it; of any other, a run takes the weights and nothing else.
  return { meta: { ...meta, runId: `${title} as a start` }, tensors };
}

/** The values that a run has now and had not when this checkpoint was saved. */
export function changesSince({ checkpoint }: GoodCheckpoint, config: RunConfig): ConfigChange[] {
  // Completed as the run's own configuration is, so that a value which is newer than the file is no change.
  return diffConfigs(checkedRunConfig(checkpoint.meta.config), config);
}
