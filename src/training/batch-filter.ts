// Leaves episodes out of an update's training, such as those of levels where every episode earned the same.
import type { RunConfig } from "../config/run-config.ts";
import { FILTER_NAMES, filters } from "../rl/filter/index.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { PackedTrajectory } from "./batch.ts";

interface FilteredBatch {
  /** The part of the batch to train on. */
  kept: readonly PackedTrajectory[];
  /** What its advantages are multiplied by. */
  scale: number;
  /** Under VAGEN's names. */
  metrics: Metrics;
}

/** Applies the filter of the configuration, `algorithm.filter`. */
export function filterBatch({ algorithm }: RunConfig, packed: readonly PackedTrajectory[]): FilteredBatch {
  const { filter, filter_topk: topk, filter_top_p: topP, filter_ddof: ddof } = algorithm;
  const episodes = packed.map(({ trajectory }) => ({
    groupId: trajectory.groupId,
    score: trajectory.tokens.rewards.reduce((sum, reward) => sum + reward, 0),
    trajectory,
  }));
  const { keep, scale, metrics } = filters.get(filter).apply(episodes, { topk, topP, ddof });
  const prefix = `filter/train/${FILTER_NAMES[filter] ?? filter}/`;
  return {
    kept: packed.filter((_, i) => keep[i]),
    scale,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [prefix + name, value])),
  };
}
