// Episodes under the workflow of their task. Whoever plays goes through here: training, validation and demonstrations.
import type { Trajectory } from "../core/types.ts";
import { arealRollout } from "./areal/rollout.ts";
import { NO_VERSION } from "./areal/sequence.ts";
import { type RolloutOptions, rollout } from "./rollout.ts";

/** One batch of episodes. */
interface PlayOptions extends RolloutOptions {
  /** Updates that the policy has behind it, which its tokens are marked with; default 0. */
  version?: number;
}

/** Plays every episode; the result follows the order of `episodes`. @throws the signal's reason when aborted. */
export async function play(options: PlayOptions): Promise<Trajectory[]> {
  const { task, version = 0 } = options;
  if (task.areal) return arealRollout({ ...options, areal: task.areal });
  const trajectories = await rollout(options);
  for (const { tokens } of trajectories)
    tokens.versions = Int32Array.from(tokens.responseMask, (own) => (own ? version : NO_VERSION));
  return trajectories;
}
