// Where in a trajectory the page looks, and how an address says so.
import type { Trajectory } from "../../core/types.ts";

export interface Place {
  /** Index into the turns. */
  turn: number;
  /** Position in the trajectory's token arrays. */
  token: number | null;
}

/** `?turn=2&tok=37`: turns from 1, tokens from 0. What is no such number asks for the first turn, or for no token. */
export function readPlace(params: URLSearchParams): Place {
  const whole = (text: string | null) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);
  return { turn: (whole(params.get("turn")) ?? 1) - 1, token: whole(params.get("tok")) };
}

/**
 * The place within what the trajectory has: a link may be of another one, and an update that is played again may leave
 * fewer tokens under the same key. A token that is there decides the turn.
 */
export function boundPlace({ turn, token }: Place, { turns, tokens }: Trajectory): Place {
  const chosen = token !== null && token < tokens.ids.length ? token : null;
  const asked = chosen === null ? turn : (tokens.turnIndex[chosen] ?? turn);
  return { turn: Math.max(0, Math.min(turns.length - 1, asked)), token: chosen };
}
