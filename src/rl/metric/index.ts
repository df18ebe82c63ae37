// Metrics that are one object each: a function of a batch's episodes, with the words that explain its number.
import { openRegistry } from "../../core/registry.ts";
import type { Trajectory } from "../../core/types.ts";

type Split = "train" | "val";

/** A number about a batch of episodes. It is logged as `custom_metrics/train/<id>` and `custom_metrics/val/<id>`. */
export interface BatchMetric {
  readonly id: string;
  readonly title: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  /** What is counted or averaged, over what. */
  readonly definition: string;
  readonly better: "higher" | "lower" | "neither";
  /** Axis that never moves, for shares; null when the data decides. */
  readonly range: readonly [number, number] | null;
  /** The range or course that a healthy run shows. */
  readonly healthy: string;
  /** What it looks like when something is wrong, and what that is. */
  readonly wrong: string;
  /** Of the update's episodes, or of a validation's; undefined when there is nothing to measure. */
  measure(trajectories: readonly Trajectory[], split: Split): number | undefined;
}

/** The name under which a metric is logged. */
export const metricName = (id: string, split: Split = "train"): string => `custom_metrics/${split}/${id}`;

/** Mean variance of scores within groups (`rl/metrics.ts`): VAGEN logs it among the custom metrics, and an alarm reads it. */
const REWARD_VARIANCE = "reward_variance";
export const REWARD_VARIANCE_NAME = metricName(REWARD_VARIANCE);

/** All metrics of this kind; the others are in `rl/metrics.ts`, under the names of the field. */
export const batchMetrics = openRegistry<BatchMetric>({ kind: "metric", reserved: [REWARD_VARIANCE] });

/** Every metric of this kind that has a value for the batch, by the name that training logs. */
export function ownMetrics(trajectories: readonly Trajectory[], split: Split): Record<string, number> {
  return Object.fromEntries(
    batchMetrics.all.flatMap((metric) => {
      const value = metric.measure(trajectories, split);
      return value === undefined ? [] : [[metricName(metric.id), value]];
    }),
  );
}
