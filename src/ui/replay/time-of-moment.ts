// A moment of an address as a time, and a time as a moment.
import {
  placeAt,
  type Reading,
  type Timeline,
  timeOfAction,
  timeOfToken,
  timeOfTurn,
} from "../../replay/clock.ts";
import type { Moment } from "../../replay/moment.ts";

/** The time of a moment. A token decides over an action, an action over a turn. */
export function timeOfMoment(timeline: Timeline, { turn, token, action }: Moment): number {
  const known = Math.min(timeline.turns.length - 1, turn);
  const ofToken = token === null ? null : timeOfToken(timeline, token);
  if (ofToken !== null) return ofToken;
  return action === null ? timeOfTurn(timeline, known) : timeOfAction(timeline, known, action);
}

/** The moment at a time of the timeline. */
export function momentAt(
  timeline: Timeline,
  ms: number,
  { reading, speed, limits }: { reading: Reading; speed: number; limits?: Moment | undefined },
): Moment {
  const place = placeAt(timeline, ms);
  const acts = place?.kind === "action" || place?.kind === "verdict";
  const isVerdict = place?.kind === "verdict";
  return {
    turn: place?.turn ?? 0,
    token: place?.token ?? null,
    action: place && acts ? place.actions - (isVerdict ? 0 : 1) : null,
    ...{ reading, speed, from: limits?.from ?? null, to: limits?.to ?? null },
  };
}

/** Start and end of the turns to play, in ms. An end before the start is no limit. */
export function limitsOf(
  timeline: Pick<Timeline, "turns" | "durationMs">,
  moment: Moment | undefined,
): { from: number; to: number } {
  const { turns, durationMs } = timeline;
  const { from, to } = moment ?? { from: null, to: null };
  const start = turns[Math.min(from ?? 0, turns.length - 1)]?.from ?? 0;
  const end = (to === null ? undefined : turns[to]?.to) ?? durationMs;
  return { from: start, to: end > start ? end : durationMs };
}
