// Plays a trace: the current token moves on at reading speed.
import { Pause, Play } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Trajectory } from "../../core/types.ts";
import { placeAt, SPEEDS, type Timeline, timelineOf, timeOfToken, timeOfTurn } from "../../replay/clock.ts";
import { IconButton } from "../components/controls.tsx";
import { PlayerClock } from "../replay/player-clock.ts";
import { useClock } from "../replay/use-clock.ts";
import { showTurn } from "./token-element.ts";
import type { Placing } from "./use-place.ts";

interface TracePlayer {
  clock: PlayerClock;
  /** Plays from the current place, or pauses. */
  toggle: () => void;
  /** The placing that the reader moves: choosing a turn or a token stops the player. */
  placing: Placing;
}

/** `tokenEnds`: for each turn the characters of the reply up to each token; absent where the vocabulary is not known. */
export function useTracePlayer(
  trajectory: Trajectory,
  tokenEnds: readonly (readonly number[])[] | undefined,
  placing: Placing,
): TracePlayer {
  const timeline = useMemo(() => timelineOf(trajectory, "stream", tokenEnds), [trajectory, tokenEnds]);
  const [clock] = useState(() => new PlayerClock({ to: timeline.durationMs }));
  useDriving(clock, timeline, placing.placeAt);
  const { place, placeAt: choose, select, goToTurn } = placing;
  const ofReader = useMemo((): Placing => {
    const stopAnd = (act: (at: number) => void) => (at: number) => {
      clock.pause();
      act(at);
    };
    return { place, placeAt: stopAnd(choose), select: stopAnd(select), goToTurn: stopAnd(goToTurn) };
  }, [clock, place, choose, select, goToTurn]);
  const toggle = () => {
    if (clock.get().playing) return clock.pause();
    const ofToken = place.token === null ? null : timeOfToken(timeline, place.token);
    const ms = ofToken ?? timeOfTurn(timeline, place.turn);
    clock.retimeQuietly({ ms, from: 0, to: timeline.durationMs });
    clock.play();
  };
  return { clock, toggle, placing: ofReader };
}

/** Moves the place with the clock. */
function useDriving(clock: PlayerClock, timeline: Timeline, choose: (token: number) => void): void {
  const last = useRef<{ token: number; turn: number } | null>(null);
  useEffect(() => {
    const move = () => {
      const { ms, playing } = clock.get();
      const at = playing ? placeAt(timeline, ms) : null;
      if (!playing) last.current = null;
      if (at?.token == null || at.token === last.current?.token) return;
      if (at.turn !== last.current?.turn) showTurn(at.turn, "smooth");
      last.current = { token: at.token, turn: at.turn };
      choose(at.token);
    };
    const stop = clock.subscribe(move);
    return () => {
      stop();
      clock.pause();
    };
  }, [clock, timeline, choose]);
}

export function TracePlay({ player: { clock, toggle } }: { player: TracePlayer }) {
  const playing = useClock(clock, (state) => state.playing);
  const speed = useClock(clock, (state) => state.speed);
  return (
    <span className="flex items-center gap-1">
      <IconButton
        icon={playing ? Pause : Play}
        name={playing ? "Pause playing" : "Play from here"}
        small
        onClick={toggle}
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
