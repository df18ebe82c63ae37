// Going on from the moment of a replay in another way: the visitor plays, or the policy tries again.
import { Gamepad2 } from "lucide-react";
import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { room } from "../lib/room.tsx";
import { type Playback, placeOf } from "./playback.ts";
import type { PlayerClock } from "./player-clock.ts";
import type { Retry } from "./retry.ts";
import type { TryAgain } from "./try-again.tsx";
import { useClock } from "./use-clock.ts";
import { useLabelOf } from "./whose.ts";

// Only players of whole case studies let the policy try again; the front page does not.
const TryAgainButton = room(() => import("./try-again.tsx"));

/** The turn that the visitor plays on from; moving the replay returns to it. */
export function useOwnTurn(clock: PlayerClock): [number | null, (turn: number | null) => void] {
  const [turn, setTurn] = useState<number | null>(null);
  useEffect(() => {
    if (turn === null) return;
    const { ms } = clock.get();
    return clock.subscribe(() => clock.get().ms !== ms && setTurn(null));
  }, [clock, turn]);
  return [turn, setTurn];
}

/** The buttons. `isOwn`: the visitor already plays. */
export function FromHere({
  playback,
  isOwn,
  onOwn,
  retry,
  onTryAgain,
}: {
  playback: Playback;
  isOwn: boolean;
  onOwn: (turn: number) => void;
  retry: Retry;
  onTryAgain: TryAgain | undefined;
}) {
  const { clock, states } = playback;
  const turn = useClock(clock, (state) => placeOf(playback, state).turn);
  const attempt = useSyncExternalStore(retry.subscribe, retry.get, retry.get);
  const labelOf = useLabelOf();
  const words = `Take over from turn ${turn + 1}`;
  const start = () => {
    clock.pause();
    onOwn(turn);
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-small"
        disabled={isOwn || states.problem !== ""}
        title={`From the start of turn ${turn + 1}, as the agent found it`}
        onClick={start}
        {...labelOf(words)}
      >
        <Gamepad2 size={14} aria-hidden /> {words}
      </button>
      {onTryAgain && (
        <Suspense fallback={null}>
          <TryAgainButton
            {...{ turn, attempt }}
            onStart={() => void retry.start(turn, onTryAgain)}
            onCancel={() => retry.cancel()}
          />
        </Suspense>
      )}
    </>
  );
}
