// The timeline of a replay, in which an action lasts as long as its motion on screen.
import { type Reading, type Timeline, timelineOf } from "../../replay/clock.ts";
import { type EpisodeStates, motionSeconds } from "./episode-states.ts";
import type { PlayedReplay } from "./playback.ts";

/** @param moving the states whose pictures move; null where the visitor sees none of them move. */
export const timelineIn = (
  reading: Reading,
  { trajectory, tokenEnds }: Pick<PlayedReplay, "trajectory" | "tokenEnds">,
  moving: EpisodeStates | null,
): Timeline =>
  timelineOf(trajectory, reading, tokenEnds, moving ? motionSeconds(moving, trajectory) : undefined);
