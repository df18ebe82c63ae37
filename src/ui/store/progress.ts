// What the run strip says about pace: throughput and the time that is left, with how sure it is.
import type { RunView, UpdateCost } from "./run-view.ts";

export interface Eta {
  /** The middle half of the estimates, in milliseconds. */
  low: number;
  high: number;
}

/** The first updates of a stage compile pipelines and warm caches; estimates from them would mislead. */
const FIRST_ESTIMATE = 3;

/** Time left in the current stage, whose updates are alike; null while there is too little to go by. */
export function etaOfStage(view: RunView): Eta | null {
  if (view.costs.length < FIRST_ESTIMATE) return null;
  const left = lastUpdateOfStage(view) - view.update;
  if (left <= 0) return null;
  const durations = view.costs.map((cost) => cost.wallMs);
  return { low: quantile(durations, 0.25) * left, high: quantile(durations, 0.75) * left };
}

export function lastUpdateOfStage(view: RunView): number {
  return view.stages.find((span) => span.stage === view.stage)?.lastUpdate ?? view.totalUpdates;
}

/** Tokens and episodes per second over recent updates; null before the first. */
export function pace(costs: readonly UpdateCost[]): { tokens: number; episodes: number } | null {
  let [ms, tokens, episodes] = [0, 0, 0];
  for (const cost of costs) {
    ms += cost.wallMs;
    tokens += cost.tokens;
    episodes += cost.episodes;
  }
  return ms > 0 ? { tokens: (tokens / ms) * 1000, episodes: (episodes / ms) * 1000 } : null;
}

/** Linear-interpolated quantile of an unsorted, non-empty list. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}
