// Plays a trace: the current token moves with a player's clock, and the clock with the token that the reader chooses.
import { useEffect, useMemo, useRef } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import type { Trajectory } from "../../core/types.ts";
import { timeOfToken, timeOfTurn } from "../../replay/clock.ts";
import { momentAtTurn } from "../../replay/moment.ts";
import { type EventMoment, momentsOf } from "../replay/event-look.ts";
import { PLAYERS, usePageKeys } from "../replay/page-keys.ts";
import { type Controls, PlayBar } from "../replay/play-bar.tsx";
import { describeAt, type Playback, placeOf } from "../replay/playback.ts";
import { playedOf } from "../replay/played-of.ts";
import { onPageKey, onPlayerKey } from "../replay/player-keys.ts";
import { Scrubber } from "../replay/scrubber.tsx";
import { usePlayer } from "../replay/use-player.ts";
import { followToken, showTurn } from "./token-element.ts";
import type { Placing } from "./use-place.ts";

export interface TracePlayer {
  playback: Playback;
  controls: Controls;
  dots: readonly EventMoment[];
  /** The placing that the reader moves: choosing a turn or a token pauses the player there. */
  placing: Placing;
}

/** `tokenEnds`: for each turn the characters of the reply up to each token; absent where the vocabulary is not known. */
export function useTracePlayer(
  trajectory: Trajectory,
  config: RunConfig,
  tokenEnds: readonly (readonly number[])[] | undefined,
  placing: Placing,
): TracePlayer {
  const replay = useMemo(
    () => playedOf({ trajectory, config }, "Trace", tokenEnds),
    [trajectory, config, tokenEnds],
  );
  const { place, placeAt, select, goToTurn, leaveToken } = placing;
  const moment = momentAtTurn(place.turn, place.token);
  const { playback, controls } = usePlayer(replay, { moment });
  const { clock, timeline } = playback;
  const isReader = useRef(false);
  useDriving(playback, placing, isReader);
  const ofReader = useMemo((): Placing => {
    // The clock goes where the reader is, and must not answer by moving the reader.
    const seek = (ms: number) => {
      isReader.current = true;
      clock.seek(ms);
      isReader.current = false;
    };
    const seekToken = (token: number) =>
      seek(timeOfToken(timeline, token) ?? timeOfTurn(timeline, trajectory.tokens.turnIndex[token] ?? 0));
    const first = (go: (at: number) => void, act: (at: number) => void) => (at: number) => {
      go(at);
      act(at);
    };
    return {
      place,
      placeAt: first(seekToken, placeAt),
      select: first(seekToken, select),
      goToTurn: first((turn) => seek(timeOfTurn(timeline, turn)), goToTurn),
      leaveToken,
    };
  }, [clock, timeline, trajectory, place, placeAt, select, goToTurn, leaveToken]);
  const dots = useMemo(() => momentsOf(playback), [playback]);
  return { playback, controls, dots, placing: ofReader };
}

/** Moves the place with the clock, whether it plays or is moved. */
function useDriving(
  playback: Playback,
  { place, placeAt, goToTurn, leaveToken }: Placing,
  isReader: React.RefObject<boolean>,
): void {
  const now = useRef(place);
  now.current = place;
  useEffect(() => {
    const { clock } = playback;
    let before = clock.get().ms;
    const move = () => {
      const state = clock.get();
      const hasMoved = state.ms !== before;
      before = state.ms;
      if (!hasMoved || isReader.current) return;
      const { turn, token } = placeOf(playback, state);
      if (token === null) {
        if (turn !== now.current.turn) goToTurn(turn);
        // While it plays, the last token stays current until the next one.
        else if (now.current.token !== null && !state.playing) leaveToken();
      } else if (token !== now.current.token) {
        const { turn: turnBefore, token: before } = now.current;
        if (turn !== turnBefore && state.playing) showTurn(turn, "smooth");
        else followToken(token, before, state.playing);
        placeAt(token);
      }
    };
    return clock.subscribe(move);
  }, [playback, placeAt, goToTurn, leaveToken, isReader]);
}

/** Keys that `use-trace-keys.ts` handles. */
const OF_TRACE = [".", ",", "[", "]"];

/** Buttons and scrubber in one row where there is room. */
export function TracePlay({ player: { playback, controls, dots } }: { player: TracePlayer }) {
  const { clock, timeline } = playback;
  const bar = useRef<HTMLDivElement>(null);
  usePageKeys(bar, PLAYERS, (event) => {
    if (!OF_TRACE.includes(event.key)) onPageKey(event, controls, bar.current);
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a player is no fieldset
    <div
      ref={bar}
      role="group"
      aria-label="Player"
      data-page-keys
      className="flex flex-wrap items-center gap-x-4"
      onKeyDown={(event) => onPlayerKey(event, controls)}
    >
      <PlayBar controls={controls} compact />
      <div className="min-w-64 flex-1">
        <Scrubber
          clock={clock}
          durationMs={timeline.durationMs}
          turns={timeline.turns.map(({ from }) => from)}
          dots={dots}
          describe={(ms) => describeAt(playback, ms)}
        />
      </div>
    </div>
  );
}
