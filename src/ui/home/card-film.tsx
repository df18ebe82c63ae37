// Plays a recorded episode on its card in a loop.
import { useCallback, useEffect, useMemo } from "react";
import { placeAt } from "../../replay/clock.ts";
import type { Replay } from "../../replay/replay.ts";
import type { ReplayedEpisode } from "../episode/replay-frames.ts";
import { shownAt, statesIn, waysIn } from "../replay/episode-states.ts";
import { MovingCanvas } from "../replay/moving-canvas.tsx";
import { PlayerClock } from "../replay/player-clock.ts";
import { timelineIn } from "../replay/timeline-in.ts";

export interface CardFilmProps {
  replay: Replay;
  /** The episode in the size of the card. */
  played: ReplayedEpisode;
  label: string;
}

/** Cards show no text, so they play faster than the player. */
const SPEED = 1.5;
/** Milliseconds of the episode between two pictures. A card draws 15 pictures per second, because a dozen cards may be on screen. */
const STEP_MS = (1000 / 15) * SPEED;
/** How long the last state stays before the film starts over. */
const REST_MS = 2000;

export default function CardFilm({ replay: { trajectory }, played, label }: CardFilmProps) {
  const states = useMemo(() => statesIn(trajectory, played), [trajectory, played]);
  const timeline = useMemo(() => timelineIn("summary", { trajectory }, states), [trajectory, states]);
  const clock = useMemo(() => new PlayerClock({ to: timeline.durationMs, speed: SPEED }), [timeline]);
  useEffect(() => playAgainAndAgain(clock), [clock]);
  const ways = useMemo(() => waysIn(states), [states]);
  const shownNow = useCallback(() => {
    const place = placeAt(timeline, Math.floor(clock.get().ms / STEP_MS) * STEP_MS);
    return place && shownAt(states, trajectory, place);
  }, [clock, timeline, states, trajectory]);
  const { frame } = states.turns[0]![0]!;
  return (
    <MovingCanvas
      clock={clock}
      shownNow={shownNow}
      ways={ways}
      size={frame}
      label={`${label}: the episode as a film`}
    />
  );
}

/** Starts the loop; returns a function that stops it. */
function playAgainAndAgain(clock: PlayerClock): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = clock.subscribe(() => {
    if (!clock.get().playing) rest = setTimeout(clock.play, REST_MS);
  });
  clock.play();
  return () => {
    unsubscribe();
    clearTimeout(rest);
    clock.pause();
  };
}
