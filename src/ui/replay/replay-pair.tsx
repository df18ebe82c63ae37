// Two replays of one level in step, on one scrubber.
import { Split } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import {
  describePlace,
  marksOf,
  nextMark,
  type Reading,
  type StepUnit,
  type Timeline,
  timeOfAction,
  timeOfTurn,
} from "../../replay/clock.ts";
import { firstDifference } from "../../replay/difference.ts";
import type { Moment } from "../../replay/moment.ts";
import {
  longerIn,
  type PairTimeline,
  pairTimeline,
  timeInOne,
  timeInPair,
  translatePair,
  turnAt,
} from "../../replay/pair.ts";
import { type Lit, statesBeliefs } from "./claims.ts";
import { momentsOf } from "./event-look.ts";
import type { Controls } from "./play-bar.tsx";
import { type Playback, type PlayedReplay, placeOf } from "./playback.ts";
import { PlayerClock } from "./player-clock.ts";
import { PlayerFrame } from "./player-frame.tsx";
import { type PlayerLinks, usePlayerLinks } from "./player-handle.ts";
import { OUTLINES, PlayerPicture } from "./player-picture.tsx";
import type { Dot } from "./scrubber.tsx";
import { ReplayHead } from "./stage.tsx";
import { limitsOf, momentAt, timeOfMoment } from "./time-of-moment.ts";
import { TurnList } from "./turn-list.tsx";
import { type PlayerOptions, useAutoplay, useEpisode } from "./use-player.ts";

type Two<T> = readonly [T, T];

interface ReplayPairProps extends PlayerOptions, PlayerLinks {
  replays: Two<PlayedReplay>;
  /** The address of a moment; with it there is a button that copies the link. */
  addressOf?: (moment: Moment) => string;
}

/** Plays two replays of one level. Give it another `key` with other replays. */
export function ReplayPair({ replays, addressOf, ...options }: ReplayPairProps) {
  const { sides, pair, controls } = usePair(replays, options);
  const [wanted, setBeliefs] = useState(true);
  const states = replays.some(({ trajectory }) => statesBeliefs(trajectory));
  const beliefs = states && wanted;
  const { clock } = controls;
  const seekTo = (at: Moment) => clock.seek(timeOfPairMoment(sides[0].timeline, sides[1].timeline, pair, at));
  usePlayerLinks(options, { clock, onStep: controls.onStep, seekTo }, ({ ms }) => ({
    ...{ turn: turnAt(pair, ms), turns: pair.turns.length, token: null },
  }));
  const dots = useMemo(() => dotsOf(sides, pair), [sides, pair]);
  const address = addressOf && (() => addressOf(momentOfPair(sides, pair, controls)));
  const describe = (ms: number) =>
    sides
      .map((side) => {
        const { turns } = side.replay.trajectory;
        return `${side.replay.title}: ${describePlace(placeOf(side, { ...clock.get(), ms }), turns)}`;
      })
      .join("; ");
  return (
    <PlayerFrame
      title={replays.map(({ title }) => title).join(" and ")}
      {...{ controls, dots, describe, beliefs, address }}
      compact={false}
      onBeliefs={states ? setBeliefs : undefined}
      durationMs={pair.durationMs}
      turns={pair.turns.map(({ from }) => from)}
      tools={<FirstDifference sides={sides} pair={pair} controls={controls} />}
    >
      <div className="grid grid-cols-2 gap-x-3 gap-y-3 @3xl:gap-x-6">
        {sides.map((side) => (
          <Side key={side.replay.title} playback={side} beliefs={beliefs} />
        ))}
        <p className="order-1 col-span-2 text-center text-caption text-muted">{captionOf(sides, beliefs)}</p>
      </div>
    </PlayerFrame>
  );
}

/** What the pictures show, once for both. */
function captionOf(sides: Two<Playback>, beliefs: boolean): string {
  const problem = sides.find(({ states }) => states.problem)?.states.problem;
  if (problem) return `These are the pictures that the model received. ${problem}`;
  return beliefs ? OUTLINES : "";
}

/** On a small screen the two pictures stay beside each other, and the words go below. */
function Side({ playback, beliefs }: { playback: Playback; beliefs: boolean }) {
  const [lit, setLit] = useState<Lit | null>(null);
  return (
    <div className="contents">
      <div className="order-1 mx-auto flex w-full max-w-[420px] flex-col gap-2">
        <ReplayHead replay={playback.replay} />
        <PlayerPicture playback={playback} beliefs={beliefs} hasCaption={false} lit={lit} onLit={setLit} />
      </div>
      <div className="order-2 col-span-2 min-w-0 @xl:col-span-1">
        <p className="mb-1 text-dense font-semibold @xl:hidden" aria-hidden>
          {playback.replay.title}
        </p>
        <TurnList playback={playback} lit={lit} onLit={setLit} className="h-64 @xl:h-80" />
      </div>
    </div>
  );
}

function usePair(
  replays: Two<PlayedReplay>,
  { moment, ...options }: PlayerOptions,
): { sides: Two<Playback>; pair: PairTimeline; controls: Controls } {
  const [reading, setReading] = useState<Reading>(moment?.reading ?? options.reading ?? "stream");
  const [a, b] = [useEpisode(replays[0], reading), useEpisode(replays[1], reading)];
  const pair = useMemo(() => pairTimeline(a.timeline, b.timeline), [a.timeline, b.timeline]);
  const [clock] = useState(() => {
    const speed = moment?.speed ?? options.speed ?? 1;
    const ms = moment ? timeOfPairMoment(a.timeline, b.timeline, pair, moment) : 0;
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

/** The side with the longer turn decides the moment. */
function timeOfPairMoment(a: Timeline, b: Timeline, pair: PairTimeline, moment: Moment): number {
  const turn = Math.min(pair.turns.length - 1, moment.turn);
  const lead = longerIn(turn, a, b) === 0 ? a : b;
  return timeInPair(pair, lead, timeOfMoment(lead, moment));
}

function momentOfPair([a, b]: Two<Playback>, pair: PairTimeline, { clock, reading }: Controls): Moment {
  const { ms, speed } = clock.get();
  const turn = turnAt(pair, ms);
  const { timeline, local } = longerIn(turn, a.timeline, b.timeline) === 0 ? a : b;
  return momentAt(timeline, local(ms), { reading, speed });
}

function marksOfPair(sides: Two<Playback>, pair: PairTimeline, unit: StepUnit): number[] {
  if (unit === "turn") return pair.turns.map(({ from }) => from);
  const marks = sides.flatMap(({ timeline }) =>
    marksOf(timeline, unit).map((ms) => timeInPair(pair, timeline, ms)),
  );
  return [...new Set(marks)].sort((a, b) => a - b);
}

function dotsOf(sides: Two<Playback>, pair: PairTimeline): Dot[] {
  const dots = sides.flatMap((side) =>
    momentsOf(side).map((moment) => ({
      ...moment,
      ms: timeInPair(pair, side.timeline, moment.ms),
      whose: side.replay.title,
    })),
  );
  return dots.sort((one, other) => one.ms - other.ms);
}

/** Goes to the turn in which the two episodes first differ. */
function FirstDifference({
  sides: [a, b],
  pair,
  controls,
}: {
  sides: Two<Playback>;
  pair: PairTimeline;
  controls: Controls;
}) {
  const found = useMemo(() => firstDifference(a.replay.trajectory, b.replay.trajectory), [a, b]);
  if (!found) return <p className="text-dense text-muted">The two episodes are the same.</p>;
  const { turn, what } = found;
  const go = () => {
    const side = longerIn(turn, a.timeline, b.timeline) === 0 ? a : b;
    const local = what === "action" ? timeOfAction(side.timeline, turn, 0) : timeOfTurn(side.timeline, turn);
    controls.clock.seek(timeInPair(pair, side.timeline, local));
  };
  return (
    <button type="button" className="btn btn-small" onClick={go}>
      <Split size={14} aria-hidden /> First difference: turn {turn + 1},{" "}
      {what === "action" ? "the action" : "the reply"}
    </button>
  );
}
