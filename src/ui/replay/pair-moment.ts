// Moments of a pair: which of the two replays names them, and what they are in the other.
import type { Reading, Timeline } from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";
import {
  longerIn,
  type PairTimeline,
  pairTimeline,
  timeInOne,
  timeInPair,
  turnAt,
} from "../../replay/pair.ts";
import { statesOf } from "./episode-states.ts";
import type { PlayedReplay } from "./playback.ts";
import { momentAt, timeOfMoment } from "./time-of-moment.ts";
import { timelineIn } from "./timeline-in.ts";

export type Two<T> = readonly [T, T];

/** Which of a pair is watched: both, or the one at this index. */
export type Watched = "both" | number;

/** The side with the longer turn, which is never at a halt in it, names the moments of that turn. */
const leadIn = (turn: number, [a, b]: Two<Timeline>): Timeline => (longerIn(turn, a, b) === 0 ? a : b);

/** The time of a moment in the timeline of a pair. */
export function timeOfPairMoment(timelines: Two<Timeline>, pair: PairTimeline, moment: Moment): number {
  const lead = leadIn(Math.min(pair.turns.length - 1, moment.turn), timelines);
  return timeInPair(pair, lead, timeOfMoment(lead, moment));
}

/** The moment at a time of a pair. */
export function momentOfPair(
  timelines: Two<Timeline>,
  pair: PairTimeline,
  ms: number,
  how: Parameters<typeof momentAt>[2],
): Moment {
  const lead = leadIn(turnAt(pair, ms), timelines);
  return momentAt(lead, timeInOne(pair, lead, ms), how);
}

/**
 * The same moment where another part of a pair is watched. Token positions are those of one trajectory only. `moves` says whether
 * pictures move, and so how long actions take.
 */
export function carryMoment(
  moment: Moment,
  { from, to, reading, moves }: { from: Watched; to: Watched; reading: Reading; moves: boolean },
  replays: Two<PlayedReplay>,
): Moment {
  const [a, b] = replays.map((replay) =>
    timelineIn(reading, replay, moves ? statesOf(replay.trajectory, replay.envConfig) : null),
  ) as [Timeline, Timeline];
  const pair = pairTimeline(a, b);
  const timelineAt = (index: number) => (index === 0 ? a : b);
  const ms =
    from === "both"
      ? timeOfPairMoment([a, b], pair, moment)
      : timeInPair(pair, timelineAt(from), timeOfMoment(timelineAt(from), moment));
  const how = { reading, speed: moment.speed ?? 1, limits: moment };
  if (to === "both") return momentOfPair([a, b], pair, ms, how);
  return momentAt(timelineAt(to), timeInOne(pair, timelineAt(to), ms), how);
}
