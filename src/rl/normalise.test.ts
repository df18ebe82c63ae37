import { describe, expect, it } from "vitest";
import { normExamples } from "./normalise.examples.ts";
import { NORM_EPS, normalise } from "./normalise.ts";

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
