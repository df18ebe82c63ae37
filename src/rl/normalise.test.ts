import { describe, expect, it } from "vitest";
import golden from "./golden/areal-normalisation.json" with { type: "json" };
import { normExamples } from "./normalise.examples.ts";
import { NORM_EPS, type NormOptions, normalise } from "./normalise.ts";

describe("normalisation by levels", () => {
  it.each(normExamples)(
    "gives the worked numbers: mean $options.mean, std $options.std, leave one out $options.leaveOneOut",
    ({ x, groups, options, wanted }) => {
      const got = normalise({ x, groups }, options);
      for (const [i, value] of got.entries()) expect(value).toBeCloseTo(wanted[i]!, 4);
    },
  );

  it("treats a level of one element as deviation 1, and as mean 0 without itself", () => {
    const one = { x: [3], groups: [0] };
    expect(normalise(one, { mean: "group", std: "group", leaveOneOut: false })[0]).toBe(0);
    const without = normalise(one, { mean: "group", std: "group", leaveOneOut: true })[0];
    expect(without).toBeCloseTo(3 / (1 + NORM_EPS), 9);
  });

  it("takes moments inside `over`, changes what is inside the mask, and makes the rest 0", () => {
    const input = { x: [1, 3, 50, 7], groups: [0, 0, 0, 0], mask: [1, 1, 0, 1], over: [1, 1, 0, 0] };
    const got = normalise(input, { mean: "batch", std: "none", leaveOneOut: false });
    expect(Array.from(got)).toEqual([-1, 1, 0, 5]);
    const others = normalise(input, { mean: "batch", std: "none", leaveOneOut: true });
    expect(Array.from(others)).toEqual([-2, 2, 0, 5]);
  });

  it("is RLOO for equal weights: the reward less the mean of the others", () => {
    const got = normalise(
      { x: [1, 0, 0.5], groups: [4, 4, 4] },
      { mean: "group", std: "none", leaveOneOut: true },
    );
    expect(Array.from(got)).toEqual([0.75, -0.75, 0]);
  });
});

describe("AReaL's own numbers", () => {
  interface Batch {
    group_size: number;
    x: number[] | number[][];
    mask: number[] | number[][] | null;
    expected: Record<string, number[] | number[][]>;
  }
  const batches = golden.batches as Batch[];

  /** "group/batch leave one out" as options. */
  function optionsOf(mode: string): NormOptions {
    const [levels = "", ...rest] = mode.split(" ");
    const [mean, std] = levels.split("/") as [NormOptions["mean"], NormOptions["std"]];
    return { mean, std, leaveOneOut: rest.length > 0 };
  }

  it.each(Object.keys(batches[0]!.expected))("come out by %s", (mode) => {
    expect(batches).toHaveLength(20);
    for (const { group_size, x, mask, expected } of batches) {
      const width = Array.isArray(x[0]) ? x[0].length : 1;
      const groups = x.flatMap((_, row) => new Array<number>(width).fill(Math.floor(row / group_size)));
      const input = { x: x.flat(), groups, ...(mask && { mask: mask.flat() }) };
      const got = normalise(input, optionsOf(mode));
      const wanted = expected[mode]!.flat();
      expect(got).toHaveLength(wanted.length);
      for (const [i, value] of wanted.entries())
        expect(Math.abs(got[i]! - value)).toBeLessThanOrEqual(1e-6 * Math.abs(value) + 1e-12);
    }
  });

  it("are for all 18 pairs of levels, with and without leave one out", () => {
    expect(new Set(Object.keys(batches[0]!.expected)).size).toBe(18);
  });
});
