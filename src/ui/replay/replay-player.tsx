// A recorded episode as a film that can be read: picture, words and actions in step.
import { useMemo, useRef, useState } from "react";
import type { Moment } from "../../replay/moment.ts";
import { statesBeliefs } from "./claims.ts";
import { momentsOf } from "./event-look.ts";
import { FromHere, useOwnTurn } from "./from-here.tsx";
import { LatePlayOn } from "./late-play-on.tsx";
import { describeAt, type Playback, type PlayedReplay, placeOf } from "./playback.ts";
import { PlayerFrame } from "./player-frame.tsx";
import { type PlayerLinks, usePlayerLinks } from "./player-handle.ts";
import { useRetry } from "./retry.ts";
import { ReplayHead, Stage } from "./stage.tsx";
import { momentAt, timeOfMoment } from "./time-of-moment.ts";
import type { TryAgain } from "./try-again.tsx";
import { type PlayerOptions, usePlayer } from "./use-player.ts";

interface ReplayPlayerProps extends PlayerOptions, PlayerLinks {
  replay: PlayedReplay;
  /** Fewer controls, for a place where the player is not the main thing. */
  compact?: boolean;
  /** The address of a moment; with it there is a button that copies the link. */
  addressOf?: (moment: Moment) => string;
  /** Lets the policy play on from a turn; with it there is a button for that. */
  onTryAgain?: TryAgain;
  /** Numbers of tokens, below the words. */
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
  const retry = useRetry();
  const seekTo = (at: Moment) => clock.seek(timeOfMoment(timeline, at));
  const momentNow = () => {
    const { ms, speed } = clock.get();
    return momentAt(timeline, ms, { reading: controls.reading, speed, limits: moment });
  };
  usePlayerLinks(props, { clock, onStep: controls.onStep, seekTo, momentNow }, (state) => {
    const { turn, token } = placeOf(playback, state);
    return { turn, token, turns: timeline.turns.length };
  });
  const dots = useMemo(() => momentsOf(playback), [playback]);
  const address = addressOf && (() => addressOf(momentNow()));
  return (
    <PlayerFrame
      frame={frame}
      {...{ title: replay.title, controls, compact, beliefs, address, dots }}
      onBeliefs={states ? setBeliefs : undefined}
      durationMs={timeline.durationMs}
      turns={timeline.turns.map(({ from }) => from)}
      describe={(ms) => describeAt(playback, ms)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ReplayHead replay={replay} />
        {!compact && (
          <div className="flex flex-wrap gap-2">
            <FromHere
              playback={playback}
              isOwn={ownTurn !== null}
              onOwn={setOwnTurn}
              {...{ retry, onTryAgain }}
            />
          </div>
        )}
      </div>
      {ownTurn === null ? (
        <Stage playback={playback} beliefs={beliefs} />
      ) : (
        <LatePlayOn
          key={ownTurn}
          playback={playback}
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
