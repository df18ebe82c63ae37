// Plays a trace: the current token moves on at reading speed.
import { Pause, Play } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Trajectory } from "../../core/types.ts";
import { placeAt, SPEEDS, timelineOf, timeOfToken, timeOfTurn } from "../../replay/clock.ts";
import { IconButton } from "../components/controls.tsx";
import { PlayerClock } from "../replay/player-clock.ts";
import { useClock } from "../replay/use-clock.ts";
import { showTurn } from "./token-element.ts";
import type { Placing } from "./use-place.ts";

export function TracePlay({
  trajectory,
  tokenEnds,
  placing,
}: {
  trajectory: Trajectory;
  /** For each turn the characters of the reply up to each token; absent where the vocabulary is not known. */
  tokenEnds: readonly (readonly number[])[] | undefined;
  placing: Placing;
}) {
  const timeline = useMemo(() => timelineOf(trajectory, "stream", tokenEnds), [trajectory, tokenEnds]);
  const [clock] = useState(() => new PlayerClock({ to: timeline.durationMs }));
  const playing = useClock(clock, (state) => state.playing);
  const speed = useClock(clock, (state) => state.speed);
  useDriving(clock, timeline, placing);
  const start = () => {
    const { turn, token } = placing.place;
    const here = (token === null ? null : timeOfToken(timeline, token)) ?? timeOfTurn(timeline, turn);
    clock.retimeQuietly({ ms: here, from: 0, to: timeline.durationMs });
    clock.play();
  };
  return (
    <span className="flex items-center gap-1">
      <IconButton
        icon={playing ? Pause : Play}
        name={playing ? "Pause" : "Play from here"}
        small
        onClick={playing ? clock.pause : start}
      />
      <select
        className="field-input nums"
        aria-label="Speed"
        value={speed}
        onChange={(event) => clock.setSpeed(Number(event.target.value))}
      >
        {SPEEDS.map((value) => (
          <option key={value} value={value}>
            {value} ×
          </option>
        ))}
      </select>
    </span>
  );
}

/** How many places React may be behind the clock. */
const LATE = 3;

/** Moves the place with the clock. Whoever chooses another token meanwhile stops it. */
function useDriving(
  clock: PlayerClock,
  timeline: ReturnType<typeof timelineOf>,
  { place, placeAt: choose }: Placing,
): void {
  const driven = useRef<readonly number[]>([]);
  useEffect(() => {
    const move = () => {
      const at = placeAt(timeline, clock.get().ms);
      const before = driven.current.at(-1);
      if (!clock.get().playing || !at || at.token === null || at.token === before) return;
      driven.current = [...driven.current, at.token].slice(-LATE);
      choose(at.token);
      const isSameTurn = before !== undefined && timeline.tokens[at.turn]!.indices.includes(before);
      if (!isSameTurn) showTurn(at.turn, "smooth");
    };
    const stop = clock.subscribe(move);
    return () => {
      stop();
      clock.pause();
    };
  }, [clock, timeline, choose]);
  useEffect(() => {
    const { current } = driven;
    if (current.length === 0 || (place.token !== null && current.includes(place.token))) return;
    driven.current = [];
    clock.pause();
  }, [clock, place]);
}
