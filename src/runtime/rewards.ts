// Rewards as they are trained on: where they lie on the tokens of a sample, and what shaping makes of them.
import type { RunConfig } from "../config/run-config.ts";
import { countMarked } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { atTheEnd } from "../rl/reward/placement.ts";
import { type ShapingOptions, shapeRewards, shapes } from "../rl/reward/shaping.ts";

/**
 * Replaces the rewards of `samples` by those that are trained on. Shaping needs one reward a sample, which configurations
 * that shape have (see rules.ts).
 * @returns each sample's shaped reward; null when nothing shapes.
 */
export function placeRewards(
  samples: readonly Trajectory[],
  { rollout }: RunConfig,
  shaping: ShapingOptions,
): number[] | null {
  if (!rollout.use_multi_turn_reward) for (const { tokens } of samples) tokens.rewards = atTheEnd(tokens);
  if (!shapes(shaping)) return null;
  const shaped = shapeRewards(samples.map(rewarded), shaping);
  for (const [i, { tokens }] of samples.entries())
    tokens.rewards = atTheEnd({ ...tokens, rewards: Float32Array.of(shaped[i] as number) });
  return shaped;
}

const rewarded = ({ groupId, tokens: { rewards, lossMask } }: Trajectory) => ({
  groupId,
  reward: rewards.reduce((sum, reward) => sum + reward, 0),
  tokens: countMarked(lossMask),
});
