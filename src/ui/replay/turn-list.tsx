// The turns so far. The list follows the replay only while the reader is at its end.
import { type UIEvent, useEffect, useRef } from "react";
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
  /** Its greatest height. */
  className: string;
  lit: Lit | null;
  onLit: (lit: Lit | null) => void;
}) {
  const { clock, replay } = playback;
  const turn = useClock(clock, (state) => placeOf(playback, state).turn);
  const { list, content, onScroll } = useFollowing();
  return (
    <section
      ref={list}
      aria-label={`What the agent says: ${replay.title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus its content could not be scrolled by keys
      tabIndex={0}
      className={`overflow-y-auto rounded-lg p-0.5 ${className}`}
      onScroll={onScroll}
    >
      <ol ref={content} className="flex flex-col gap-3">
        {replay.trajectory.turns.slice(0, turn + 1).map(({ index }, i) => (
          <TurnText key={index} playback={playback} turn={i} isPast={i < turn} lit={lit} onLit={onLit} />
        ))}
      </ol>
    </section>
  );
}

/** Keeps the end of a list in view while it grows, unless the reader has scrolled away from it. */
function useFollowing() {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (!content.current) return;
    const observer = new ResizeObserver(() => {
      if (list.current && follows.current) list.current.scrollTop = list.current.scrollHeight;
    });
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const before = useRef(0);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent<HTMLElement>) => {
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - NEAR;
    // Text that is added moves the end away without the reader's doing; only scrolling back leaves it.
    if (isAtEnd || scrollTop < before.current) follows.current = isAtEnd;
    before.current = scrollTop;
  };
  return { list, content, onScroll };
}
