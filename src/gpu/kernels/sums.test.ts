// column_sum and sum_partials.
import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { columnSumRef } from "./column-sum.ref.ts";
import { sumPartialsRef } from "./sum-partials.ref.ts";
import { expectGradient } from "./test-gradients.ts";

/** (rows, columns) with one row in each row. */
const spreadOver = (row: ArrayLike<number>, rows: number) =>
  Float64Array.from({ length: rows * row.length }, (_, i) => row[i % row.length] as number);

describe("column sum", () => {
  it("has a twin that is the gradient of a row that was added to every row", () => {
    const [n, c] = [5, 4];
    const dout = noise(n * c, 1);
    expectGradient((bias) => spreadOver(bias, n), noise(c, 2), dout, columnSumRef(dout, n, c));
  });
});

describe("sum of partials", () => {
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
