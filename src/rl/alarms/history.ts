// The metrics of a run that alarms read: one row per update of a stage.
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

/** Reads a number from the metrics of one update; undefined if it was not logged. */
export type Reading = (values: MetricRow["values"]) => number | undefined;

/** A metric by its name. */
export const metric =
  (key: string): Reading =>
  (values) =>
    values[key];

/** The share of the update's episodes that succeeded, over all environments. */
export const success: Reading = (values) => {
  const rates = Object.keys(values)
    .filter((key) => key.startsWith("train/success/"))
    .map((key) => values[key]);
  return rates.length > 0 ? mean(rates) : undefined;
};

/** The finite values of a reading. Skips updates without one. */
export function seriesOf(history: History, read: Reading): Point[] {
  return history.flatMap(({ update, values }) => {
    const value = read(values);
    return value !== undefined && Number.isFinite(value) ? [{ update, value }] : [];
  });
}

/** The mean of the newest n values; NaN if there are none. */
export const recentMean = (points: readonly Point[], n: number): number =>
  mean(points.slice(-n).map(({ value }) => value));

/** Whether there are n values and the newest n all pass the test. */
export function lastAll(points: readonly Point[], n: number, test: (value: number) => boolean): boolean {
  return points.length >= n && points.slice(-n).every(({ value }) => test(value));
}

/** The first update since which all values pass the test; the newest update if its own value does not. */
export function sinceWhen(points: readonly Point[], test: (value: number) => boolean): number {
  const lastWithout = points.findLastIndex(({ value }) => !test(value));
  return points[Math.min(lastWithout + 1, points.length - 1)].update;
}

/** The median, the upper one of an even number of values; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The values of points. */
export const valuesOf = (points: readonly Point[]): number[] => points.map(({ value }) => value);
