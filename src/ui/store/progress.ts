// What the run strip says about pace: throughput, and the range of the time that is left.
import { stageCounts, type TimeLeft, timeLeft } from "../../training/eta.ts";
import type { RunView, StageSpan, UpdateCost } from "./run-view.ts";

/** Time left in the current stage; null while there is too little to go by. */
export function etaOfStage(view: RunView): TimeLeft | null {
  const { config, stage, costs, validations } = view;
  const { seconds = 0 } = validations.findLast((report) => report.seconds !== undefined) ?? {};
  return timeLeft({
    ...{ ...positionOf(view), config, stage },
    durations: costs.map(({ wallMs }) => wallMs),
    validatedUpdate: validations.at(-1)?.update ?? 0,
    validationMs: 1000 * seconds,
  });
}

/** Updates done and to do in the current stage. */
export const stageProgress = (view: RunView): { done: number; of: number } => stageCounts(positionOf(view));

function positionOf({ update, stage, stages, totalUpdates }: RunView) {
  const span = stages.find((known) => known.stage === stage);
  return { update, firstUpdate: span?.firstUpdate ?? 1, lastUpdate: span?.lastUpdate ?? totalUpdates };
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
