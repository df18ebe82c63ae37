import { expect, test } from "vitest";
import { kernelTable, tileTable } from "./report.ts";

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
