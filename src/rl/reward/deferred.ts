// Rewards that are known only when an episode ends.
import type { Turn } from "../../core/types.ts";
import { EPISODE_FORMAT, JUDGED_TERMS } from "./index.ts";

type Rewarded = Pick<Turn, "rewards" | "reward">;
/** A turn whose reply has been read. */
type Replied = Rewarded & { parsed: Pick<Turn["parsed"], "formatOk"> };

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

/**
 * The turns' rewards with the bonus for the form of a whole episode on the last turn: `bonus` if the episode was a success and every reply
 * had the right form, whatever its actions, and 0 otherwise (VAGEN-Lite's Navigation: `format_reward`).
 */
export function withEpisodeFormat(turns: readonly Replied[], success: boolean, bonus: number): Rewarded[] {
  const earned = success && turns.every(({ parsed }) => parsed.formatOk) ? bonus : 0;
  return turns.map(({ rewards, reward }, i) =>
    i === turns.length - 1
      ? { rewards: { ...rewards, [EPISODE_FORMAT]: earned }, reward: reward + earned }
      : { rewards, reward },
  );
}
