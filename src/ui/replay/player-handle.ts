// What drives a player from outside, and what it reports.
import { useEffect, useRef } from "react";
import type { StepUnit } from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";
import type { ClockState, PlayerClock } from "./player-clock.ts";

export interface PlayerHandle {
  clock: PlayerClock;
  onStep: (unit: StepUnit, by: 1 | -1) => void;
  /** Goes to a moment and stays there. */
  seekTo: (moment: Moment) => void;
  /** The moment on screen. */
  momentNow: () => Moment;
}

/** Where a player is, for callers that follow it. */
export interface PlayerPlace {
  /** Index of the turn, and how many there are. */
  turn: number;
  turns: number;
  /** Position in the trajectory's token arrays; null beside the reply. */
  token: number | null;
  playing: boolean;
  speed: number;
}

/** What a caller may want of a player. */
export interface PlayerLinks {
  /** Called once the player is ready. */
  onReady?: ((handle: PlayerHandle) => void) | undefined;
  /** Called when something in the place has changed. */
  onPlace?: ((place: PlayerPlace) => void) | undefined;
}

/** Gives the player to its caller and reports every change of its place once. */
export function usePlayerLinks(
  { onReady, onPlace }: PlayerLinks,
  handle: PlayerHandle,
  placeAt: (state: ClockState) => Pick<PlayerPlace, "turn" | "turns" | "token">,
): void {
  const now = useRef({ onReady, onPlace, handle, placeAt });
  now.current = { onReady, onPlace, handle, placeAt };
  const { clock } = handle;
  useEffect(() => {
    now.current.onReady?.({
      clock,
      onStep: (...step) => now.current.handle.onStep(...step),
      seekTo: (moment) => now.current.handle.seekTo(moment),
      momentNow: () => now.current.handle.momentNow(),
    });
    let before = "";
    const report = () => {
      const { playing, speed } = clock.get();
      const place = { ...now.current.placeAt(clock.get()), playing, speed };
      const key = JSON.stringify(place);
      if (key !== before) now.current.onPlace?.(place);
      before = key;
    };
    report();
    return clock.subscribe(report);
  }, [clock]);
}
