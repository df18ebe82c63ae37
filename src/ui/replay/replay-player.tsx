// A recorded episode as a film that can be read: picture, words and actions in step.
import { Gamepad2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { describePlace } from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";
import { momentsOf } from "./event-look.ts";
import { PlayOn } from "./play-on.tsx";
import { type Playback, type PlayedReplay, placeOf } from "./playback.ts";
import { PlayerFrame } from "./player-frame.tsx";
import { ReplayHead, Stage } from "./stage.tsx";
import { momentAt } from "./time-of-moment.ts";
import { type TryAgain, TryAgainButton } from "./try-again.tsx";
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

interface ReplayPlayerProps extends PlayerOptions {
  replay: PlayedReplay;
  /** Fewer controls, for a place where the player is not the main thing. */
  compact?: boolean;
  /** Called when something in the place has changed. */
  onPlace?: (place: PlayerPlace) => void;
  /** The address of a moment; with it there is a button that copies the link. */
  addressOf?: (moment: Moment) => string;
  /** Lets the policy play on from a turn; with it there is a button for that. */
  onTryAgain?: TryAgain;
  /** Numbers of tokens, below the words. `token` is the one being read. */
  tokenStrip?: (playback: Playback) => React.ReactNode;
  /** Receives the player when it is ready, to drive it from outside. */
  onReady?: (player: Player) => void;
}

/** Plays one replay. Give it another `key` with another replay. */
export function ReplayPlayer(props: ReplayPlayerProps) {
  const { replay, compact = false, addressOf, onTryAgain, moment, tokenStrip, onReady } = props;
  const player = usePlayer(replay, props);
  const { playback, controls } = player;
  const { clock, timeline } = playback;
  const [beliefs, setBeliefs] = useState(true);
  const [ownTurn, setOwnTurn] = useState<number | null>(null);
  usePlaceReports(playback, props.onPlace);
  useReady(player, onReady);
  const dots = useMemo(() => momentsOf(playback), [playback]);
  const turnNow = () => placeOf(playback, clock.get()).turn;
  const address =
    addressOf &&
    (() => {
      const { ms, speed } = clock.get();
      return addressOf(momentAt(timeline, ms, { reading: controls.reading, speed, limits: moment }));
    });
  const tools = (
    <>
      <PlayOnButton
        disabled={playback.states.problem !== ""}
        onStart={() => {
          clock.pause();
          setOwnTurn(turnNow());
        }}
      />
      {onTryAgain && <TryAgainButton turn={turnNow} onTryAgain={onTryAgain} />}
    </>
  );
  return (
    <PlayerFrame
      {...{ title: replay.title, controls, compact, beliefs, onBeliefs: setBeliefs, address, tools, dots }}
      durationMs={timeline.durationMs}
      turns={timeline.turns.map(({ from }) => from)}
      describe={(ms) => describePlace(placeOf(playback, { ...clock.get(), ms }), replay.trajectory.turns)}
    >
      <ReplayHead replay={replay} />
      {ownTurn === null ? (
        <Stage playback={playback} beliefs={beliefs} />
      ) : (
        <PlayOn key={ownTurn} replay={replay} turn={ownTurn} onBack={() => setOwnTurn(null)} />
      )}
      {tokenStrip?.(playback)}
    </PlayerFrame>
  );
}

function PlayOnButton({ disabled, onStart }: { disabled: boolean; onStart: () => void }) {
  return (
    <button type="button" className="btn btn-small" disabled={disabled} onClick={onStart}>
      <Gamepad2 size={14} aria-hidden /> Play on from here yourself
    </button>
  );
}

function useReady(player: Player, onReady: ReplayPlayerProps["onReady"]): void {
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => ready.current?.(player));
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
