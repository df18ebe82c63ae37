// How the page writes numbers, durations and sizes; core/format.ts has what the terminal writes in the same way.
import {
  formatDuration,
  formatEstimate,
  groupThousands,
  MINUS,
  NOT_A_NUMBER,
  withMinus,
} from "../../core/format.ts";

export { counted, formatDuration, formatFixed, formatShare } from "../../core/format.ts";

/** 3–4 significant digits; scientific outside 1e−3…1e5. */
export function formatNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return NOT_A_NUMBER;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e5) return formatScientific(value, digits);
  if (Number.isInteger(value)) return withMinus(groupThousands(String(value)));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  // Whole by now, so with the groups of a whole number.
  if (decimals === 0) return formatNumber(Number(value.toFixed(0)), digits);
  return withMinus(String(Number(value.toFixed(Math.min(decimals, 6)))));
}

/** With a sign always, for advantages and rewards; zero has none. */
export function formatSigned(value: number, digits = 3): string {
  return value > 0 ? `+${formatNumber(value, digits)}` : formatNumber(value, digits);
}

/** A reward to a thousandth, however large it is, so that what is added to a sum shows in it; a smaller one as `formatSigned`. */
export function formatEarned(value: number): string {
  const rounded = Number(value.toFixed(3));
  if (!Number.isFinite(value) || rounded === 0) return formatSigned(value);
  return `${rounded > 0 ? "+" : ""}${withMinus(String(rounded))}`;
}

/** What rounding leaves of an exact 0 or 1. */
const ROUNDING = 1e-9;
/** Neither none nor all. */
const isPart = (share: number): boolean => share > ROUNDING && share < 1 - ROUNDING;
/** A part that a whole percent would show as none or all. */
const isExtreme = (share: number): boolean => isPart(share) && (share < 0.005 || share >= 0.995);

/** A share as whole percent: 0.624 → "62 %". Only none is "0 %" and only all is "100 %": 255 of 256 are "99.6 %". */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return NOT_A_NUMBER;
  const percent = share * 100;
  if (!isExtreme(share)) return `${withMinus(String(Math.round(percent)))} %`;
  if (percent < 0.1) return "< 0.1 %";
  return percent > 99.9 ? "> 99.9 %" : `${Number(percent.toFixed(1))} %`;
}

/** Two shares as an interval: "45–77 %", and with a decimal where whole percents would show none or all of a part: "97.8–99.9 %". */
export function formatPercentRange(low: number, high: number): string {
  if (!Number.isFinite(low + high)) return NOT_A_NUMBER;
  const decimals = isExtreme(low) || isExtreme(high) ? 1 : 0;
  const end = (share: number) => {
    const percent = isExtreme(share) ? Math.min(Math.max(100 * share, 0.1), 99.9) : 100 * share;
    return withMinus(String(Number(percent.toFixed(decimals))));
  };
  return `${end(low)}–${end(high)} %`;
}

/** A text that no line breaks: its spaces are fixed, and its dashes joined to their neighbours. */
export const unbroken = (text: string): string =>
  text.replaceAll(" ", "\u00a0").replaceAll("–", "\u2060–\u2060");

const COUNT_UNITS = [
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
] as const;

/** The unit in which a count of this size is written, and its sign with a space before it. */
export const countUnit = (count: number): readonly [size: number, sign: string] =>
  COUNT_UNITS.find(([size]) => Math.abs(count) >= size) ?? [1, ""];

/** A count in few characters: 131 072 → "131 k". */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return NOT_A_NUMBER;
  // Rounded first: 999 999 is "1 M", not "1000 k".
  const rounded = Number(count.toPrecision(3));
  const [size, sign] = countUnit(rounded);
  return withMinus(`${Number((rounded / size).toPrecision(3))}${sign}`);
}

/** Bytes in binary steps, as GPU limits are given. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return NOT_A_NUMBER;
  const unit = Math.max(0, Math.min(4, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 1024 ** unit).toPrecision(3))} ${["B", "KiB", "MiB", "GiB", "TiB"][unit]}`;
}

/** In powers of ten, for axes on which one number needs them: "1e−3" beside "1e−4". */
export function formatScientific(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return NOT_A_NUMBER;
  if (value === 0) return "0";
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  return withMinus(`${Number(mantissa)}e${Number(exponent)}`);
}

/** The unit behind a 1: "updates" → "update". */
export const singular = (unit: string): string => unit.replace(/(?<=\w\w)s$/, "");

/** What a duration is estimated at: "1–3 s", "4–5 min", "50 s – 2 min". A unit that both ends share is written once. */
export function formatDurationRange(from: number, to: number): string {
  const [low, high] = [formatEstimate(from), formatEstimate(to)];
  if (low === high) return low;
  const [, number, unit] = /^(\S+) (\S+)$/.exec(low) ?? [];
  return number && high.split(" ").length === 2 && high.endsWith(` ${unit}`)
    ? `${number}–${high}`
    : `${low} – ${high}`;
}

/** How long ago, for a stored run: "just now", "20 s ago", "4 min ago", "2 days ago". Seconds are whole tens, as often as it is written again. */
export function formatAgo(ms: number): string {
  if (ms < 10_000) return "just now";
  if (ms < 60_000) return `${10 * Math.floor(ms / 10_000)} s ago`;
  if (ms < 48 * 3_600_000) return `${formatDuration(ms)} ago`;
  return `${Math.round(ms / 86_400_000)} days ago`;
}

/** "10 000", as the studio itself writes it, with a space of any kind; the rest of the number may follow. */
const GROUPED = /^[-+]?\d{1,3}(\s\d{3})+(?=[.,e]|$)/i;
/** "1,000" may be a thousand or one. Behind a zero a comma can only be the decimal one. */
const AMBIGUOUS_COMMA = /^[-+]?[1-9]\d{0,2},\d{3}(e[-+]?\d+)?$/i;

/**
 * What a user typed as a number; accepts 1e-5, a decimal comma, a true minus and spaces between thousands. NaN when it
 * is none, or when its comma may stand for thousands: either reading could be wrong by a factor of 1000.
 */
export function parseNumber(text: string): number {
  const plain = text.trim().replaceAll(MINUS, "-");
  const digits = plain.replace(GROUPED, (group) => group.replace(/\s/g, ""));
  if (AMBIGUOUS_COMMA.test(digits)) return Number.NaN;
  const number = digits.replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(number) ? Number(number) : Number.NaN;
}

/** A value as the text of a field: short, and exactly what `parseNumber` reads back. */
export function editNumber(value: number): string {
  // A seed is looked up and copied digit by digit.
  if (Number.isSafeInteger(value)) return String(value);
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e7 ? value.toExponential() : String(value);
}

/** From here on, a small number can be read with its zeros beside a larger one. */
const READABLE = 1e-4;
const LARGE = 0.1;

/** A number as a field shows it, in one notation with those beside it: 4e-4 beside 1e-5, but 0.0004 beside 0.003. */
export function numberBeside(value: number, others: readonly number[]): string {
  const sizes = [value, ...others].map(Math.abs).filter((size) => size > 0);
  const small = sizes.filter((size) => editNumber(size).includes("e"));
  if (value === 0 || small.length === 0 || small.length === sizes.length) return editNumber(value);
  const isDecimal = Math.min(...sizes) >= READABLE || Math.max(...sizes) >= LARGE;
  return isDecimal ? String(value) : value.toExponential();
}
