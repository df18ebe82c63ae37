// An episode as the player takes it. Apart from the player of case studies, whose pairs the front page does not need at once.
import { entryConfig } from "../../config/entries.ts";
import type { Replay } from "../../replay/replay.ts";
import type { PlayedReplay } from "./playback.ts";

/**
 * What the player needs of an episode.
 * @param config of the run that the episode belongs to
 * @param tokenEnds see `PlayedReplay`
 */
export function playedOf(
  { trajectory, config }: Pick<Replay, "trajectory" | "config">,
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
