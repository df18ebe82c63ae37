// A recorded episode as a film that can be read: picture, words and actions in step.
import { Gamepad2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { describePlace } from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";
import { statesBeliefs } from "./claims.ts";
import { momentsOf } from "./event-look.ts";
import { PlayOn } from "./play-on.tsx";
import { type Playback, type PlayedReplay, placeOf } from "./playback.ts";
import type { PlayerClock } from "./player-clock.ts";
import { PlayerFrame } from "./player-frame.tsx";
import { type PlayerLinks, usePlayerLinks } from "./player-handle.ts";
import { ReplayHead, Stage } from "./stage.tsx";
import { momentAt, timeOfMoment } from "./time-of-moment.ts";
import { type TryAgain, TryAgainButton } from "./try-again.tsx";
import { type PlayerOptions, usePlayer } from "./use-player.ts";

interface ReplayPlayerProps extends PlayerOptions, PlayerLinks {
  replay: PlayedReplay;
  /** Fewer controls, for a place where the player is not the main thing. */
  compact?: boolean;
  /** The address of a moment; with it there is a button that copies the link. */
  addressOf?: (moment: Moment) => string;
  /** Lets the policy play on from a turn; with it there is a button for that. */
  onTryAgain?: TryAgain;
  /** Numbers of tokens, below the words. `token` is the one being read. */
  tokenStrip?: (playback: Playback) => React.ReactNode;
}

/** Plays one replay. Give it another `key` with another replay. */
export function ReplayPlayer(props: ReplayPlayerProps) {
  const { replay, compact = false, addressOf, onTryAgain, moment, tokenStrip } = props;
  const player = usePlayer(replay, props);
  const { playback, controls } = player;
  const { clock, timeline } = playback;
  const [wanted, setBeliefs] = useState(true);
  const states = statesBeliefs(replay.trajectory);
  const beliefs = states && wanted;
  const frame = useRef<HTMLDivElement>(null);
  const [ownTurn, setOwnTurn] = useOwnTurn(clock);
  const seekTo = (at: Moment) => clock.seek(timeOfMoment(timeline, at));
  usePlayerLinks(props, { clock, onStep: controls.onStep, seekTo }, (state) => {
    const { turn, token } = placeOf(playback, state);
    return { turn, token, turns: timeline.turns.length };
  });
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
        disabled={ownTurn !== null || playback.states.problem !== ""}
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
      frame={frame}
      {...{ title: replay.title, controls, compact, beliefs, address, tools, dots }}
      onBeliefs={states ? setBeliefs : undefined}
      durationMs={timeline.durationMs}
      turns={timeline.turns.map(({ from }) => from)}
      describe={(ms) => describePlace(placeOf(playback, { ...clock.get(), ms }), replay.trajectory.turns)}
    >
      <ReplayHead replay={replay} />
      {ownTurn === null ? (
        <Stage playback={playback} beliefs={beliefs} />
      ) : (
        <PlayOn
          key={ownTurn}
          replay={replay}
          turn={ownTurn}
          onBack={() => {
            setOwnTurn(null);
            // The button that had the focus goes away.
            frame.current?.focus();
          }}
        />
      )}
      {tokenStrip?.(playback)}
    </PlayerFrame>
  );
}

/** The turn that the visitor plays on from; moving the replay returns to it. */
function useOwnTurn(clock: PlayerClock): [number | null, (turn: number | null) => void] {
  const [turn, setTurn] = useState<number | null>(null);
  useEffect(() => {
    if (turn === null) return;
    const { ms } = clock.get();
    return clock.subscribe(() => clock.get().ms !== ms && setTurn(null));
  }, [clock, turn]);
  return [turn, setTurn];
}

function PlayOnButton({ disabled, onStart }: { disabled: boolean; onStart: () => void }) {
  return (
    <button type="button" className="btn btn-small" disabled={disabled} onClick={onStart}>
      <Gamepad2 size={14} aria-hidden /> Play on from here yourself
    </button>
  );
}
