// What a run starts from: its own last checkpoint, the weights of another checkpoint, or random weights.
import { type ConfigChange, diffConfigs } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { checkpointTitle } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type Checkpoint, decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import type { TrainerEvent } from "../training/events.ts";

/** What a stored run resumes from. */
export interface Resumption {
  good: GoodCheckpoint;
  history: readonly TrainerEvent[];
  /** The run gives up what it did after `good`, and waits there, paused. */
  goesBack?: boolean;
}

/** A checkpoint stored under `runId` belongs to that run, even if its folder was renamed since. */
export function ownCheckpoint(runId: string, { checkpoint }: GoodCheckpoint): Checkpoint {
  return { ...checkpoint, meta: { ...checkpoint.meta, runId } };
}

/**
 * The weights that `trainer.init_checkpoint` names; undefined if it is empty.
 * @param load reads the file. @throws what `load` throws; CheckpointError if the file is not a checkpoint
 */
export async function initialCheckpoint(
  { trainer }: RunConfig,
  load: (name: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Checkpoint | undefined> {
  const name = trainer.init_checkpoint;
  if (!name) return undefined;
  const title = checkpointTitle(name);
  const { meta, tensors } = await decodeCheckpoint(await load(name), title);
  // Another id, so that the run takes only the weights: a checkpoint with its own id would continue it.
  return { meta: { ...meta, runId: `${title} as a start` }, tensors };
}

/** The values of `config` that differ from those in the checkpoint. */
export function changesSince({ checkpoint }: GoodCheckpoint, config: RunConfig): ConfigChange[] {
  // Defaults are filled in first, so that a setting newer than the file does not count as a change.
  return diffConfigs(checkedRunConfig(checkpoint.meta.config), config);
}
