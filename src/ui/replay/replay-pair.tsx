// Two replays of one level in step, on one scrubber.
import { useMemo, useRef, useState } from "react";
import { marksOf, nextMark, type Reading, type StepUnit } from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";
import {
  type PairTimeline,
  pairTimeline,
  timeInOne,
  timeInPair,
  translatePair,
  turnAt,
} from "../../replay/pair.ts";
import { type Lit, statesBeliefs } from "./claims.ts";
import { momentsOf } from "./event-look.ts";
import { FirstDifference } from "./first-difference.tsx";
import { FromHere, useOwnTurn } from "./from-here.tsx";
import { LatePlayOn } from "./late-play-on.tsx";
import { useNarrow } from "./narrow.tsx";
import { momentOfPair, type Two, timeOfPairMoment } from "./pair-moment.ts";
import type { Controls } from "./play-bar.tsx";
import { describeAt, type Playback, type PlayedReplay } from "./playback.ts";
import { PlayerClock } from "./player-clock.ts";
import { PlayerFrame } from "./player-frame.tsx";
import { type PlayerLinks, usePlayerLinks } from "./player-handle.ts";
import { aboutBeliefs, PictureViews, PlayerPicture } from "./player-picture.tsx";
import { useRetry } from "./retry.ts";
import type { Dot } from "./scrubber.tsx";
import { type SideParts, Stacked } from "./stacked.tsx";
import { ReplayHead } from "./stage.tsx";
import { limitsOf } from "./time-of-moment.ts";
import type { TryAgain } from "./try-again.tsx";
import { TurnList } from "./turn-list.tsx";
import { type PlayerOptions, useAutoplay, useEpisode } from "./use-player.ts";
import { Whose } from "./whose.ts";

interface ReplayPairProps extends PlayerOptions, PlayerLinks {
  replays: Two<PlayedReplay>;
  /** The address of a moment; with it there is a button that copies the link. */
  addressOf?: (moment: Moment) => string;
  /** For each replay; see `ReplayPlayer`. */
  onTryAgain?: Two<TryAgain>;
}

/** Plays two replays of one level. Give it another `key` with other replays. */
export function ReplayPair({ replays, addressOf, onTryAgain, ...options }: ReplayPairProps) {
  const { sides, pair, controls } = usePair(replays, options);
  const [wanted, setBeliefs] = useState(true);
  const states = replays.some(({ trajectory }) => statesBeliefs(trajectory));
  const beliefs = states && wanted;
  const [spoken, setSpoken] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const { clock } = controls;
  const timelines = [sides[0].timeline, sides[1].timeline] as const;
  const seekTo = (at: Moment) => clock.seek(timeOfPairMoment(timelines, pair, at));
  const momentNow = () => {
    const { ms, speed } = clock.get();
    return momentOfPair(timelines, pair, ms, { reading: controls.reading, speed, limits: options.moment });
  };
  usePlayerLinks(options, { clock, onStep: controls.onStep, seekTo, momentNow }, ({ ms }) => ({
    ...{ turn: turnAt(pair, ms), turns: pair.turns.length, token: null },
  }));
  const dots = useMemo(() => dotsOf(sides, pair), [sides, pair]);
  const address = addressOf && (() => addressOf(momentNow()));
  const describe = (ms: number) =>
    sides.map((side) => `${side.replay.title}: ${describeAt(side, ms)}`).join("; ");
  return (
    <PlayerFrame
      frame={frame}
      title={replays.map(({ title }) => title).join(" and ")}
      {...{ controls, dots, describe, beliefs, address }}
      compact={false}
      onBeliefs={states ? setBeliefs : undefined}
      durationMs={pair.durationMs}
      turns={pair.turns.map(({ from }) => from)}
      tools={<FirstDifference sides={sides} pair={pair} />}
    >
      <Sides
        {...{ sides, beliefs, spoken, onTryAgain }}
        onSpoken={setSpoken}
        onBack={() => frame.current?.focus()}
      />
    </PlayerFrame>
  );
}

/** What the pictures show, once for both. */
function captionOf(sides: Two<Playback>, beliefs: boolean): string {
  const problem = sides.find(({ states }) => states.problem)?.states.problem;
  if (problem) return `These are the pictures that the model received. ${problem}`;
  return beliefs ? aboutBeliefs(...sides.map(({ replay }) => replay.trajectory)) : "";
}

interface SidesProps {
  sides: Two<Playback>;
  beliefs: boolean;
  /** The side whose words are shown where there is room for those of one. */
  spoken: number;
  onSpoken: (side: number) => void;
  onTryAgain: Two<TryAgain> | undefined;
  /** The visitor stops playing, and the button that had the focus goes away. */
  onBack: () => void;
}

/** On a small screen the two pictures stay beside each other, and the words go below; on a wide one, beside each picture. */
function Sides({ sides, beliefs, spoken, onSpoken, onTryAgain, onBack }: SidesProps) {
  const narrow = useNarrow();
  const parts = [
    useSide(sides[0], beliefs, onTryAgain?.[0], onBack),
    useSide(sides[1], beliefs, onTryAgain?.[1], onBack),
  ] as const;
  const isPlayed = parts.some(({ own }) => own !== null);
  const titles = sides.map(({ replay }) => replay.title);
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-3 @3xl:gap-x-6">
      {narrow && !isPlayed ? (
        <Stacked {...{ parts, titles, spoken, onSpoken }} />
      ) : (
        parts.map((side, i) => (
          <Whose key={titles[i]} value={titles[i]!}>
            <Whole {...{ side, narrow, isPlayed }} title={titles[i]!} />
          </Whose>
        ))
      )}
      <p className="col-span-2 text-center text-caption text-muted empty:hidden">
        {captionOf(sides, beliefs)}
      </p>
    </div>
  );
}

function useSide(
  playback: Playback,
  beliefs: boolean,
  onTryAgain: TryAgain | undefined,
  onBack: () => void,
): SideParts {
  const [lit, setLit] = useState<Lit | null>(null);
  const narrow = useNarrow();
  const [ownTurn, setOwnTurn] = useOwnTurn(playback.clock);
  const retry = useRetry();
  const leave = () => {
    setOwnTurn(null);
    onBack();
  };
  const onLit = setLit;
  return {
    head: <ReplayHead replay={playback.replay} />,
    picture: <PlayerPicture {...{ playback, beliefs, lit, onLit }} hasCaption={false} hasViews={!narrow} />,
    fromHere: <FromHere {...{ playback, retry, onTryAgain }} isOwn={false} onOwn={setOwnTurn} />,
    words: (
      <TurnList
        {...{ playback, lit, onLit }}
        className={`@max-xl:[&_[data-past]]:hidden @xl:max-h-72 ${BESIDE_PAIR}`}
      />
    ),
    // Above the words, it would push them out of the window.
    views: narrow && <PictureViews playback={playback} beliefs={beliefs} />,
    own: ownTurn === null ? null : <LatePlayOn playback={playback} turn={ownTurn} onBack={leave} />,
  };
}

/** One side, each part in its place. */
function Whole({
  side: { head, picture, fromHere, words, views, own },
  title,
  narrow,
  isPlayed,
}: {
  side: SideParts;
  title: string;
  narrow: boolean;
  /** The visitor plays on one of the two sides. */
  isPlayed: boolean;
}) {
  if (own)
    return (
      <div data-own className="@container col-span-2 flex min-w-0 flex-col gap-2 @xl:col-span-1">
        {head}
        {own}
      </div>
    );
  const buttons = <div className="flex flex-wrap content-start gap-2 @4xl:col-span-2">{fromHere}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: one side of a pair is no fieldset
    <div role="group" aria-label={title} className={isPlayed ? BESIDE_GAME : BESIDE_OTHER}>
      <div className="@4xl:col-span-2">{head}</div>
      {!narrow && buttons}
      <div className="mx-auto w-full max-w-[420px]">{picture}</div>
      <div className="relative min-w-0">
        {/* A box that scrolls within a page that scrolls is hard to use by touch: there, only the turn of the moment is shown. */}
        <div className="@4xl:absolute @4xl:inset-0">{words}</div>
      </div>
      {narrow && (
        <>
          {buttons}
          <div className="min-w-0 empty:hidden">{views}</div>
        </>
      )}
    </div>
  );
}

/** As `BESIDE`, in half of the width. */
const BESIDE_PAIR =
  "@4xl:sticky @4xl:top-[calc(var(--sticky-top,0px)+12px)] @4xl:max-h-[max(252px,min(100%,100dvh-var(--around,260px)))]";

const IN_PLACES =
  "@4xl:grid @4xl:min-h-[428px] @4xl:grid-cols-[minmax(0,9fr)_minmax(0,10fr)] @4xl:grid-rows-[auto_auto_1fr] @4xl:content-start @4xl:gap-x-4 @4xl:gap-y-3";

/** The rows of two sides are as tall as each other; they are in line also where one has more buttons. */
const BESIDE_OTHER = `grid grid-rows-subgrid row-span-4 min-w-0 gap-y-3 @4xl:row-span-1 ${IN_PLACES}`;

/** Beside a visitor's game, which has no such rows. */
const BESIDE_GAME = `col-span-2 flex min-w-0 flex-col gap-3 @xl:col-span-1 ${IN_PLACES}`;

function usePair(
  replays: Two<PlayedReplay>,
  { moment, ...options }: PlayerOptions,
): { sides: Two<Playback>; pair: PairTimeline; controls: Controls } {
  const [reading, setReading] = useState<Reading>(moment?.reading ?? options.reading ?? "stream");
  const [a, b] = [useEpisode(replays[0], reading), useEpisode(replays[1], reading)];
  const pair = useMemo(() => pairTimeline(a.timeline, b.timeline), [a.timeline, b.timeline]);
  const [clock] = useState(() => {
    const speed = moment?.speed ?? options.speed ?? 1;
    const ms = moment ? timeOfPairMoment([a.timeline, b.timeline], pair, moment) : 0;
    return new PlayerClock({ ms, speed, ...limitsOf(pair, moment) });
  });
  const sides = useMemo((): Two<Playback> => {
    const side = (episode: typeof a): Playback => ({
      ...episode,
      clock,
      local: (ms) => timeInOne(pair, episode.timeline, ms),
    });
    return [side(a), side(b)];
  }, [a, b, clock, pair]);
  usePairTime(clock, pair, moment);
  useAutoplay(clock, options.autoplay ?? false);
  const { durationMs } = pair;
  const onStep = (unit: StepUnit, by: 1 | -1) =>
    clock.seek(nextMark(marksOfPair(sides, pair, unit), clock.get().ms, by, durationMs));
  const onEnd = (which: "first" | "last") => clock.seek(clock.get()[which === "first" ? "from" : "to"]);
  return { sides, pair, controls: { clock, reading, onReading: setReading, onStep, onEnd } };
}

/** Keeps the moment when the timeline changes. */
function usePairTime(clock: PlayerClock, pair: PairTimeline, moment: Moment | undefined): void {
  const before = useRef(pair);
  if (before.current !== pair) {
    clock.retimeQuietly({
      ms: translatePair(clock.get().ms, before.current, pair),
      ...limitsOf(pair, moment),
    });
    before.current = pair;
  }
}

function marksOfPair(sides: Two<Playback>, pair: PairTimeline, unit: StepUnit): number[] {
  if (unit === "turn") return pair.turns.map(({ from }) => from);
  const marks = sides.flatMap(({ timeline }) =>
    marksOf(timeline, unit).map((ms) => timeInPair(pair, timeline, ms)),
  );
  return [...new Set(marks)].sort((a, b) => a - b);
}

function dotsOf(sides: Two<Playback>, pair: PairTimeline): Dot[] {
  const dots = sides.flatMap((side, lane) =>
    momentsOf(side).map((moment) => ({
      ...moment,
      ms: timeInPair(pair, side.timeline, moment.ms),
      whose: side.replay.title,
      lane: lane === 0 ? ("above" as const) : ("below" as const),
    })),
  );
  return dots.sort((one, other) => one.ms - other.ms);
}
