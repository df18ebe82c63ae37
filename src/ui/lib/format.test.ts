import { describe, expect, it } from "vitest";
import {
  editNumber,
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatDurationRange,
  formatEarned,
  formatNumber,
  formatPercent,
  formatPercentRange,
  formatShare,
  formatSigned,
  numberBeside,
  parseNumber,
  unbroken,
} from "./format.ts";

describe("numbers as people read them", () => {
  it.each([
    [0, "0"],
    [0.62481, "0.625"],
    [0.5, "0.5"],
    [12.345, "12.3"],
    [1234.5, "1235"],
    [0.000123, "1.23e−4"],
    [-0.25, "−0.25"],
    [250000, "2.5e5"],
    [12000, "12 000"],
    [12345.6, "12 346"],
    [99999.7, "1e5"],
    [Number.NaN, "not finite"],
    [Number.POSITIVE_INFINITY, "not finite"],
  ])("%s is written %s", (value, text) => expect(formatNumber(value)).toBe(text));

  it("signs advantages, but not zero", () => {
    expect([formatSigned(0.5), formatSigned(-0.5), formatSigned(0)]).toEqual(["+0.5", "−0.5", "0"]);
  });
  it("says a shared unit of a range once", () => {
    expect(formatDurationRange(180_000, 240_000)).toBe("3–4 min");
    expect(formatDurationRange(50_000, 120_000)).toBe("50 s – 2 min");
    expect(formatDurationRange(3_600_000, 4_800_000)).toBe("1 h – 1 h 20 min");
    expect(formatDurationRange(181_000, 182_000)).toBe("3 min");
  });
  it("writes the seconds of an estimate whole, and at least one", () => {
    expect(formatDurationRange(918, 1000)).toBe("1 s");
    expect(formatDurationRange(0, 20)).toBe("1 s");
    expect(formatDurationRange(300, 2600)).toBe("1–3 s");
    expect(formatDurationRange(3200, 4100)).toBe("3–4 s");
    expect(formatDurationRange(Number.NaN, Number.NaN)).toBe("not finite");
  });
  it("writes shares, counts, bytes and durations in their own units", () => {
    expect(formatPercent(0.624)).toBe("62 %");
    expect([0.625, 1, Number.NaN].map(formatShare)).toEqual(["62.5 %", "100.0 %", "not finite"]);
    expect(formatPercentRange(0.449, 0.772)).toBe("45–77 %");
    expect(formatPercentRange(0.978, 0.9993)).toBe("97.8–99.9 %");
    expect(formatPercentRange(0.9962, 1)).toBe("99.6–100 %");
    expect(formatPercentRange(0, 0.037)).toBe("0–4 %");
    expect([0, 1, 0.994, 0.006, 1e-19, 1.2, -0.25].map(formatPercent)).toEqual([
      "0 %",
      "100 %",
      "99 %",
      "1 %",
      "0 %",
      "120 %",
      "−25 %",
    ]);
    expect([255 / 256, 1 / 256, 0.9999, 0.0001, 0.996, 0.0049].map(formatPercent)).toEqual([
      "99.6 %",
      "0.4 %",
      "> 99.9 %",
      "< 0.1 %",
      "99.6 %",
      "0.5 %",
    ]);
    expect(unbroken("(95 %: 65–76 %)")).toBe("(95\u00a0%:\u00a065\u2060–\u206076\u00a0%)");
    expect(formatCount(131072)).toBe("131 k");
    expect([999, 999.6, 999_499, 999_999, -999_999, 999_999_999].map(formatCount)).toEqual([
      "999",
      "1 k",
      "999 k",
      "1 M",
      "−1 M",
      "1 G",
    ]);
    expect(formatBytes(112 * 1024 * 1024)).toBe("112 MiB");
    expect([450, 4500, 45_000, 240_000, 4_800_000].map(formatDuration)).toEqual([
      "450 ms",
      "4.5 s",
      "45 s",
      "4 min",
      "1 h 20 min",
    ]);
    const ages = [9_000, 10_000, 59_000, 240_000, 3 * 86_400_000].map(formatAgo);
    expect(ages).toEqual(["just now", "10 s ago", "50 s ago", "4 min ago", "3 days ago"]);
  });
});

describe("numbers as people type them", () => {
  it.each([
    ["1e-5", 1e-5],
    ["0,25", 0.25],
    ["−3", -3],
    [" 12 ", 12],
    [".5", 0.5],
    ["0,125", 0.125],
    ["1024,125", 1024.125],
    ["10 000", 10_000],
    ["1\u00a0000\u202f000", 1_000_000],
    ["−12\u2009000,5", -12_000.5],
    ["1.23e−4", 1.23e-4],
  ])("%s is read", (text, value) => expect(parseNumber(text)).toBe(value));
  it.each(["", "abc", "1e", "1.2.3", "Infinity", "0x10"])("%s is refused", (text) =>
    expect(parseNumber(text)).toBeNaN(),
  );
  it.each(["1,000", "10,000", "−999,125", "1,000e3", "1,000,000", "1 0", "10 000 5", "1 0000"])(
    "%s is refused, because it may be another number than was meant",
    (text) => expect(parseNumber(text)).toBeNaN(),
  );
  it("reads back what the studio writes", () => {
    for (const value of [12_000, 99_999, -0.25, 1.23e-4, 2.5e5])
      expect(parseNumber(formatNumber(value))).toBe(value);
  });
  it("reads back what a field shows", () => {
    for (const value of [4e-4, 1e-8, 0.05, 1, 1e7, 4096, -0.2])
      expect(parseNumber(editNumber(value))).toBe(value);
  });
  it("shows whole numbers as whole numbers in a field", () => {
    expect([99999999999999, 0, -12345678, 1e25].map(editNumber)).toEqual([
      "99999999999999",
      "0",
      "-12345678",
      "1e+25",
    ]);
  });
});

it.each([
  [[4e-4, 0.003], "0.0004 0.003"],
  [[4e-4, 1e-5], "4e-4 1e-5"],
  [[5e-5, 0.003], "5e-5 3e-3"],
  [[5e-5, 1], "0.00005 1"],
  [[0, 4e-4], "0 4e-4"],
  [[0.5, 20], "0.5 20"],
])("writes %j in one notation", (numbers, expected) => {
  expect(numbers.map((value) => numberBeside(value, numbers)).join(" ")).toBe(expected);
});

it("writes rewards to a thousandth, so that a small part shows in its sum", () => {
  expect([1.3, 0.616, 0.004, 1.004, 6, -0.046, 0, 10].map(formatEarned)).toEqual([
    "+1.3",
    "+0.616",
    "+0.004",
    "+1.004",
    "+6",
    "−0.046",
    "0",
    "+10",
  ]);
  expect(formatEarned(0.00012)).toBe("+1.2e−4");
  expect(formatEarned(Number.NaN)).toBe("not finite");
});
