// column_sum and sum_partials.
import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { columnSumRef } from "./column-sum.ref.ts";
import { columnSum } from "./column-sum.ts";
import { sumPartialsRef } from "./sum-partials.ref.ts";
import { sumPartials } from "./sum-partials.ts";
import { added, expectGradient } from "./test-gradients.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";

/** [rows, columns] around the 64 rows and 16 columns of a workgroup. */
const SHAPES = [
  [1, 4],
  [63, 12],
  [65, 16],
  [200, 36],
] as const;
// Sums of up to 200 numbers of order 1.
const TOLERANCE = { rtol: 1e-5, atol: 1e-5 };

/** (rows, columns) with one row in each row. */
const spreadOver = (row: ArrayLike<number>, rows: number) =>
  Float64Array.from({ length: rows * row.length }, (_, i) => row[i % row.length] as number);

describe("column sum", () => {
  it("has specs that agree with their shaders", () => {
    for (const spec of bothVariants(columnSum)) expectSpecAgrees(spec);
  });

  it("runs without barriers on software adapters", () => {
    expect(columnSum({ software: true })).toBe(columnSum.serial);
    expect(columnSum({ software: false })).toBe(columnSum.workgroup);
  });

  it.each(SHAPES)("equals its twin at %i × %i in both variants", async (n, c) => {
    const inp = noise(n * c, 1);
    const before = noise(c, 2);
    for (const spec of bothVariants(columnSum)) {
      const { out } = await runKernel(spec, { inp, out: before }, { n, c });
      expectClose(out, added(columnSumRef(inp, n, c), before), TOLERANCE);
    }
  });

  it("has a twin that is the gradient of a row that was added to every row", () => {
    const [n, c] = [5, 4];
    const dout = noise(n * c, 1);
    expectGradient((bias) => spreadOver(bias, n), noise(c, 2), dout, columnSumRef(dout, n, c));
  });
});

describe("sum of partials", () => {
  it("has a spec that agrees with its shader", () => {
    expectSpecAgrees(sumPartials);
  });

  it.each(SHAPES)("equals its twin for %i splits of %i", async (splits, length) => {
    const partials = noise(splits * length, 1);
    const before = noise(length, 2);
    const { out } = await runKernel(sumPartials, { partials, out: before }, { splits, length });
    expectClose(out, added(sumPartialsRef(partials, splits, length), before), TOLERANCE);
  });

  it("has a twin that is the gradient of what every split used", () => {
    const [splits, length] = [3, 6];
    const dout = noise(splits * length, 1);
    expectGradient(
      (shared) => spreadOver(shared, splits),
      noise(length, 2),
      dout,
      sumPartialsRef(dout, splits, length),
    );
  });
});
