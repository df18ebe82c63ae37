// Where the reward of an episode lies on its tokens.
import type { TrajectoryTokens } from "../../core/types.ts";

/** The sum of the turns' rewards on the last token that the policy wrote, instead of each on its turn's end. */
export function atTheEnd({
  rewards,
  turnEndMask,
}: Pick<TrajectoryTokens, "rewards" | "turnEndMask">): Float32Array {
  const placed = new Float32Array(turnEndMask.length);
  const last = turnEndMask.lastIndexOf(1);
  if (last >= 0) placed[last] = rewards.reduce((sum, reward) => sum + reward, 0);
  return placed;
}
