// How episodes were laid out as conversations that are closed with a summary.
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";

/** Tokens of each summary of an episode. */
const summaries = ({ tokens }: Pick<Trajectory, "tokens">): number[] =>
  (tokens.sequences ?? []).flatMap(({ summaryFrom, to }) =>
    summaryFrom === undefined ? [] : [to - summaryFrom],
  );

/**
 * Conversations of an episode, the share of episodes with more than one, the share that made no progress, and the mean tokens
 * of a summary, which is absent without any.
 */
export function conversationMetrics(trajectories: readonly Trajectory[]): Record<string, number> {
  if (trajectories.length === 0) return {};
  const closed = trajectories.map((trajectory) => summaries(trajectory).length);
  const lengths = trajectories.flatMap(summaries);
  return {
    "conversations/mean": 1 + mean(closed),
    "conversations/closed_share": mean(closed.map((count) => Number(count > 0))),
    "conversations/no_progress": mean(trajectories.map(({ unusable }) => Number(unusable !== undefined))),
    ...(lengths.length > 0 && { "conversations/summary_tokens": mean(lengths) }),
  };
}
