// Where a replay is: a slider with the turns as notches and the events as dots above it.
import { type PointerEvent, useRef } from "react";
import type { ReplayEvent } from "../../replay/events.ts";
import { EVENT_LOOKS, type EventMoment } from "./event-look.ts";
import type { PlayerClock } from "./player-clock.ts";
import { useClock } from "./use-clock.ts";

/** An event on the scrubber. Of two replays in step, `whose` says which one. */
export interface Dot extends EventMoment {
  whose?: string;
  /** On which side of the track it is, so that events of two replays at one time do not cover each other. */
  lane?: Lane;
}

type Lane = "above" | "below";

export function Scrubber({
  clock,
  durationMs,
  turns,
  dots,
  describe,
}: {
  clock: PlayerClock;
  durationMs: number;
  /** Starts of the turns, in ms. */
  turns: readonly number[];
  dots: readonly Dot[];
  /** The moment in words. */
  describe: (ms: number) => string;
}) {
  const share = (ms: number) => (durationMs > 0 ? Math.min(1, ms / durationMs) : 0) * 100;
  // Steps of a tenth of a percent: finer than a pixel, and seldom enough for React.
  const at = useClock(clock, ({ ms }) => Math.round(share(ms) * 10) / 10);
  const text = useClock(clock, ({ ms }) => describe(ms));
  const below = dots.filter(({ lane }) => lane === "below");
  const above = dots.filter(({ lane }) => lane !== "below");
  return (
    <div className="relative mx-2">
      <Dots dots={above} share={share} onGo={clock.seek} label="Events" />
      <Track clock={clock} durationMs={durationMs} at={at} text={text}>
        {turns.slice(1).map((ms) => (
          <span
            key={ms}
            className="absolute top-1/2 h-3 w-px -translate-y-1/2 bg-control"
            style={{ left: `${share(ms)}%` }}
          />
        ))}
      </Track>
      {below.length > 0 && (
        <Dots dots={below} share={share} onGo={clock.seek} label={`Events of ${below[0]!.whose}`} />
      )}
    </div>
  );
}

function Dots({
  dots,
  share,
  onGo,
  label,
}: {
  dots: readonly Dot[];
  share: (ms: number) => number;
  onGo: (ms: number) => void;
  label: string;
}) {
  return (
    <ol className="relative h-6" aria-label={label}>
      {dots.map((dot) => (
        <EventDot key={dot.ms} dot={dot} left={share(dot.ms)} onGo={() => onGo(dot.ms)} />
      ))}
    </ol>
  );
}

function Track({
  clock,
  durationMs,
  at,
  text,
  children,
}: {
  clock: PlayerClock;
  durationMs: number;
  at: number;
  text: string;
  children: React.ReactNode;
}) {
  const track = useRef<HTMLDivElement>(null);
  const seek = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    clock.seek(share * durationMs);
  };
  return (
    <div
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label="Position in the replay"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at)}
      aria-valuetext={text}
      data-testid="scrubber"
      className="relative h-6 cursor-pointer touch-none rounded"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seek(event)}
    >
      <span className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line-strong" />
      <span
        className="absolute left-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-accent"
        style={{ width: `${at}%` }}
      />
      {children}
      <span
        className="absolute top-1/2 size-4 -translate-1/2 rounded-full border-2 border-accent bg-surface"
        style={{ left: `${at}%` }}
      />
    </div>
  );
}

function EventDot({ dot, left, onGo }: { dot: Dot; left: number; onGo: () => void }) {
  const { icon: Icon, color } = EVENT_LOOKS[dot.kind];
  return (
    <li className="absolute top-0 -translate-x-1/2" style={{ left: `${left}%` }}>
      <button
        type="button"
        className="group flex size-6 items-center justify-center rounded-full"
        aria-label={dot.events.map((event) => `${headOf(event, dot)}. ${event.text}`).join(" ")}
        data-event={dot.kind}
        onClick={onGo}
      >
        <span
          className="flex size-[18px] items-center justify-center rounded-full text-surface"
          style={{ background: `var(${color})` }}
        >
          <Icon size={11} aria-hidden />
        </span>
        <span
          className={`popover pointer-events-none invisible absolute bottom-7 w-60 text-left text-caption group-hover:visible group-focus-visible:visible ${
            left > 60 ? "right-0" : left < 40 ? "left-0" : "left-1/2 -translate-x-1/2"
          }`}
          aria-hidden
        >
          {dot.events.map((event) => (
            <span key={event.kind} className="block">
              <span className="block font-semibold">{headOf(event, dot)}</span>
              {event.text}
            </span>
          ))}
        </span>
      </button>
    </li>
  );
}

/** "Lost here, turn 2", and in a pair whose turn it is. */
const headOf = ({ kind, turn }: ReplayEvent, { whose }: Dot): string =>
  [EVENT_LOOKS[kind].label, ...(whose ? [whose] : []), `turn ${turn + 1}`].join(", ");
