// Where the reward of an episode lies on its tokens.
import type { TrajectoryTokens } from "../../core/types.ts";

/** The rewards of each turn on its last token, wherever in the turn they lie. */
export function atTurnEnds({
  rewards,
  turnEndMask,
}: Pick<TrajectoryTokens, "rewards" | "turnEndMask">): Float32Array {
  const placed = new Float32Array(rewards.length);
  let sum = 0;
  for (const [t, isEnd] of turnEndMask.entries()) {
    sum += rewards[t] as number;
    if (!isEnd) continue;
    placed[t] = sum;
    sum = 0;
  }
  return placed;
}

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
