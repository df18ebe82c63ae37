// A bundled replay as the player takes it. Apart from the player of case studies, whose pairs the front page does not need at once.
import type { Replay } from "../../replay/replay.ts";
import type { PlayedReplay } from "./playback.ts";

/** What the player needs of a bundled replay. */
export const playedOf = (
  { trajectory, config }: Replay,
  title: string,
  tokenEnds?: PlayedReplay["tokenEnds"],
): PlayedReplay => ({
  trajectory,
  envConfig: config.env.config,
  maxTurns: config.rollout.max_turns,
  title,
  ...(tokenEnds && { tokenEnds }),
});
