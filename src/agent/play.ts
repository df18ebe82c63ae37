// Episodes under the workflow of their task: training, validation and demonstrations all play through here.
import type { Trajectory } from "../core/types.ts";
import { arealRollout } from "./areal/rollout.ts";
import { type RolloutOptions, rollout } from "./rollout.ts";

/** One batch of episodes. */
interface PlayOptions extends RolloutOptions {
  /** Updates of the policy so far, recorded for each of its tokens; default 0. */
  version?: number;
}

/** The version of tokens that no policy sampled. */
const NO_VERSION = -1;

/** Plays every episode; the result follows the order of `episodes`. @throws the signal's reason when aborted. */
export async function play(options: PlayOptions): Promise<Trajectory[]> {
  const { task, version = 0 } = options;
  const { areal } = task;
  const trajectories = await (areal ? arealRollout({ ...options, areal }) : rollout(options));
  for (const { tokens } of trajectories)
    tokens.versions = Int32Array.from(tokens.responseMask, (own) => (own ? version : NO_VERSION));
  return trajectories;
}
