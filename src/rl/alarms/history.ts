// The metrics of a run as alarms read them: one row for each update of PPO.
import { mean } from "../../core/statistics.ts";

/** The numbers that one update logged. */
export interface MetricRow {
  readonly update: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Oldest first, each update once. */
export type History = readonly MetricRow[];

/** One finite value of a series. */
export interface Point {
  readonly update: number;
  readonly value: number;
}

/** What is read from the numbers of one update; undefined where it was not logged. */
export type Reading = (values: MetricRow["values"]) => number | undefined;

/** A metric by its name. */
export const metric =
  (key: string): Reading =>
  (values) =>
    values[key];

/** Share of the update's episodes that reached the goal, over all environments. */
export const success: Reading = (values) => {
  const rates = Object.keys(values)
    .filter((key) => key.startsWith("train/success/"))
    .map((key) => values[key]);
  return rates.length > 0 ? mean(rates) : undefined;
};

/** The finite values of a reading. Updates that did not log it, or not a number, are passed over. */
export function seriesOf(history: History, read: Reading): Point[] {
  return history.flatMap(({ update, values }) => {
    const value = read(values);
    return value !== undefined && Number.isFinite(value) ? [{ update, value }] : [];
  });
}

/** The mean of the newest n values; NaN when there are none. */
export const recentMean = (points: readonly Point[], n: number): number =>
  mean(points.slice(-n).map(({ value }) => value));

/** Whether there are n values and the newest n all pass. */
export function lastAll(points: readonly Point[], n: number, test: (value: number) => boolean): boolean {
  return points.length >= n && points.slice(-n).every(({ value }) => test(value));
}

/** The update from which on all values pass, to the newest; the newest one's when it does not pass itself. */
export function sinceWhen(points: readonly Point[], test: (value: number) => boolean): number {
  const lastWithout = points.findLastIndex(({ value }) => !test(value));
  return points[Math.min(lastWithout + 1, points.length - 1)].update;
}

/** The middle value; the upper one of two. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Values of points, without their updates. */
export const valuesOf = (points: readonly Point[]): number[] => points.map(({ value }) => value);
