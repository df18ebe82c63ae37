// The clock of a player with the timeline of its reading.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type Reading,
  type StepUnit,
  step,
  type Timeline,
  timelineOf,
  timeOfAction,
  timeOfToken,
  timeOfTurn,
  translate,
} from "../../replay/clock.ts";
import { eventsOf } from "../../replay/events.ts";
import type { Moment } from "../../replay/moment.ts";
import { useReducedMotion } from "../lib/use-media.ts";
import { statesOf } from "./episode-states.ts";
import type { Controls } from "./play-bar.tsx";
import type { Playback, PlayedReplay } from "./playback.ts";
import { PlayerClock } from "./player-clock.ts";

export interface PlayerOptions {
  /** Begins to play at once, unless the visitor asked for less motion. */
  autoplay?: boolean | undefined;
  reading?: Reading | undefined;
  speed?: number | undefined;
  /** Where to begin, and which turns to play. */
  moment?: Moment | undefined;
  /** For each turn the characters of the reply up to each token; absent: tokens are taken to be equally long. */
  tokenEnds?: readonly (readonly number[])[] | undefined;
  /** Index of the turn after which the task was lost; null where it was not or is not known. */
  lost?: number | null | undefined;
}

export interface Player {
  playback: Playback;
  controls: Controls;
  reading: Reading;
}

/** Plays one replay. */
export function usePlayer(replay: PlayedReplay, options: PlayerOptions): Player {
  const { moment, tokenEnds, lost = null } = options;
  const [reading, setReading] = useState<Reading>(moment?.reading ?? options.reading ?? "stream");
  const { trajectory } = replay;
  const timeline = useMemo(
    () => timelineOf(trajectory, reading, tokenEnds),
    [trajectory, reading, tokenEnds],
  );
  const [clock] = useState(
    () =>
      new PlayerClock({
        ms: moment ? timeOfMoment(timeline, moment) : 0,
        speed: moment?.speed ?? options.speed ?? 1,
        ...limitsOf(timeline, moment),
      }),
  );
  const states = useMemo(() => statesOf(trajectory, replay.envConfig), [trajectory, replay.envConfig]);
  const events = useMemo(() => eventsOf(trajectory, lost), [trajectory, lost]);
  useTimeline(clock, timeline, moment);
  useAutoplay(clock, options.autoplay ?? false);
  const playback = useMemo(
    (): Playback => ({ replay, states, timeline, events, clock, local: (ms) => ms }),
    [replay, states, timeline, events, clock],
  );
  const onStep = (unit: StepUnit, by: 1 | -1) => clock.seek(step(timeline, clock.get().ms, unit, by));
  const onEnd = (which: "first" | "last") => clock.seek(which === "first" ? 0 : timeline.durationMs);
  return { playback, reading, controls: { clock, reading, onReading: setReading, onStep, onEnd } };
}

/** Keeps the moment when the timeline changes. */
function useTimeline(clock: PlayerClock, timeline: Timeline, moment: Moment | undefined): void {
  const before = useRef(timeline);
  // While rendering, not after it: no component may see a time that belongs to the timeline before.
  if (before.current !== timeline) {
    clock.retimeQuietly({
      ms: translate(clock.get().ms, before.current, timeline),
      ...limitsOf(timeline, moment),
    });
    before.current = timeline;
  }
}

/** Begins to play once the page shows the player, and stops when it leaves. */
export function useAutoplay(clock: PlayerClock, autoplay: boolean): void {
  const still = useReducedMotion();
  const wanted = useRef(autoplay && !still);
  const start = useCallback(() => wanted.current && clock.play(), [clock]);
  useEffect(() => {
    start();
    return clock.pause;
  }, [clock, start]);
}

/** The time of a moment. A token decides over an action, an action over a turn. */
export function timeOfMoment(timeline: Timeline, { turn, token, action }: Moment): number {
  const last = timeline.turns.length - 1;
  const known = Math.min(last, turn);
  const ofToken = token === null ? null : timeOfToken(timeline, token);
  if (ofToken !== null) return ofToken;
  return action === null ? timeOfTurn(timeline, known) : timeOfAction(timeline, known, action);
}

/** Start and end of the turns to play. */
function limitsOf(timeline: Timeline, moment: Moment | undefined): { from: number; to: number } {
  const { from, to } = moment ?? { from: null, to: null };
  const start =
    from === null ? 0 : Math.min(timeOfTurn(timeline, from), timeOfTurn(timeline, timeline.turns.length - 1));
  const end = to === null ? timeline.durationMs : (timeline.turns[to]?.to ?? timeline.durationMs);
  // An end before the start is no limit.
  return { from: start, to: end > start ? end : timeline.durationMs };
}
