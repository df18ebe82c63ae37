// The player of a case study: one replay, or a pair that can also be watched one by one.
import { useMemo, useState } from "react";
import type { Moment } from "../../replay/moment.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { Segmented } from "../components/controls.tsx";
import type { Playback, PlayedReplay } from "./playback.ts";
import { ReplayPair } from "./replay-pair.tsx";
import { ReplayPlayer } from "./replay-player.tsx";
import type { TryAgain } from "./try-again.tsx";

/** What the player needs of a bundled replay. */
export const playedOf = (
  { trajectory, config }: Replay,
  title: string,
  tokenEnds?: PlayedReplay["tokenEnds"],
): PlayedReplay => ({
  trajectory,
  envConfig: config.env.config,
  maxTurns: config.rollout.max_turns,
  title,
  ...(tokenEnds && { tokenEnds }),
});

/** Which of a pair is watched: both, or the one at this index. */
export type Watched = "both" | number;

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
  // A moment of the address is of the view that the address names.
  const [{ moment, autoplay, first }] = useState({ ...props, first: watched });
  const start = { moment: watched === first ? moment : undefined, autoplay: watched === first && autoplay };
  const [a, b] = played;
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
          onChange={(value) => onWatched(value === "both" ? "both" : Number(value))}
        />
      )}
      {a && b && watched === "both" ? (
        <ReplayPair replays={[a, b]} {...start} addressOf={(at) => addressOf(at, "both")} />
      ) : (
        <ReplayPlayer
          key={index}
          replay={played[index]!}
          {...start}
          addressOf={(at) => addressOf(at, index)}
          {...(tokenStripOf && { tokenStrip: tokenStripOf(replays[index]!) })}
          {...(tryAgainOf && { onTryAgain: tryAgainOf(replays[index]!) })}
        />
      )}
    </div>
  );
}
