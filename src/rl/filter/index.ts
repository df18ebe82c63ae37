// Batch filters: which groups of episodes an update trains on. A group whose episodes all end alike teaches nothing.
import { openRegistry } from "../../core/registry.ts";
import { mean } from "../../core/statistics.ts";
import type { Trajectory } from "../../core/types.ts";
import { byGroup } from "../groups.ts";

/** An episode as filters see it. */
export interface Scored {
  /** Episodes of one group began in the same state. */
  readonly groupId: string;
  /** Sum of the episode's rewards. */
  readonly score: number;
  /** The episode itself; the update's token values are not in it yet. */
  readonly trajectory: Trajectory;
}

export interface FilterOptions {
  /** Share of groups that `reward_variance` keeps. */
  readonly topk: number;
  /** Share of the variance that `reward_variance_top_p` keeps. */
  readonly topP: number;
  /** What variances subtract from the number of episodes that they divide by; absent means 0. */
  readonly ddof?: number;
}

export interface Filtered {
  /** Per episode, in order: whether it is trained on. */
  readonly keep: readonly boolean[];
  /** Factor of the kept advantages. */
  readonly scale: number;
  /** By name, without the prefix that metrics give them. */
  readonly metrics: Readonly<Record<string, number>>;
}

export interface BatchFilter {
  readonly id: string;
  readonly title: string;
  /** One sentence for people. */
  readonly help: string;
  /** Whether it compares the episodes of one level, and so needs several. */
  readonly comparesGroups: boolean;
  apply(episodes: readonly Scored[], options: FilterOptions): Filtered;
}

/** Variance of scores within each group, divided by their number less `ddof`; 0 for a group of one. */
export function groupVariances(episodes: readonly Scored[], ddof = 0): Map<string, number> {
  const scores = byGroup(episodes, ({ score }) => score);
  return new Map([...scores].map(([id, own]) => [id, spreadOf(own, ddof)]));
}

function spreadOf(scores: readonly number[], ddof: number): number {
  if (scores.length === 1) return 0;
  const center = mean(scores);
  return total(scores.map((score) => (score - center) ** 2)) / (scores.length - ddof);
}

/** Share of each group's episodes that succeeded, whatever the task pays for it. */
function successRates(episodes: readonly Scored[]): Map<string, number> {
  const successes = byGroup(episodes, ({ trajectory }) => Number(trajectory.success));
  return new Map([...successes].map(([id, own]) => [id, mean(own)]));
}

/** Groups by falling variance; groups of equal variance keep the order of the batch. */
const ranked = (variances: ReadonlyMap<string, number>) => [...variances].sort(([, a], [, b]) => b - a);

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);

function keeping(
  episodes: readonly Scored[],
  variances: ReadonlyMap<string, number>,
  kept: ReadonlySet<string>,
  scale: number,
): Filtered {
  const values = [...variances.values()];
  const inside = [...variances].filter(([id]) => kept.has(id)).map(([, v]) => v);
  const all = total(values);
  return {
    keep: episodes.map(({ groupId }) => kept.has(groupId)),
    scale,
    metrics: {
      mean_variance: all / values.length,
      min_variance: Math.min(...values),
      max_variance: Math.max(...values),
      cumulative_variance_ratio: all > 0 ? total(inside) / all : 1,
      num_selected_groups: kept.size,
      num_total_groups: variances.size,
      loss_scale: scale,
    },
  };
}

const off: BatchFilter = {
  id: "off",
  title: "Off",
  help: "Every group is trained on.",
  comparesGroups: false,
  apply: (episodes) => ({ keep: episodes.map(() => true), scale: 1, metrics: {} }),
};

const rewardVariance: BatchFilter = {
  id: "reward_variance",
  title: "Most varied groups",
  help: "Keeps a share of the groups, those whose returns vary most.",
  comparesGroups: true,
  apply(episodes, { topk, ddof }) {
    const variances = groupVariances(episodes, ddof);
    const count = Math.max(1, Math.ceil(topk * variances.size));
    const kept = new Set(
      ranked(variances)
        .slice(0, count)
        .map(([id]) => id),
    );
    return keeping(episodes, variances, kept, 1);
  },
};

/** The fewest groups that hold `share` of the variance; at least one. */
function fewestHolding(order: readonly (readonly [string, number])[], share: number): Set<string> {
  const wanted = share * total(order.map(([, v]) => v));
  const kept = new Set<string>();
  let sum = 0;
  for (const [id, variance] of order) {
    if (kept.size > 0 && sum >= wanted) break;
    kept.add(id);
    sum += variance;
  }
  return kept;
}

/**
 * VAGEN's: kept advantages are scaled by √(kept / all groups), so that a step on fewer groups is not as long as one on all.
 * Without any variance everything is kept, unscaled.
 */
const rewardVarianceTopP: BatchFilter = {
  id: "reward_variance_top_p",
  title: "Most of the variance",
  help: "Keeps the groups of largest variance that together hold a share of it, and shortens the step accordingly.",
  comparesGroups: true,
  apply(episodes, { topP, ddof }) {
    const variances = groupVariances(episodes, ddof);
    if (total(variances.values()) <= 0) return keeping(episodes, variances, new Set(variances.keys()), 1);
    const kept = fewestHolding(ranked(variances), topP);
    return keeping(episodes, variances, kept, Math.sqrt(kept.size / variances.size));
  },
};

/**
 * DAPO's dynamic sampling: a group that always fails or always succeeds teaches nothing. AReaL looks at the mean reward, which
 * shows this only where a success is paid 1 and nothing else is paid; the share of successes always does.
 * Rejected groups are not sampled again, so the batch varies and may be empty.
 */
const dynamic: BatchFilter = {
  id: "dynamic",
  title: "Neither solved nor hopeless",
  help: "Keeps the groups in which some episodes succeed and some fail, however few they are.",
  comparesGroups: true,
  apply(episodes) {
    const rates = successRates(episodes);
    const kept = new Set([...rates].filter(([, rate]) => rate > 0 && rate < 1).map(([id]) => id));
    return keeping(episodes, groupVariances(episodes), kept, 1);
  },
};

/** What VAGEN calls its filters in metrics, by our ids. */
export const FILTER_NAMES: Readonly<Record<string, string>> = {
  [rewardVariance.id]: "topk",
  [rewardVarianceTopP.id]: "top_p",
};

/** All batch filters by id. */
export const filters = openRegistry<BatchFilter>(
  { kind: "batch filter", reserved: Object.values(FILTER_NAMES) },
  off,
  rewardVariance,
  rewardVarianceTopP,
  dynamic,
);
