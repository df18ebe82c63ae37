// What SFT and PPO updates share: result, phases, costs.
import { lossMetrics } from "../agent/losses.ts";
import { allTasks, claimedByPlace, hasTools, type Task } from "../agent/task.ts";
import { countMarked } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { type PassFlops, trajectoryFlops } from "../policy/wgsl/flops.ts";
import { measuredMetrics } from "../rl/measured.ts";
import { episodeMetrics, type Metrics, underVal } from "../rl/metrics.ts";
import { type PackedTrajectory, sequencesOf, tokenCount } from "./batch.ts";
import type { Phase, Stage, TrainingFact } from "./events.ts";
import type { Run } from "./run.ts";

/** The result of one update. */
export interface UpdateResult {
  metrics: Metrics;
  trajectories: Trajectory[];
  tokens: number;
}

/** The progress of a phase. */
export const phase = (stage: Stage, update: number, name: Phase, done = 0, of = 1): TrainingFact => ({
  type: "phase",
  stage,
  update,
  phase: name,
  done,
  of,
});

/** The options of episode metrics. */
export const metricOptions = ({ config, task }: Run) => ({
  maxReplyTokens: config.rollout.response_length,
  hasTools: allTasks(task).some(hasTools),
  claimedByPlace: new Map(allTasks(task).map(({ spec }) => [spec.id, claimedByPlace(spec)])),
  hasSummaries: task.layout?.kind === "compact",
});

/** Metrics of episodes that the policy played: of an update (`train`) or of a validation (`val`), which may be of another task. */
export function playedMetrics(
  run: Run,
  trajectories: readonly Trajectory[],
  split: "train" | "val",
  task = run.task,
): Metrics {
  const playedIn = (name?: string) => trajectories.filter(({ entry }) => entry === name);
  const inFirst = playedIn();
  const further = [...(task.others ?? [])].map(([name, other]) =>
    measuredMetrics(playedIn(name), measuresOf(other), name),
  );
  const ofGame: Metrics = Object.assign(
    // A game is lost by the rules of its own task.
    lossMetrics(inFirst, task),
    measuredMetrics(inFirst, measuresOf(task)),
    ...further,
  );
  return {
    ...episodeMetrics(trajectories, { ...metricOptions(run), split }),
    ...(split === "val" ? underVal(ofGame) : ofGame),
  };
}

const measuresOf = ({ spec, envConfig, appraisal }: Task) => [
  ...(spec.measures?.(envConfig) ?? []),
  ...(appraisal?.measures ?? []),
];

/** The number of tokens that the policy sampled. */
const sampledCount = (packed: readonly PackedTrajectory[]) =>
  packed.reduce((sum, { trajectory }) => sum + countMarked(trajectory.tokens.responseMask), 0);

/** Floating-point operations of one forward pass over the batch. @param targets trained tokens. */
export function flopsOf(
  { engine }: Run,
  packed: readonly PackedTrajectory[],
  targets = sampledCount(packed),
): PassFlops {
  const sequences = sequencesOf(packed);
  const lengths = sequences.map(({ ids }) => ids.length);
  const imageTokenCount = sequences.reduce(
    (sum, { imagePatch }) => sum + imagePatch.filter((p) => p >= 0).length,
    0,
  );
  return trajectoryFlops(engine.architecture, lengths, targets, imageTokenCount);
}

/** Adds an update to the sums of the run. */
export function count(
  { counters }: Run,
  packed: readonly PackedTrajectory[],
  episodes: number,
  steps: number,
  skipped: number,
  flops: number,
): void {
  counters.tokens += tokenCount(packed);
  counters.episodes += episodes;
  counters.optimizerSteps += steps;
  counters.skippedSteps += skipped;
  counters.flops += flops;
}

/** Seconds since the last call. */
export function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const seconds = (now - last) / 1000;
    last = now;
    return seconds;
  };
}
