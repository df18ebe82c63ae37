// A place in a trajectory, and its form in an address.
import type { Trajectory } from "../../core/types.ts";
import { readMoment } from "../../replay/moment.ts";

export interface Place {
  /** Index into the turns. */
  turn: number;
  /** Position in the trajectory's token arrays. */
  token: number | null;
}

/** `?turn=2&tok=37`: turns from 1, tokens from 0. Anything else means the first turn, or no token. */
export function readPlace(params: URLSearchParams): Place {
  const { turn, token } = readMoment(params);
  return { turn, token };
}

/**
 * Limits a place to what the trajectory has: a link may belong to another one, and an update that is played again may have
 * fewer tokens under the same key. An existing token decides the turn.
 */
export function boundPlace({ turn, token }: Place, { turns, tokens }: Trajectory): Place {
  const chosen = token !== null && token < tokens.ids.length ? token : null;
  const wanted = chosen === null ? turn : (tokens.turnIndex[chosen] ?? turn);
  return { turn: Math.max(0, Math.min(turns.length - 1, wanted)), token: chosen };
}
