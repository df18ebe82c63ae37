// How often and where a batch of episodes was lost, in games whose scenes tell.
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { type KnownMoves, type Loss, lossIn, tellsLoss } from "../envs/lost.ts";
import { maxActionsOf, maxStepsOf } from "./env-options.ts";
import type { Task } from "./task.ts";

/** What the metrics need of a task. */
type Game = Pick<Task, "spec" | "envConfig" | "maxTurns">;

/**
 * Metrics of lost episodes. Empty for a batch without a level whose scenes tell when it was lost.
 *
 * - `pivot/lost_early`: share of these episodes that were lost before their last turn.
 * - `pivot/turn`: mean turn, from 1, after which the failed ones were lost (PIVOT's pivot step).
 * - `pivot/deadlock`: share of the failed ones that no number of turns could have saved.
 */
export function lossMetrics(
  trajectories: readonly Trajectory[],
  { spec, envConfig, maxTurns }: Game,
): Record<string, number> {
  const known: KnownMoves = new Map();
  const decided = trajectories.filter(({ turns }) => turns[0] && tellsLoss(spec, turns[0].before));
  if (decided.length === 0) return {};
  const limits = { maxTurns, perTurn: maxActionsOf(envConfig), maxActions: maxStepsOf(envConfig) };
  const losses = decided.map((episode) => lossIn(episode, spec, limits, known));
  const isEarly = (loss: Loss | null, i: number) => loss !== null && loss.turn < decided[i].turns.length - 1;
  const lost = losses.filter((loss) => loss !== null);
  return {
    "pivot/lost_early": losses.filter(isEarly).length / decided.length,
    ...(lost.length > 0 && {
      "pivot/turn": mean(lost.map(({ turn }) => turn + 1)),
      "pivot/deadlock": mean(lost.map(({ mode }) => Number(mode === "deadlock"))),
    }),
  };
}
