// What the run strip says about pace: throughput and the time that is left, with how sure it is.
import { validationsLeft } from "../../config/run-length.ts";
import type { RunView, StageSpan, UpdateCost } from "./run-view.ts";

interface Eta {
  /** The middle half of the estimates, in milliseconds. */
  low: number;
  high: number;
}

/** The first updates of a stage compile pipelines and warm caches; estimates from them would mislead. */
const FIRST_ESTIMATE = 3;

/** Time left in the current stage, whose updates are alike; null while there is too little to go by. */
export function etaOfStage(view: RunView): Eta | null {
  if (view.costs.length < FIRST_ESTIMATE) return null;
  const left = Math.max(0, lastUpdateOfStage(view) - view.update);
  const validating = validatingLeft(view);
  if (left === 0 && validating === 0) return null;
  const durations = view.costs.map((cost) => cost.wallMs);
  const after = (q: number) => quantile(durations, q) * left + validating;
  return { low: after(0.25), high: after(0.75) };
}

/** Milliseconds that the validations to come will take, each as long as the last one; 0 before the first. */
function validatingLeft({ config, stage, update, validations }: RunView): number {
  const last = validations.findLast(({ seconds }) => seconds !== undefined);
  if (!config || !last?.seconds || stage !== "ppo") return 0;
  return validationsLeft(config, update, validations.at(-1)!.update) * last.seconds * 1000;
}

function lastUpdateOfStage(view: RunView): number {
  return view.stages.find((span) => span.stage === view.stage)?.lastUpdate ?? view.totalUpdates;
}

/** Updates done and to do in the present stage; a total that was set below what is done counts as reached. */
export function stageProgress(view: RunView): { done: number; of: number } {
  const first = view.stages.find((span) => span.stage === view.stage)?.firstUpdate ?? 1;
  const done = Math.max(0, view.update - first + 1);
  return { done, of: Math.max(done, lastUpdateOfStage(view) - first + 1) };
}

/** An update of a run as the strip counts it, within its stage. */
export interface StageUpdate {
  /** "update 41"; of a run with a warm-up "warm-up update 41" or "PPO update 41". */
  name: string;
  /** Updates of the stage. */
  of: number;
}

/** Names an update of a whole run, of which `stages` are its stages and `total` all its updates. */
export function updateInStage(stages: readonly StageSpan[], total: number, update: number): StageUpdate {
  const warmup = stages.find((span) => span.stage === "warmup")?.lastUpdate ?? 0;
  if (warmup === 0) return { name: `update ${update}`, of: total };
  if (update <= warmup) return { name: `warm-up update ${update}`, of: warmup };
  return { name: `PPO update ${update - warmup}`, of: total - warmup };
}

/** How updates are numbered outside the strip, which counts within a stage; empty where that is the same. */
export function numberingText({ stages }: Pick<RunView, "stages">): string {
  const warmup = stages.find((span) => span.stage === "warmup")?.lastUpdate ?? 0;
  return warmup > 0
    ? `Charts, events and traces number the updates of the whole run: 1–${warmup} are the warm-up.`
    : "";
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
