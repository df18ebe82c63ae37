// Episodes under the workflow of their task: training, validation and demonstrations all play through here.
import type { Trajectory, TrajectoryTokens } from "../core/types.ts";
import { arealRollout, arealWorkflow } from "./areal/rollout.ts";
import { compactRollout } from "./compact/rollout.ts";
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
  const { version = 0 } = options;
  const trajectories = await rolloutOf(options);
  for (const { tokens } of trajectories) recordVersions(tokens, () => version);
  return trajectories;
}

function rolloutOf(options: RolloutOptions): Promise<Trajectory[]> {
  const { areal, layout } = options.task;
  if (areal) return arealRollout({ ...options, areal });
  return layout?.kind === "compact" ? compactRollout({ ...options, layout }) : rollout(options);
}

/** How episodes of a task are played ahead; the layout compact is not. */
export function workflowOf(task: Task): Workflow<Game> {
  const { areal } = task;
  return areal ? arealWorkflow({ task, areal }) : gameWorkflow(task);
}

/** Records for each sampled token the version of the policy that wrote its turn. */
export function recordVersions(tokens: TrajectoryTokens, versionOf: (turn: number) => number): void {
  const { responseMask, turnIndex } = tokens;
  tokens.versions = Int32Array.from(responseMask, (own, t) => (own ? versionOf(turnIndex[t]!) : NO_VERSION));
}
