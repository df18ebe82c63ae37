// A recorded episode as a film that can be read: picture, words and actions in step.
import { useEffect, useRef, useState } from "react";
import { describePlace } from "../../replay/clock.ts";
import { Chip } from "../components/controls.tsx";
import { outcomeOf } from "../episode/outcome.ts";
import type { Lit } from "./claims.ts";
import { momentsOf } from "./event-look.ts";
import { PlayBar } from "./play-bar.tsx";
import { type Playback, type PlayedReplay, placeOf } from "./playback.ts";
import { onPlayerKey } from "./player-keys.ts";
import { PlayerPicture } from "./player-picture.tsx";
import { Scrubber } from "./scrubber.tsx";
import { TurnList } from "./turn-list.tsx";
import { type Player, type PlayerOptions, usePlayer } from "./use-player.ts";

/** Where a player is, for whoever follows it. */
export interface PlayerPlace {
  /** Index of the turn, and how many there are. */
  turn: number;
  turns: number;
  /** Position in the trajectory's token arrays; null beside the reply. */
  token: number | null;
  playing: boolean;
  speed: number;
}

export interface ReplayPlayerProps extends PlayerOptions {
  replay: PlayedReplay;
  /** Fewer controls, for a place where the player is not the main thing. */
  compact?: boolean;
  /** Called when something in the place has changed. */
  onPlace?: (place: PlayerPlace) => void;
}

/** Plays one replay. Give it another `key` with another replay. */
export function ReplayPlayer({ replay, compact = false, onPlace, ...options }: ReplayPlayerProps) {
  const player = usePlayer(replay, options);
  const { playback, controls } = player;
  const { clock, timeline } = playback;
  usePlaceReports(playback, onPlace);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a player is no fieldset
    <div
      role="group"
      aria-label={`Replay: ${replay.title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus here is what gives the player its keys
      tabIndex={0}
      className="@container card flex flex-col gap-3 p-3"
      data-testid="replay-player"
      onKeyDown={(event) => onPlayerKey(event, controls)}
    >
      <Head replay={replay} />
      <Stage player={player} />
      <Scrubber
        clock={clock}
        durationMs={timeline.durationMs}
        turns={timeline.turns.map(({ from }) => from)}
        dots={momentsOf(playback)}
        describe={(ms) => describePlace(placeOf(playback, { ...clock.get(), ms }), replay.trajectory.turns)}
      />
      <PlayBar controls={controls} compact={compact} />
    </div>
  );
}

function Head({ replay: { title, trajectory } }: { replay: PlayedReplay }) {
  const { mark, word, tone } = outcomeOf(trajectory);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="text-body font-semibold">{title}</h3>
      <Chip tone={tone}>
        <span aria-hidden>{mark}</span> {word}
      </Chip>
    </div>
  );
}

/** Picture and words, side by side where there is room. */
function Stage({ player: { playback } }: { player: Player }) {
  const [lit, setLit] = useState<Lit | null>(null);
  return (
    <div className="grid gap-3 @xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <PlayerPicture playback={playback} beliefs lit={lit} onLit={setLit} />
      <div className="relative min-w-0">
        <TurnList playback={playback} lit={lit} onLit={setLit} />
      </div>
    </div>
  );
}

/** Reports the place, at most once for each change of it. */
function usePlaceReports(playback: Playback, onPlace: ReplayPlayerProps["onPlace"]): void {
  const report = useRef(onPlace);
  report.current = onPlace;
  useEffect(() => {
    let before = "";
    const tell = () => {
      const { clock, replay } = playback;
      const { playing, speed } = clock.get();
      const { turn, token } = placeOf(playback, clock.get());
      const place = { turn, turns: replay.trajectory.turns.length, token, playing, speed };
      const key = JSON.stringify(place);
      if (key !== before) report.current?.(place);
      before = key;
    };
    tell();
    return playback.clock.subscribe(tell);
  }, [playback]);
}
