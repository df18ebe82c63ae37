import { describe, expect, it } from "vitest";
import { Series, SeriesTable } from "../store/series.ts";
import { bucketsIn, decimate } from "./decimate.ts";
import { smooth } from "./smoothing.ts";

const ramp = (n: number, f: (i: number) => number) => {
  const series = new Series();
  for (let i = 1; i <= n; i++) series.set(i, f(i));
  return series;
};

describe("Series", () => {
  it("grows past its first allocation", () => {
    const series = ramp(1000, (i) => i * 2);
    expect([series.length, series.at(1000)]).toEqual([1000, 2000]);
  });
  it("replaces a point at the same x", () => {
    const series = ramp(5, (i) => i);
    series.set(3, 30);
    expect([...series.ys]).toEqual([1, 2, 30, 4, 5]);
  });
  it("keeps order when a point arrives late", () => {
    const series = ramp(3, (i) => i);
    series.set(2.5, 9);
    expect([...series.xs]).toEqual([1, 2, 2.5, 3]);
    expect([...series.ys]).toEqual([1, 2, 9, 3]);
  });
  it("takes half the room for short numbers, and changes none that is longer", () => {
    const shares = ramp(300, (i) => (i % 4) / 4);
    expect(shares.ys).toBeInstanceOf(Float32Array);
    shares.set(301, Number.NaN);
    shares.set(302, 0.1);
    shares.set(5, 2 ** 40 + 1);
    expect([shares.at(3), shares.at(5), shares.at(301), shares.at(302)]).toEqual([
      0.75,
      2 ** 40 + 1,
      Number.NaN,
      0.1,
    ]);
    expect(shares.length).toBe(302);
  });
  it("answers with the nearest earlier value between points", () => {
    const series = ramp(3, (i) => i * 10);
    expect([series.at(0.5), series.at(2.9), series.at(99)]).toEqual([undefined, 20, 30]);
  });
});

describe("a table of series", () => {
  const logged = (updates: readonly number[], keys: readonly string[], table = new SeriesTable()) => {
    for (const x of updates) for (const key of keys) table.set(key, x, x * 10);
    return table;
  };
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
  const xsOf = (table: SeriesTable, key: string) => [...table.get(key)!.xs];

  it("holds little more than one number for each metric and update", () => {
    const keys = upTo(20).map(String);
    const table = logged(upTo(2000), keys);
    const columns = keys.flatMap((key) => [table.get(key)!.xs.buffer, table.get(key)!.ys.buffer]);
    const bytes = [...new Set(columns)].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes / (20 * 2000)).toBeLessThan(9);
  });
  it("lets a metric begin late, and one be left out", () => {
    const table = logged([1, 2, 3], ["a", "b"]);
    logged([4, 5], ["a", "b", "late"], table);
    logged([6], ["a", "late"], table);
    logged([7], ["a", "b", "late"], table);
    expect(xsOf(table, "a")).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(xsOf(table, "b")).toEqual([1, 2, 3, 4, 5, 7]);
    expect(xsOf(table, "late")).toEqual([4, 5, 6, 7]);
    expect([...table.get("b")!.ys]).toEqual([10, 20, 30, 40, 50, 70]);
    expect([table.get("b")!.exactlyAt(6), table.get("b")!.exactlyAt(7)]).toEqual([undefined, 70]);
  });
  it("goes back and on at the same updates or at others", () => {
    const table = logged(upTo(9), ["a", "b"]);
    table.truncate(5);
    logged([6, 7], ["a"], table);
    logged([8], ["a", "b"], table);
    expect(xsOf(table, "a")).toEqual(upTo(8));
    expect(xsOf(table, "b")).toEqual([1, 2, 3, 4, 5, 8]);
    table.set("a", 4.5, 45);
    expect([xsOf(table, "a"), xsOf(table, "b")]).toEqual([
      [1, 2, 3, 4, 4.5, 5, 6, 7, 8],
      [1, 2, 3, 4, 5, 8],
    ]);
  });
});

describe("smoothing", () => {
  it("is the bias-corrected average with weights by distance in x", () => {
    const xs = Float64Array.of(1, 2, 4, 5);
    const ys = Float64Array.of(1, 0, 2, 4);
    const f = 0.5;
    const want = xs.map((x, i) => {
      let [sum, weight] = [0, 0];
      for (let j = 0; j <= i; j++) {
        sum += f ** (x - xs[j]!) * ys[j]!;
        weight += f ** (x - xs[j]!);
      }
      return sum / weight;
    });
    smooth(xs, ys, f).forEach((value, i) => {
      expect(value).toBeCloseTo(want[i]!, 12);
    });
  });
  it("does not change earlier values when data is added, zoomed or resized (C2)", () => {
    const wave = (i: number) => Math.sin(i / 20) + (i % 7) / 7;
    const short = ramp(600, wave);
    const long = ramp(2000, wave);
    const before = smooth(short.xs, short.ys, 0.9)[499]!;
    const smoothed = smooth(long.xs, long.ys, 0.9);
    expect(smoothed[499]).toBe(before);
    // Zooming or resizing decimates after smoothing: the sample that ends at update 500 carries the same number.
    for (const [range, buckets] of [
      [[1, 500], 75],
      [[400, 500], 150],
    ] as const) {
      expect(decimate(long.xs, smoothed, range, buckets).at(-1)).toMatchObject({ x: 500, last: before });
    }
  });
  it("leaves constant and very short series unchanged (C3)", () => {
    const constant = ramp(500, () => 0.1);
    expect([...smooth(constant.xs, constant.ys, 0.97)]).toEqual([...constant.ys]);
    const two = ramp(2, (i) => i * i);
    expect([...smooth(two.xs, two.ys, 0.9)]).toEqual([1, 4]);
  });
  it("keeps a non-finite value as a gap and recovers after it", () => {
    const series = ramp(6, (i) => (i === 3 ? Number.NaN : 1));
    const out = smooth(series.xs, series.ys, 0.6);
    expect(out[2]).toBeNaN();
    expect([out[3], out[5]]).toEqual([1, 1]);
  });
});

describe("decimation", () => {
  it("draws at most 300 points for 10 000 updates and still shows the greatest spike (C1)", () => {
    const series = ramp(10_000, (i) => (i === 7_321 ? 99 : Math.sin(i / 50)));
    const samples = decimate(series.xs, series.ys, [1, 10_000], 1000);
    expect(samples.length).toBeLessThanOrEqual(bucketsIn(10_000));
    expect(Math.max(...samples.map((s) => s.max ?? 0))).toBe(99);
    expect(samples.at(-1)!.x).toBe(10_000);
  });
  it("is the identity when there are fewer points than buckets", () => {
    const series = ramp(10, (i) => i);
    expect(decimate(series.xs, series.ys, [1, 10], 150).map((s) => s.last)).toEqual([...series.ys]);
  });
  it("turns a bucket with a non-finite value into a gap", () => {
    const series = ramp(10, (i) => (i === 5 ? Number.POSITIVE_INFINITY : i));
    const broken = decimate(series.xs, series.ys, [1, 10], 150).filter((s) => s.broken);
    expect(broken).toEqual([{ x: 5, last: null, min: null, max: null, broken: true }]);
  });
});
