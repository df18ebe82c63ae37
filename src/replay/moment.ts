// A moment of a replay as part of an address: `?turn=2&tok=37&read=stream&speed=1&from=2&to=4`.
import { READINGS, type Reading } from "./clock.ts";

export interface Moment {
  /** Index of the turn. */
  turn: number;
  /** Position in the trajectory's token arrays. */
  token: number | null;
  /** Index of an executed action of the turn; null before the first. */
  action: number | null;
  /** Null: whatever the page chooses. */
  reading: Reading | null;
  speed: number | null;
  /** First and last turn to play, as indices. */
  from: number | null;
  to: number | null;
}

/**
 * The start of a turn, or a token of it.
 * @param turn index of the turn
 * @param token position in the trajectory's token arrays; null: the start of the turn
 */
export const momentAtTurn = (turn: number, token: number | null): Moment => ({
  ...{ turn, token, action: null, reading: null, speed: null, from: null, to: null },
});

/** A whole number without a sign, or null. */
export const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Turns and actions count from 1 in addresses, tokens from 0; null below 1. */
const counted = (text: string | null): number | null => {
  const number = wholeNumber(text);
  return number === null || number < 1 ? null : number - 1;
};

/** Reads a moment. What is missing or makes no sense is null, or the first turn. */
export function readMoment(params: URLSearchParams): Moment {
  const speed = Number(params.get("speed") || Number.NaN);
  return {
    turn: counted(params.get("turn")) ?? counted(params.get("from")) ?? 0,
    token: wholeNumber(params.get("tok")),
    action: counted(params.get("act")),
    reading: READINGS.find((known) => known === params.get("read")) ?? null,
    speed: speed >= 0.25 && speed <= 4 ? speed : null,
    from: counted(params.get("from")),
    to: counted(params.get("to")),
  };
}

/** Whether an address names a moment; a link to one opens paused. */
export const namesMoment = (params: URLSearchParams): boolean =>
  ["turn", "tok", "act"].some((name) => params.has(name));

/** The parameters of a moment, in a fixed order and without those that are null. */
export function writeMoment(moment: Moment): URLSearchParams {
  const { turn, token, action, reading, speed, from, to } = moment;
  const params = new URLSearchParams();
  const put = (name: string, value: number | string | null) =>
    value !== null && params.set(name, String(value));
  put("turn", turn + 1);
  put("tok", token);
  put("act", action === null ? null : action + 1);
  put("read", reading);
  put("speed", speed);
  put("from", from === null ? null : from + 1);
  put("to", to === null ? null : to + 1);
  return params;
}
