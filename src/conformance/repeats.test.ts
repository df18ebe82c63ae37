import { describe, expect, it } from "vitest";
import { instabilityOf } from "./repeats.ts";

const runs = (...values: number[][]) => values.map((each) => ({ out: Float32Array.from(each) }));
const NONE = new Set<string>();

describe("runs on the same input", () => {
  it("are stable when all bits are equal, those of NaN included", () => {
    expect(instabilityOf(runs([1, Number.NaN], [1, Number.NaN], [1, Number.NaN]), NONE)).toBeNull();
    expect(instabilityOf(runs([1]), NONE)).toBeNull();
  });

  it("have the largest difference of any run and binding", () => {
    const [a, b, c] = [Float32Array.of(1, 2), Float32Array.of(1, 2.5), Float32Array.of(9, 2)];
    const outputs = [
      { dx: a, dy: a },
      { dx: a, dy: b },
      { dx: c, dy: a },
    ];
    expect(instabilityOf(outputs, NONE)).toEqual({
      binding: "dx",
      index: 0,
      first: 1,
      later: 9,
      difference: 8,
    });
    expect(instabilityOf(outputs.slice(0, 2), NONE)).toMatchObject({
      binding: "dy",
      index: 1,
      difference: 0.5,
    });
  });

  it("differ in a single bit, and in the sign of a zero", () => {
    expect(instabilityOf(runs([1], [1 + 2 ** -23]), NONE)?.difference).toBe(2 ** -23);
    expect(instabilityOf(runs([0], [-0]), NONE)).toMatchObject({ index: 0, difference: 0 });
  });

  it("differ most where a number is not finite", () => {
    expect(instabilityOf(runs([1, 1], [100, Number.NaN]), NONE)).toMatchObject({
      index: 1,
      difference: Number.POSITIVE_INFINITY,
    });
  });

  it("are compared as integers where a binding holds integers", () => {
    const ids = (...values: number[]) => ({ ids: new Float32Array(Uint32Array.from(values).buffer) });
    expect(instabilityOf([ids(7, 5), ids(7, 8)], new Set(["ids"]))).toEqual({
      ...{ binding: "ids", index: 1, first: 5, later: 8, difference: 3 },
    });
  });
});
