// Where the tokens of replies lie in the record of an episode.
import type { TrajectoryTokens } from "../core/types.ts";

/** Places of the sampled tokens of each turn in the record, by the turn's index. */
export function replyPlaces({
  responseMask,
  turnIndex,
}: Pick<TrajectoryTokens, "responseMask" | "turnIndex">): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [place, sampled] of responseMask.entries()) {
    if (!sampled) continue;
    const turn = turnIndex[place] as number;
    const own = places.get(turn);
    if (own) own.push(place);
    else places.set(turn, [place]);
  }
  return places;
}
