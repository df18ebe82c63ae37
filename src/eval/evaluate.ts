// Plays fixed levels and reports the results. Every policy goes through the same loop: a network, an oracle, a script.
import { validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import type { RolloutOptions } from "../agent/rollout.ts";
import type { Task } from "../agent/task.ts";
import { countSources, type LevelCounts } from "../core/level-source.ts";
import type { Trajectory } from "../core/types.ts";
import { wilsonInterval } from "../core/wilson.ts";
import type { Policy } from "../policy/policy.ts";

/** Options of an evaluation. */
interface EvaluateOptions extends Omit<RolloutOptions, "policy" | "episodes"> {
  /** The levels, in the order in which they are played. */
  seeds: readonly number[];
  /** Each level is played at each of these temperatures; 0 is greedy. */
  temperatures: readonly number[];
  /** How often each level is played at a temperature above 0; greedily once, because the episodes would be the same. Default 1. */
  samples?: number;
  /** Metrics of the episodes at one temperature. */
  measure: (trajectories: readonly Trajectory[]) => Readonly<Record<string, number>>;
}

/** The results at one temperature. */
export interface Evaluation {
  temperature: number;
  episodes: number;
  successes: number;
  /** 95 % Wilson interval of the success rate. */
  interval: readonly [number, number];
  metrics: Readonly<Record<string, number>>;
  /** Where the levels come from; absent if the task plays the studio's own. */
  levels?: LevelCounts;
  trajectories: readonly Trajectory[];
}

/** Evaluates a policy on the validation levels, once per temperature, in that order. */
export async function evaluate(policy: Policy, options: EvaluateOptions): Promise<Evaluation[]> {
  const { seeds, samples = 1, temperatures, measure, ...played } = options;
  const counts = levelCounts(played.task, seeds);
  const evaluations: Evaluation[] = [];
  for (const temperature of temperatures) {
    const trajectories = await play({
      ...played,
      policy,
      episodes: validationEpisodes(seeds, temperature > 0 ? samples : 1, played.sampling.seed),
      sampling: { ...played.sampling, temperature },
    });
    const evaluation = report(trajectories, temperature, measure(trajectories));
    evaluations.push(counts ? { ...evaluation, levels: counts } : evaluation);
  }
  return evaluations;
}

/** Where the levels come from; null if the task plays the studio's own. Draws every level once more. */
function levelCounts({ spec, envConfig }: Task, seeds: readonly number[]): LevelCounts | null {
  const sources = seeds.flatMap((seed) => spec.levelSource?.(envConfig, seed) ?? []);
  return sources.length > 0 ? countSources(sources) : null;
}

function report(
  trajectories: readonly Trajectory[],
  temperature: number,
  metrics: Readonly<Record<string, number>>,
): Evaluation {
  const episodes = trajectories.length;
  const successes = trajectories.filter(({ success }) => success).length;
  const interval = wilsonInterval(successes, episodes);
  return { temperature, episodes, successes, interval, metrics, trajectories };
}
