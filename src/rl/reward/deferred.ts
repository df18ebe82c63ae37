// Rewards that are known only when an episode ends.
import type { Turn } from "../../core/types.ts";
import { JUDGED_TERMS } from "./index.ts";

type Rewarded = Pick<Turn, "rewards" | "reward">;

/**
 * The turns' rewards with what claims earned multiplied by `maxTurns` over the turns played, so that an episode earns the mean of
 * its turns' claims times `maxTurns`, however long it was (VAGEN, 2026: `aggregation: episode_mean`). Other terms stay.
 */
export function episodeMean(turns: readonly Rewarded[], maxTurns: number): Rewarded[] {
  const factor = maxTurns / turns.length;
  return turns.map(({ rewards }) => {
    const scaled = Object.entries(rewards).map(
      ([id, earned]) => [id, JUDGED_TERMS.includes(id) ? earned * factor : earned] as const,
    );
    return {
      rewards: Object.fromEntries(scaled),
      reward: scaled.reduce((sum, [, earned]) => sum + earned, 0),
    };
  });
}
