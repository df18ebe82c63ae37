// The turns so far. The list follows the replay only while the reader is at its end.
import { useEffect, useRef } from "react";
import type { Lit } from "./claims.ts";
import { type Playback, placeOf } from "./playback.ts";
import { TurnText } from "./turn-text.tsx";
import { useClock } from "./use-clock.ts";

/** How near to its end a list counts as being there, in px. */
const NEAR = 28;

export function TurnList({
  playback,
  lit,
  onLit,
  className,
}: {
  playback: Playback;
  /** Its height. */
  className: string;
  lit: Lit | null;
  onLit: (lit: Lit | null) => void;
}) {
  const { clock, replay } = playback;
  const turn = useClock(clock, (state) => placeOf(playback, state).turn);
  const phase = useClock(clock, (state) => placeOf(playback, state).phase);
  const ref = useRef<HTMLElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the clock brings makes the list longer
  useEffect(() => {
    const list = ref.current;
    if (list && follows.current) list.scrollTop = list.scrollHeight;
  }, [turn, phase]);
  return (
    <section
      ref={ref}
      aria-label={`What the agent says: ${replay.title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus its content could not be scrolled by keys
      tabIndex={0}
      className={`overflow-y-auto rounded-lg p-0.5 ${className}`}
      onScroll={({ currentTarget: list }) => {
        follows.current = list.scrollTop + list.clientHeight >= list.scrollHeight - NEAR;
      }}
    >
      <ol className="flex flex-col gap-3">
        {replay.trajectory.turns.slice(0, turn + 1).map(({ index }, i) => (
          <TurnText key={index} playback={playback} turn={i} isPast={i < turn} lit={lit} onLit={onLit} />
        ))}
      </ol>
    </section>
  );
}
