// From a full series to at most a few hundred drawable points, keeping every spike and every gap.

import type { Numbers } from "../store/series.ts";

/** What is drawn at one x: the last value of its bucket and the extremes that the bucket hides. */
interface Sample {
  x: number;
  /** Last finite value of the bucket; null is a gap. */
  last: number | null;
  min: number | null;
  max: number | null;
  /** The bucket holds a value that is not finite. */
  broken: boolean;
}

const MAX_BUCKETS = 150;

/** How many buckets a plot of this width in pixels has: one for two pixels. */
export const bucketsIn = (width: number): number =>
  Math.min(MAX_BUCKETS, Math.max(10, Math.floor(width / 2)));

/**
 * Split [from, to] into `buckets` and keep the last, the least and the greatest value of each. A bucket of one point is
 * that point. First and last points are always kept, because they are first and last of their buckets.
 */
export function decimate(
  xs: Float64Array,
  ys: Numbers,
  range: readonly [from: number, to: number],
  buckets: number,
): Sample[] {
  const [from, to] = range;
  const count = Math.max(1, Math.min(buckets, MAX_BUCKETS));
  const width = (to - from) / count || 1;
  const out: Sample[] = [];
  let current = -1;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    if (x < from || x > to) continue;
    const bucket = Math.min(count - 1, Math.floor((x - from) / width));
    const y = ys[i]!;
    if (bucket !== current || out.length === 0) {
      current = bucket;
      const finite = Number.isFinite(y) ? y : null;
      // The very first point keeps its own x; later buckets are placed at their last point.
      out.push({ x, last: finite, min: finite, max: finite, broken: finite === null });
      continue;
    }
    const sample = out[out.length - 1]!;
    sample.x = x;
    // A bucket that holds a non-finite value is a gap in the line, whatever else it holds.
    sample.broken ||= !Number.isFinite(y);
    sample.last = sample.broken ? null : y;
    if (!Number.isFinite(y)) continue;
    sample.min = sample.min === null ? y : Math.min(sample.min, y);
    sample.max = sample.max === null ? y : Math.max(sample.max, y);
  }
  return out;
}
