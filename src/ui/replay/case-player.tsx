// The player of a case study: one replay, or a pair that can also be watched one by one.
import { useCallback, useMemo, useRef, useState } from "react";
import type { Moment } from "../../replay/moment.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { Segmented } from "../components/controls.tsx";
import { useReducedMotion } from "../lib/use-media.ts";
import { carryMoment, type Two, type Watched } from "./pair-moment.ts";
import type { Playback, PlayedReplay } from "./playback.ts";
import { playedOf } from "./played-of.ts";
import type { PlayerHandle } from "./player-handle.ts";
import { ReplayPair } from "./replay-pair.tsx";
import { ReplayPlayer } from "./replay-player.tsx";
import type { TryAgain } from "./try-again.tsx";

/** `show=2` is the second replay alone; otherwise all are watched together. */
export function readWatched(text: string | null, count: number): Watched {
  const index = Number(text) - 1;
  if (count === 1) return 0;
  return text !== null && Number.isInteger(index) && index >= 0 && index < count ? index : "both";
}

interface CasePlayerProps {
  study: CaseStudy;
  replays: readonly Replay[];
  /** For each replay; see `PlayedReplay`. */
  tokenEnds: readonly PlayedReplay["tokenEnds"][];
  watched: Watched;
  onWatched: (watched: Watched) => void;
  moment: Moment | undefined;
  autoplay: boolean;
  addressOf: (moment: Moment, watched: Watched) => string;
  /** Numbers of a replay's tokens, where one is watched alone. */
  tokenStripOf?: (replay: Replay) => (playback: Playback) => React.ReactNode;
  /** Lets the policy of a replay try again. */
  tryAgainOf?: ((replay: Replay) => TryAgain) | undefined;
}

export function CasePlayer(props: CasePlayerProps) {
  const { study, replays, tokenEnds, watched, onWatched, addressOf, tryAgainOf, tokenStripOf } = props;
  const played = useMemo(
    () => replays.map((replay, i) => playedOf(replay, study.replays[i]!.label, tokenEnds[i])),
    [study, replays, tokenEnds],
  );
  const [a, b] = played;
  const { start, onReady, keepPlace } = useKeptPlace(props, a && b && [a, b]);
  const index = watched === "both" ? 0 : watched;
  return (
    <div className="flex flex-col gap-3">
      {b && (
        <Segmented
          name="What to watch"
          className="self-start"
          value={String(watched)}
          choices={[
            { value: "both", label: "Both" },
            ...played.map(({ title }, i) => ({ value: String(i), label: title })),
          ]}
          onChange={(value) => {
            const next = value === "both" ? "both" : Number(value);
            keepPlace(next);
            onWatched(next);
          }}
        />
      )}
      {a && b && watched === "both" ? (
        <ReplayPair
          replays={[a, b]}
          {...start}
          onReady={onReady}
          addressOf={(at) => addressOf(at, "both")}
          {...(tryAgainOf && { onTryAgain: [tryAgainOf(replays[0]!), tryAgainOf(replays[1]!)] })}
        />
      ) : (
        <ReplayPlayer
          key={index}
          replay={played[index]!}
          {...start}
          onReady={onReady}
          addressOf={(at) => addressOf(at, index)}
          {...(tokenStripOf && { tokenStrip: tokenStripOf(replays[index]!) })}
          {...(tryAgainOf && { onTryAgain: tryAgainOf(replays[index]!) })}
        />
      )}
    </div>
  );
}

/** Where the next player begins: at first what the address says, then where the player before it was. */
function useKeptPlace(
  { watched, moment, autoplay }: Pick<CasePlayerProps, "watched" | "moment" | "autoplay">,
  pair: Two<PlayedReplay> | undefined,
) {
  const [start, setStart] = useState({ moment, autoplay });
  const moves = !useReducedMotion();
  const player = useRef<PlayerHandle | null>(null);
  const onReady = useCallback((ready: PlayerHandle) => {
    player.current = ready;
  }, []);
  const keepPlace = (next: Watched) => {
    if (!player.current || !pair) return;
    const now = player.current.momentNow();
    const way = { from: watched, to: next, reading: now.reading ?? "stream", moves };
    setStart({ moment: carryMoment(now, way, pair), autoplay: player.current.clock.get().playing });
  };
  return { start, onReady, keepPlace };
}
