// The samples of an update, over which advantages are estimated, and the rewards that they are trained on. A sample is an episode,
// or, with separate sequences (areal, individual), one sequence of it.
import type { RunConfig } from "../config/run-config.ts";
import { countMarked } from "../core/statistics.ts";
import { joinTokens, splitTokens } from "../core/token-sequences.ts";
import type { Trajectory, TrajectoryTokens } from "../core/types.ts";
import { estimators } from "../rl/advantage/index.ts";
import { atTheEnd, atTurnEnds } from "../rl/reward/placement.ts";
import { type ShapingOptions, shapeRewards, shapes } from "../rl/reward/shaping.ts";

/** The samples of an update, in the order of the batch. */
export function samplesOf(trajectories: readonly Trajectory[], separateSequences: boolean): Trajectory[] {
  return separateSequences ? trajectories.flatMap(sequencesAsTrajectories) : [...trajectories];
}

/** A sequence knows the turns up to its own; only the last one ends as the episode did. */
function sequencesAsTrajectories(trajectory: Trajectory): Trajectory[] {
  const { tokens, turns, id, terminated, truncated } = trajectory;
  const parts = splitTokens(tokens);
  return parts.map((part, k) => {
    const isLast = k === parts.length - 1;
    const ended = { terminated: isLast && terminated, truncated: isLast && truncated };
    return { ...trajectory, ...ended, id: `${id}-${k}`, turns: turns.slice(0, k + 1), tokens: part };
  });
}

/** Puts what the update made of separate sequences back into the trajectories that they come from. */
export function gatherSamples(trajectories: readonly Trajectory[], samples: readonly Trajectory[]): void {
  let at = 0;
  for (const trajectory of trajectories) {
    const sequences = trajectory.tokens.sequences ?? [];
    const own = samples.slice(at, at + sequences.length).map(({ tokens }) => tokens);
    trajectory.tokens = { ...joinTokens(own), sequences };
    at += sequences.length;
  }
}

/**
 * Gives `samples` the rewards that are trained on, where these are not the recorded ones. Shaping needs one reward a sample,
 * which the rules of the configuration ensure.
 * @returns each sample's shaped reward; null when nothing shapes.
 */
export function setTrainRewards(
  samples: readonly Trajectory[],
  { rollout, reward, algorithm }: RunConfig,
  shaping: ShapingOptions,
): number[] | null {
  if (!rollout.use_multi_turn_reward)
    for (const { tokens } of samples) tokens.trainRewards = atTheEnd(tokens);
  else if (reward.credit_site === "section_end" && estimators.get(algorithm.adv_estimator).readsTurnEnds)
    for (const { tokens } of samples) tokens.trainRewards = atTurnEnds(tokens);
  if (!shapes(shaping)) return null;
  const shaped = shapeRewards(samples.map(rewarded), shaping);
  for (const [i, { tokens }] of samples.entries())
    tokens.trainRewards = atTheEnd({ ...tokens, rewards: Float32Array.of(shaped[i] as number) });
  return shaped;
}

/** Rewards that are trained on, before any KL penalty: the recorded ones unless `setTrainRewards` has set others. */
export const trainRewardsOf = ({ trainRewards, rewards }: TrajectoryTokens): Float32Array =>
  trainRewards ?? rewards;

/** Sum of the rewards that are trained on. */
export const trainReward = (tokens: TrajectoryTokens): number =>
  trainRewardsOf(tokens).reduce((sum, reward) => sum + reward, 0);

const rewarded = ({ groupId, tokens }: Trajectory) => ({
  groupId,
  reward: trainReward(tokens),
  tokens: countMarked(tokens.responseMask),
  spentTokens: tokens.ids.length - Math.max(0, tokens.responseMask.indexOf(1)),
});
