// Metrics of validations that play each level several times, under veRL's names:
// https://github.com/verl-project/verl/blob/main/verl/trainer/ppo/metric_utils.py (process_validation_metrics)
import { rng } from "../core/rng.ts";
import { mean, populationVariance } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { byGroup } from "./groups.ts";
import type { Metrics } from "./metrics.ts";

/** What is known of one episode. */
interface Sample {
  reward: number;
  success: number;
  /** The answer to a question about a picture; absent for games, whose episodes have no answer to vote on. */
  answer?: string;
}

/** Votes of `maj@k` are drawn this often, as in veRL; for best and worst the expected value is known. */
const DRAWS = 1000;
const SEED = 42;

/**
 * `val-core/<source>/reward/mean@n` and, with several episodes of a level, `std@n`, `best@k/{mean,std}`, `worst@k/…` and
 * `maj@k/…` for k = 2, 4, 8 … n; the same of `traj_success`. `val-core` has the reward's mean, best and maj of the largest k,
 * `val-aux` the rest. veRL estimates best@k and worst@k with 1000 random draws; these are what such draws tend to.
 * @param source the task, or the name of a set of levels.
 */
export function sampleMetrics(trajectories: readonly Trajectory[], source: string): Metrics {
  const levels = [...byGroup(trajectories, sampleOf).values()];
  if (levels.length === 0) return {};
  const n = Math.max(...levels.map((samples) => samples.length));
  const metrics: Metrics = {};
  for (const [variable, of] of VARIABLES)
    for (const [name, value] of Object.entries(statistics(levels, of))) {
      const isCore = variable === "reward" && isHeadline(name, n);
      metrics[`val-${isCore ? "core" : "aux"}/${source}/${variable}/${name}`] = value;
    }
  return metrics;
}

/** `val-aux/num_turns/{min,max,mean}` over every episode of a validation. */
export function turnCounts(trajectories: readonly Trajectory[]): Metrics {
  const turns = trajectories.map((trajectory) => trajectory.turns.length);
  if (turns.length === 0) return {};
  const [min, max] = [turns.reduce((a, b) => Math.min(a, b)), turns.reduce((a, b) => Math.max(a, b))];
  return {
    "val-aux/num_turns/min": min,
    "val-aux/num_turns/max": max,
    "val-aux/num_turns/mean": mean(turns),
  };
}

const VARIABLES = [
  ["reward", ({ reward }: Sample) => reward],
  ["traj_success", ({ success }: Sample) => success],
] as const;

const isHeadline = (name: string, n: number): boolean =>
  /^(mean|best|maj)@/.test(name) && name.includes(`@${n}`);

function sampleOf({ turns, success }: Trajectory): Sample {
  const last = turns.at(-1);
  const answer = last?.before.facts?.answer === undefined ? undefined : last.parsed.answer.trim();
  const reward = turns.reduce((sum, turn) => sum + turn.reward, 0);
  return { reward, success: Number(success), ...(answer !== undefined && { answer }) };
}

type Level = readonly Sample[];

/** Every statistic of a variable, averaged over the levels that have it. */
function statistics(levels: readonly Level[], of: (sample: Sample) => number): Metrics {
  const found = levels.map((level) => levelStatistics(level, of));
  const metrics: Metrics = {};
  for (const name of new Set(found.flatMap((level) => Object.keys(level)))) {
    const values = found.flatMap((level) => level[name] ?? []);
    metrics[name] = mean(values);
  }
  return metrics;
}

function levelStatistics(level: Level, of: (sample: Sample) => number): Metrics {
  const values = level.map(of);
  const n = values.length;
  const metrics: Metrics = { [`mean@${n}`]: mean(values) };
  if (n === 1) return metrics;
  metrics[`std@${n}`] = Math.sqrt(populationVariance(values));
  for (const k of subsetSizes(n)) {
    Object.assign(metrics, under(`best@${k}`, largestOf(values, k)));
    const worst = largestOf(
      values.map((value) => -value),
      k,
    );
    Object.assign(metrics, under(`worst@${k}`, { mean: -worst.mean, std: worst.std }));
    if (level.every(({ answer }) => answer !== undefined))
      Object.assign(metrics, under(`maj@${k}`, majorityOf(level, of, k)));
  }
  return metrics;
}

interface Moments {
  mean: number;
  std: number;
}

const under = (name: string, { mean: centre, std }: Moments): Metrics => ({
  [`${name}/mean`]: centre,
  [`${name}/std`]: std,
});

/** 2, 4, 8 … below n, and n. */
function subsetSizes(n: number): number[] {
  const sizes: number[] = [];
  for (let k = 2; k < n; k *= 2) sizes.push(k);
  return [...sizes, n];
}

/**
 * Mean and deviation of the largest of k values drawn with replacement: the i-th smallest of n is the largest with
 * probability (i/n)^k − ((i−1)/n)^k.
 */
function largestOf(values: readonly number[], k: number): Moments {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let [first, second] = [0, 0];
  for (const [i, value] of sorted.entries()) {
    const share = ((i + 1) / n) ** k - (i / n) ** k;
    first += share * value;
    second += share * value * value;
  }
  return { mean: first, std: Math.sqrt(Math.max(0, second - first * first)) };
}

/** Mean and deviation of the value of the most frequent answer among k drawn with replacement; of several, the first drawn. */
function majorityOf(level: Level, of: (sample: Sample) => number, k: number): Moments {
  const random = rng(SEED);
  const drawn = Array.from({ length: DRAWS }, () =>
    of(mostFrequent(Array.from({ length: k }, () => random.pick(level)))),
  );
  return { mean: mean(drawn), std: Math.sqrt(populationVariance(drawn)) };
}

function mostFrequent(samples: readonly Sample[]): Sample {
  const votes = new Map<string, number>();
  for (const { answer = "" } of samples) votes.set(answer, (votes.get(answer) ?? 0) + 1);
  const most = Math.max(...votes.values());
  return samples.find(({ answer = "" }) => votes.get(answer) === most)!;
}
