// Episodes under the workflow of their task: training, validation and demonstrations all play through here.
import type { Trajectory, TrajectoryTokens } from "../core/types.ts";
import { arealRollout, arealWorkflow } from "./areal/rollout.ts";
import { type Game, gameWorkflow, type RolloutOptions, rollout, type Workflow } from "./rollout.ts";
import type { Task } from "./task.ts";

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
  for (const { tokens } of trajectories) recordVersions(tokens, () => version);
  return trajectories;
}

/** How episodes of a task are played. */
export function workflowOf(task: Task): Workflow<Game> {
  const { areal } = task;
  return areal ? arealWorkflow({ task, areal }) : gameWorkflow(task);
}

/** Records for each sampled token the version of the policy that wrote its turn. */
export function recordVersions(tokens: TrajectoryTokens, versionOf: (turn: number) => number): void {
  const { responseMask, turnIndex } = tokens;
  tokens.versions = Int32Array.from(responseMask, (own, t) => (own ? versionOf(turnIndex[t]!) : NO_VERSION));
}
