// How a turn of a policy's game came about. It is shown once, when the turn comes on screen.
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { Turn } from "../../core/types.ts";
import { actionMs } from "../../replay/clock.ts";
import { useReducedMotion } from "../lib/use-media.ts";
import { type Shown, waysIn } from "./episode-states.ts";
import type { State } from "./motion.ts";
import { MovingCanvas } from "./moving-canvas.tsx";
import { PlayerClock } from "./player-clock.ts";

export interface TurnFilmProps {
  turn: Turn;
  /** The state before the turn and that after each action. */
  states: readonly State[];
  label: string;
  /** Called once the last state is there. */
  onEnd: () => void;
}

/** With reduced motion the last state is there at once. */
export default function TurnFilm({ turn, states, label, onEnd }: TurnFilmProps) {
  // The states of all turns are computed again when another one comes, and the film goes on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the film of another turn begins at its beginning
  const clock = useMemo(() => new PlayerClock({ to: endsOf(states).at(-1) ?? 0 }), [turn]);
  const still = useReducedMotion();
  useEffect(() => {
    if (!still) clock.play();
    return clock.pause;
  }, [clock, still]);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    const report = () => {
      const { ms, to } = clock.get();
      if (still || ms >= to) ended.current();
    };
    report();
    return clock.subscribe(report);
  }, [clock, still]);
  const ways = useMemo(() => waysIn({ turns: [states] }), [states]);
  const shownNow = useCallback(
    () => filmedAt(states, still ? Number.POSITIVE_INFINITY : clock.get().ms),
    [clock, states, still],
  );
  return <MovingCanvas clock={clock} shownNow={shownNow} ways={ways} size={states[0]!.frame} label={label} />;
}

/** When each action of the film ends, in ms. */
function endsOf([, ...after]: readonly State[]): number[] {
  let end = 0;
  return after.map(({ motion }) => {
    end += actionMs(motion?.seconds, "stream");
    return end;
  });
}

/** What the film shows some milliseconds after its beginning: the way of an action, and at the end the last state. */
export function filmedAt(states: readonly State[], ms: number): Shown {
  const ends = endsOf(states);
  const action = ends.findIndex((end) => ms < end);
  if (action < 0) return { state: states.at(-1)!, from: null, way: 1 };
  const begin = ends[action - 1] ?? 0;
  const way = (ms - begin) / (ends[action]! - begin);
  return { state: states[action + 1]!, from: states[action]!, way };
}
