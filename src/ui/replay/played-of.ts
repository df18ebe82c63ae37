// A bundled replay as the player takes it. Apart from the player of case studies, whose pairs the front page does not need at once.
import { entryConfig } from "../../config/entries.ts";
import type { Replay } from "../../replay/replay.ts";
import type { PlayedReplay } from "./playback.ts";

/** What the player needs of a bundled replay. */
export function playedOf(
  { trajectory, config }: Replay,
  title: string,
  tokenEnds?: PlayedReplay["tokenEnds"],
): PlayedReplay {
  const { env, rollout } = entryConfig(config, trajectory.entry);
  return {
    trajectory,
    envConfig: env.config,
    maxTurns: rollout.max_turns,
    title,
    ...(tokenEnds && { tokenEnds }),
  };
}
