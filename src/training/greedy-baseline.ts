// What the greedy policy earns on the levels of an update: the baseline of ReMax.
import type { Episode } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import type { RunConfig } from "../config/run-config.ts";
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { estimators } from "../rl/advantage/index.ts";
import type { Metrics } from "../rl/metrics.ts";
import { type PackedTrajectory, packBatch } from "./batch.ts";
import type { TrainingFact } from "./events.ts";
import { samplingOf, shapingWithoutNorm } from "./hyperparameters.ts";
import { withProgress } from "./progress.ts";
import type { Run } from "./run.ts";
import { setTrainRewards, trainReward } from "./samples.ts";
import { flopsOf, phase } from "./update.ts";

/** One episode of each level, with the id of the group that plays it. */
function oneEach(trajectories: readonly Trajectory[]): Episode[] {
  const firsts = new Map(trajectories.map((one) => [one.groupId, one]));
  return [...firsts.values()].map(({ groupId, seed, entry }, i) => ({
    id: `${groupId}-greedy`,
    ...(entry !== undefined && { entry }),
    seed,
    groupId,
    rngKey: i,
  }));
}

/** What an episode is paid as training pays it, except that rewards are not normalised: a rule excludes that. */
function paid(trajectory: Trajectory, config: RunConfig): number {
  setTrainRewards([trajectory], config, shapingWithoutNorm(config));
  return trainReward(trajectory.tokens);
}

/** What the greedy episodes of an update say, and what they cost. */
interface Baselines {
  metrics: Metrics;
  /** Floating-point operations of playing them: one forward pass of the policy. */
  flops: number;
}

/**
 * Plays every level of `packed` once more, greedily, and notes what that earned as the baseline of its episodes. Does nothing for
 * estimators that read no baseline. The episodes are not trained on.
 */
export async function* noteBaselines(
  run: Run,
  update: number,
  packed: readonly PackedTrajectory[],
): AsyncGenerator<TrainingFact, Baselines> {
  // Judged as validations are: what is said in episodes that are not trained on counts as no repetition later.
  const { config, evalTask: task, policy } = run;
  if (!estimators.get(config.algorithm.adv_estimator).usesBaselines) return { metrics: {}, flops: 0 };
  const episodes = oneEach(packed.map(({ trajectory }) => trajectory));
  const sampling = { ...samplingOf(config, update), temperature: 0 };
  const greedy = yield* withProgress(
    (done) => phase("ppo", update, "rollout", done, episodes.length),
    (onTrajectory) =>
      play({ task, policy, episodes, parallel: policy.slots, sampling, version: update - 1, onTrajectory }),
  );
  const scores = new Map(greedy.map((one) => [one.groupId, paid(one, config)]));
  for (const one of packed) one.baseline = scores.get(one.trajectory.groupId) ?? 0;
  return {
    metrics: { "critic/greedy_score/mean": mean([...scores.values()]) },
    flops: flopsOf(run, packBatch(greedy)).policy,
  };
}
