// Says where two replays first differ, and goes there.
import { Split } from "lucide-react";
import { useMemo } from "react";
import {
  type Timeline,
  timeOfAction,
  timeOfToken,
  timeOfTurn,
  tokenOfCharacter,
} from "../../replay/clock.ts";
import { describeDifference, firstDifference } from "../../replay/difference.ts";
import { type PairTimeline, timeInPair } from "../../replay/pair.ts";
import type { Two } from "./pair-moment.ts";
import type { Playback } from "./playback.ts";

type Difference = NonNullable<ReturnType<typeof firstDifference>>;

const NAMES: Readonly<Record<Difference["what"], string>> = {
  words: "the words",
  action: "the action",
  state: "the state",
  end: "the end of one",
};

export function FirstDifference({ sides, pair }: { sides: Two<Playback>; pair: PairTimeline }) {
  const [a, b] = sides;
  const found = useMemo(() => firstDifference(a.replay.trajectory, b.replay.trajectory), [a, b]);
  if (!found) return <p className="text-dense text-muted">The two episodes are the same.</p>;
  // Where one side comes to its word or action later, both have come there.
  const go = () =>
    a.clock.seek(
      Math.max(
        ...sides.map(({ timeline }, side) => timeInPair(pair, timeline, timeOf(found, timeline, side))),
      ),
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <button type="button" className="btn btn-small" onClick={go}>
        <Split size={14} aria-hidden /> First difference: turn {found.turn + 1}, {NAMES[found.what]}
      </button>
      <p className="text-dense text-muted" data-testid="difference">
        {describeDifference(found, [a.replay.title, b.replay.title])}
      </p>
    </div>
  );
}

/** The time of a difference in one of the two timelines. */
function timeOf({ turn, what, words }: Difference, timeline: Timeline, side: number): number {
  if (what === "end" || !timeline.turns[turn]) return timeOfTurn(timeline, turn);
  if (what === "action") return timeOfAction(timeline, turn, 0);
  if (what === "state") return timeOfAction(timeline, turn, Number.POSITIVE_INFINITY);
  // Where one reply is over, its last token is the place.
  const word = words?.[side]?.at ?? Number.POSITIVE_INFINITY;
  const token = tokenOfCharacter(timeline, turn, word);
  return (token === null ? null : timeOfToken(timeline, token)) ?? timeOfTurn(timeline, turn);
}
