// Numbers, sizes, durations and lists in text, for the page, the terminal and messages.

/** A true minus sign, which lines up with digits; the hyphen does not. */
export const MINUS = "−";
export const withMinus = (text: string): string => text.replaceAll("-", MINUS);
export const NOT_A_NUMBER = "not finite";

/** Fixed decimals within a column, so that digits align. */
export function formatFixed(value: number, decimals = 4): string {
  return Number.isFinite(value) ? withMinus(value.toFixed(decimals)) : NOT_A_NUMBER;
}

/** A share with a decimal, where a whole percent would hide a difference: 0.625 → "62.5 %". */
export const formatShare = (share: number): string =>
  Number.isFinite(share) ? `${formatFixed(100 * share, 1)} %` : NOT_A_NUMBER;

/** Bytes as GPU limits are given: "12.5 MiB". */
export const formatMiB = (bytes: number, decimals = 1): string =>
  `${(bytes / 2 ** 20).toFixed(decimals)} MiB`;

/** Digits in groups of three from 10 000 on: "12 000". */
export function groupThousands(digits: string): string {
  return digits.length > 4 ? digits.replace(/\B(?=(\d{3})+(?!\d))/g, " ") : digits;
}

/** A whole number of at least 0 in groups of digits: 5200 → "5200", 12000 → "12 000". */
export const formatInteger = (value: number): string => groupThousands(String(value));

/** A count with its noun: "1 update", "2 updates". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatInteger(count)} ${count === 1 ? noun : plural}`;
}

/** A duration for people: "45 s", "4 min", "1 h 20 min". */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return NOT_A_NUMBER;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 90) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = `${Math.floor(minutes / 60)} h`;
  return minutes % 60 ? `${hours} ${minutes % 60} min` : hours;
}

/** An estimated duration, in whole seconds and at least one: an estimate is no better. */
export const formatEstimate = (ms: number): string =>
  formatDuration(Math.max(1, Math.round(ms / 1000)) * 1000);

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[], last = "and"): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
}
