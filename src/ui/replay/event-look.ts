// Icon and colour of each kind of event.
import { Ban, EyeOff, FastForward, Flag, OctagonX } from "lucide-react";
import type { EventKind, ReplayEvent } from "../../replay/events.ts";
import type { Playback } from "./playback.ts";

/** The most important first: it gives a moment with several events its look. */
export const EVENT_LOOKS = {
  lost: { label: "Lost here", icon: OctagonX, color: "--danger" },
  goal: { label: "Goal", icon: Flag, color: "--ok" },
  wrong_belief: { label: "First wrong belief", icon: EyeOff, color: "--observation" },
  wrong_neighbour: { label: "First wrong neighbour", icon: EyeOff, color: "--reasoning" },
  invalid_action: { label: "Invalid action", icon: Ban, color: "--warning" },
  wrong_prediction: { label: "Wrong prediction", icon: FastForward, color: "--prediction" },
} as const satisfies Record<EventKind, { label: string; icon: unknown; color: string }>;

const ORDER = Object.keys(EVENT_LOOKS) as EventKind[];

/** Events that happen at one time of the timeline. */
export interface EventMoment {
  ms: number;
  /** That of the first event. */
  kind: EventKind;
  /** The most important one first. */
  events: readonly ReplayEvent[];
}

/** The events of an episode by the time in its own timeline, in order. */
export function momentsOf({ events, timeline }: Pick<Playback, "events" | "timeline">): EventMoment[] {
  const byTime = new Map<number, ReplayEvent[]>();
  for (const event of events) {
    const { ms } = timeOf(event, timeline);
    byTime.set(ms, [...(byTime.get(ms) ?? []), event]);
  }
  return [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([ms, at]) => {
      const events = at.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
      return { ms, events, kind: events[0]!.kind };
    });
}

/** The phase in which an event happens; where a turn lacks that phase, its verdict. */
function timeOf({ turn, phase }: ReplayEvent, { phases }: Playback["timeline"]): { ms: number } {
  const ofTurn = phases.filter((known) => known.turn === turn);
  const found = ofTurn.find(({ kind }) => kind === phase) ?? ofTurn.at(-1)!;
  // A belief is known to be wrong, and is shown to be, once it has been said; the outcome of a turn when its verdict begins.
  return { ms: found.kind === "verdict" ? found.from : found.to };
}
