// The picture of a visitor's game. After a move it shows once how that came about, until the next move.
import { useCallback, useEffect, useMemo, useState } from "react";
import { actionMs } from "../../replay/clock.ts";
import { useReducedMotion } from "../lib/use-media.ts";
import { type Shown, waysIn } from "./episode-states.ts";
import type { State } from "./motion.ts";
import { MovingCanvas } from "./moving-canvas.tsx";
import type { OwnPosition } from "./own-game.ts";
import { PlayerClock } from "./player-clock.ts";

/** A position, and the way to it on screen. */
interface Arrival {
  position: OwnPosition;
  /** Where the way begins; null without one. */
  from: State | null;
  /** How long it takes. */
  ms: number;
}

const withoutWay = (position: OwnPosition): Arrival => ({ position, from: null, ms: 0 });

/** The position that follows another one. Moves that are taken back have no way. */
export function arriveAt(position: OwnPosition, before: OwnPosition): Arrival {
  if (position.moves.length <= before.moves.length) return withoutWay(position);
  return { position, from: before.state, ms: actionMs(position.state.motion?.seconds, "stream") };
}

/** The newest position with its way, which a clock plays, wherever on the page its picture is. */
export function useArrival(newest: OwnPosition) {
  const [arrival, setArrival] = useState(() => withoutWay(newest));
  if (arrival.position !== newest) setArrival(arriveAt(newest, arrival.position));
  const clock = useMemo(() => new PlayerClock({ to: arrival.ms }), [arrival]);
  const still = useReducedMotion();
  useEffect(() => {
    if (!still) clock.play();
    return clock.pause;
  }, [clock, still]);
  return { state: newest.state, from: arrival.from, clock };
}

interface OwnPictureProps {
  arrival: ReturnType<typeof useArrival>;
  label: string;
}

export function OwnPicture({ arrival: { state, from, clock }, label }: OwnPictureProps) {
  const ways = useMemo(() => waysIn({ turns: [from ? [from, state] : [state]] }), [from, state]);
  const shownNow = useCallback((): Shown => {
    const { ms, to } = clock.get();
    return { state, from, way: to > 0 ? ms / to : 1 };
  }, [clock, from, state]);
  return <MovingCanvas clock={clock} shownNow={shownNow} ways={ways} size={state.frame} label={label} />;
}
