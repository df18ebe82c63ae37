import { expect, test } from "vitest";
import { speedOf } from "./case-report.ts";
import type { Result } from "./compare.ts";
import { benchText, comparison, kernelTable, tileTable } from "./report.ts";
import { peaksOf, type Roofline } from "./roofline.ts";

const result = (name: string, ms: number, waits: number): Result => ({
  ...{ name, notes: "", train: [ms], row: [], decode: [], losses: [], ids: [], firstStepMs: 0 },
  trainUsage: { submissions: 2, dispatches: 32, waits, bytes: 2 ** 20 },
  rowUsage: null,
  decodeUsage: { submissions: 0, dispatches: 0, waits: 0, bytes: 0 },
});

test("implementations have their dispatches, submissions and waits per unit of work", () => {
  const lines = comparison(
    { results: [result("ours", 4, 1), result("theirs", 8, 40)] },
    {
      title: "work",
      times: ({ train }) => train,
      usage: ({ trainUsage }) => trainUsage,
      tokens: 2,
      steps: 16,
    },
  ).split("\n");
  expect(lines.map((line) => line.split(/ {2,}/).slice(-4))).toEqual([
    ["dispatches", "submissions", "waits", "GPU memory"],
    ["2.00", "0.13", "0.06", "1.0 MiB"],
    ["2.00", "0.13", "2.50", "1.0 MiB"],
  ]);
});

/** A case whose peaks were probed twice. */
function textWith(...probes: [Roofline, Roofline]): string {
  const roofline = peaksOf(probes);
  const rowUsage = { submissions: 2, dispatches: 64, waits: 1, bytes: 2 ** 20 };
  const ours = { ...result("ours", 4, 1), row: [2, 3, 2], decode: [1], ids: [1, 2, 3], rowUsage };
  return benchText([
    {
      name: "d1",
      device: "a card",
      software: false,
      parameters: 10,
      tokens: 4,
      flops: 1e9,
      speed: { step: speedOf(1e9, ours.train, roofline), row: speedOf(1e9, ours.row, roofline) },
      results: [ours, result("theirs", 8, 40)],
      memory: {},
      roofline,
      latency: { dispatchUs: 7, readbackUs: 300 },
      tiles: [],
      trainKernels: [],
      decodeKernels: [],
    },
  ]);
}

test("a case has the speed of its steps, each waited for and in a row", () => {
  const text = textWith({ gflops: 1000, gbytes: 5 }, { gflops: 1000, gbytes: 5 });
  expect(text).toContain(
    "1.00 GFLOP at 250 GFLOP/s, 25 % of the peak; in a row: 500 GFLOP/s, 50 % of the peak.",
  );
  const row = text.slice(text.indexOf("training steps in a row")).split("\n\n")[0]!.split("\n");
  expect(row.slice(1).map((line) => line.split(/ {2,}/))).toEqual([
    ["ours", "2.00", "2.00–2.50", "3", "2000", "32.0", "1.00", "0.50", "1.0 MiB"],
  ]);
});

test.each([
  ["multiply-adds after", { gflops: 1000, gbytes: 5 }, { gflops: 600, gbytes: 5 }, 40],
  ["multiply-adds before", { gflops: 600, gbytes: 5 }, { gflops: 1000, gbytes: 5 }, 40],
  ["copies", { gflops: 1000, gbytes: 4.5 }, { gflops: 1000, gbytes: 5 }, 10],
])(
  "where the probe of %s reads low, the larger counts and a footnote says so",
  (_, first, second, percent) => {
    const text = textWith(first, second);
    expect(text).toContain("peak: 1000 GFLOP/s of multiply-adds, 5.00 GB/s of copies.");
    expect(text).toContain("250 GFLOP/s, 25 % of the peak");
    expect(text).toContain(
      `Shares of a peak are uncertain: its two probes differ by ${percent} %, and the larger one counts.`,
    );
  },
);

test("probes that differ by at most 5 % need no footnote", () => {
  expect(textWith({ gflops: 951, gbytes: 5 }, { gflops: 1000, gbytes: 4.8 })).not.toContain("uncertain");
});

test("the report ends with how presets are measured", () => {
  expect(benchText([])).toContain("npm run bench -- --presets 5");
});

test("every kernel that is not small has its shares, and the others are summed up", () => {
  const kernels = [
    { label: "linear", dispatches: 3, ms: 6, flops: 12e6, bytes: 3e6 },
    { label: "rope", dispatches: 2, ms: 3.85, flops: 0, bytes: 7.7e6 },
    { label: "tiny", dispatches: 1, ms: 0.09, flops: 0, bytes: 1 },
    { label: "smaller", dispatches: 4, ms: 0.06, flops: 0, bytes: 1 },
  ];
  const lines = kernelTable("kernels", kernels, { gflops: 10, gbytes: 5 }).split("\n");
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ["kernels", "dispatches", "ms", "share", "of FMA peak", "of copy peak"],
    ["linear", "3", "6.00", "60 %", "20 %", "10 %"],
    ["rope", "2", "3.85", "39 %", "40 %"],
    ["2 below 0.1 ms", "5", "0.15", "2 %"],
    ["together", "10", "10.0", "100 %"],
  ]);
});

test("where all are fast, as on a real GPU, none is left out", () => {
  const kernels = [1, 2, 3].map((i) => ({
    label: `k${i}`,
    dispatches: 1,
    ms: 0.02 * i,
    flops: 0,
    bytes: 1e3,
  }));
  const text = kernelTable("kernels", kernels, { gflops: 10, gbytes: 5 });
  for (const { label } of kernels) expect(text).toContain(label);
  expect(text).not.toContain("below");
});

test("the tiles that were measured have their times, and the clearly faster one is chosen", () => {
  const lines = tileTable([
    { tileClass: "forward small", stagedMs: 0.02, largeMs: 0.0193 },
    { tileClass: "forward large", stagedMs: 2.5, largeMs: 1.25 },
  ]).split("\n");
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ["tiles of matrix products", "64 × 64 ms", "128 × 64 ms", "chosen"],
    ["forward small", "0.020", "0.019", "64 × 64"],
    ["forward large", "2.500", "1.250", "128 × 64"],
  ]);
});
