// The clock of a player with the timeline of its reading.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Trajectory } from "../../core/types.ts";
import { loadFailure } from "../../envs/registry.ts";
import {
  marksOf,
  nextMark,
  type Reading,
  type StepUnit,
  type Timeline,
  translate,
} from "../../replay/clock.ts";
import { eventsOf } from "../../replay/events.ts";
import type { Moment } from "../../replay/moment.ts";
import { useOwnSteps } from "../episode/use-own-steps.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { useReducedMotion } from "../lib/use-media.ts";
import { type EpisodeStates, statesOf } from "./episode-states.ts";
import type { Controls } from "./play-bar.tsx";
import type { Playback, PlayedReplay } from "./playback.ts";
import { PlayerClock } from "./player-clock.ts";
import { limitsOf, timeOfMoment } from "./time-of-moment.ts";
import { timelineIn } from "./timeline-in.ts";
import { useLost } from "./use-lost.ts";

export interface PlayerOptions {
  /** Begins to play at once, unless the visitor asked for less motion. */
  autoplay?: boolean | undefined;
  reading?: Reading | undefined;
  speed?: number | undefined;
  /** Where to begin, and which turns to play. */
  moment?: Moment | undefined;
}

interface Player {
  playback: Playback;
  controls: Controls;
}

/** An episode in one reading: its timeline, its pictures and its events. */
export function useEpisode(
  replay: PlayedReplay,
  reading: Reading,
): Pick<Playback, "replay" | "timeline" | "states" | "events"> {
  const { trajectory, envConfig } = replay;
  const lost = useLost(replay);
  const states = useStates(trajectory, envConfig);
  const isStill = useReducedMotion();
  // Where no picture moves, no action has to wait for its motion.
  const moving = isStill ? null : states;
  const timeline = useMemo(() => timelineIn(reading, replay, moving), [reading, replay, moving]);
  const events = useMemo(() => eventsOf(trajectory, lost), [trajectory, lost]);
  return useMemo(() => ({ replay, timeline, states, events }), [replay, timeline, states, events]);
}

/** The states of an episode, once its environment has been loaded; until then, what the model received. */
function useStates(trajectory: Trajectory, envConfig: unknown): EpisodeStates {
  const isReady = useEnvLoaded(trajectory.envId);
  const failure = loadFailure(trajectory.envId);
  const steps = useOwnSteps(trajectory);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether an episode can be played, or why not, changes with loading
  return useMemo(() => statesOf(trajectory, envConfig), [trajectory, envConfig, isReady, failure, steps]);
}

/** Plays one replay. */
export function usePlayer(replay: PlayedReplay, options: PlayerOptions): Player {
  const { moment } = options;
  const [reading, setReading] = useState<Reading>(moment?.reading ?? options.reading ?? "stream");
  const episode = useEpisode(replay, reading);
  const { timeline } = episode;
  const [clock] = useState(
    () =>
      new PlayerClock({
        ms: moment ? timeOfMoment(timeline, moment) : 0,
        speed: moment?.speed ?? options.speed ?? 1,
        ...limitsOf(timeline, moment),
      }),
  );
  useTimeline(clock, timeline, moment);
  useAutoplay(clock, options.autoplay ?? false);
  const playback = useMemo((): Playback => ({ ...episode, clock, local: (ms) => ms }), [episode, clock]);
  const { durationMs } = timeline;
  const onStep = (unit: StepUnit, by: 1 | -1) =>
    clock.seek(nextMark(marksOf(timeline, unit), clock.get().ms, by, durationMs));
  const onEnd = (which: "first" | "last") => clock.seek(clock.get()[which === "first" ? "from" : "to"]);
  return { playback, controls: { clock, reading, onReading: setReading, onStep, onEnd } };
}

/** Keeps the moment when the timeline changes. */
function useTimeline(clock: PlayerClock, timeline: Timeline, moment: Moment | undefined): void {
  const before = useRef(timeline);
  // While rendering, not after it: no component may see a time that belongs to the timeline before.
  if (before.current !== timeline) {
    const ms = translate(clock.get().ms, before.current, timeline);
    clock.retimeQuietly({ ms, ...limitsOf(timeline, moment) });
    before.current = timeline;
  }
}

/** Begins to play once the page shows the player, and stops when it leaves. */
export function useAutoplay(clock: PlayerClock, autoplay: boolean): void {
  const still = useReducedMotion();
  const [wanted] = useState(autoplay && !still);
  useEffect(() => {
    if (wanted) clock.play();
    return clock.pause;
  }, [clock, wanted]);
}
