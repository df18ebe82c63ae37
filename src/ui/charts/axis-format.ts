// How the ticks of an axis are written: in one notation, with just enough decimals to distinguish them.
import { countUnit, formatFixed, formatScientific } from "../lib/format.ts";
import type { XAxis } from "../store/view-options.ts";

type Format = (value: number) => string;

/** The notation of a value axis. */
export function axisFormat(ticks: readonly number[], log: boolean): Format {
  const sizes = ticks.map(Math.abs).filter((size) => size > 0);
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  if (largest < 1e-3 || largest >= 1e5 || smallest < 1e-4 || (log && smallest < 1e-3))
    return scientificBy(ticks);
  // On a logarithmic axis each tick has its own step: itself.
  return log ? (value) => formatFixed(value, decimalsFor(value)) : fixedBy(stepOf(ticks));
}

/** The notation of an axis of shares: percent, as exact as the distance between two ticks needs. */
export function percentFormat(ticks: readonly number[]): Format {
  const written = fixedBy(100 * stepOf(ticks));
  return (share) => `${written(100 * share)} %`;
}

/** The notation of the axis of updates, turns, tokens or minutes. */
export function xAxisFormat(axis: XAxis, ticks: readonly number[]): Format {
  const step = stepOf(ticks);
  if (axis === "update") return fixedBy(step);
  if (axis === "time") return timeBy(ticks, step);
  const [size, unit] = countUnit(Math.max(...ticks.map(Math.abs)));
  return (value) => (value === 0 ? "0" : `${fixedBy(step / size)(value / size)}${unit}`);
}

/** Minutes up to which an axis is in seconds, because tenths of minutes are hard to read. */
export const SHORT_MINUTES = 2;

function timeBy(ticks: readonly number[], step: number): Format {
  if (Math.max(...ticks) <= SHORT_MINUTES) return (minutes) => `${Math.round(minutes * 60)} s`;
  return (minutes) => (minutes === 0 ? "0 min" : `${fixedBy(step)(minutes)} min`);
}

/** Powers of ten with enough digits to distinguish the ticks. */
function scientificBy(ticks: readonly number[]): Format {
  const areDistinct = (digits: number) =>
    new Set(ticks.map((tick) => formatScientific(tick, digits))).size === ticks.length;
  const digits = [3, 4, 5, 6].find(areDistinct) ?? 7;
  return (value) => formatScientific(value, digits);
}

const stepOf = (ticks: readonly number[]): number => Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));

const fixedBy =
  (step: number): Format =>
  (value) =>
    formatFixed(value, decimalsFor(step));

/** The fewest decimals that write a number of few digits exactly. */
function decimalsFor(value: number): number {
  const isExact = (n: number) =>
    Math.abs(value * 10 ** n - Math.round(value * 10 ** n)) < 1e-6 * value * 10 ** n;
  return [0, 1, 2, 3, 4, 5].find((n) => value * 10 ** n > 0.5 && isExact(n)) ?? 5;
}
