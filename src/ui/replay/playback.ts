// One episode on a clock, which two episodes of a pair share.
import type { Trajectory } from "../../core/types.ts";
import type { ClockPlace, Timeline } from "../../replay/clock.ts";
import { describePlace, placeAt } from "../../replay/clock.ts";
import type { ReplayEvent } from "../../replay/events.ts";
import type { EpisodeStates } from "./episode-states.ts";
import type { ClockState, PlayerClock } from "./player-clock.ts";

/** What the player plays. */
export interface PlayedReplay {
  trajectory: Trajectory;
  /** Options of the environment, as the run's configuration has them. */
  envConfig: unknown;
  /** Turns after which an episode is cut off. */
  maxTurns: number;
  title: string;
  /** For each turn the characters of the reply up to each token; absent: tokens are taken to be equally long. */
  tokenEnds?: readonly (readonly number[])[];
}

export interface Playback {
  replay: PlayedReplay;
  states: EpisodeStates;
  timeline: Timeline;
  events: readonly ReplayEvent[];
  clock: PlayerClock;
  /** Time of the clock to time of this episode's timeline. */
  local: (ms: number) => number;
}

/** What is on screen. An episode without turns is never played. */
export const placeOf = ({ timeline, local }: Playback, { ms }: Pick<ClockState, "ms">): ClockPlace =>
  placeAt(timeline, local(ms))!;

/** The place at a time of the clock, in ms, in words: "turn 2 of 5, prediction". */
export const describeAt = (playback: Playback, ms: number): string =>
  describePlace(placeOf(playback, { ms }), playback.replay.trajectory.turns);
