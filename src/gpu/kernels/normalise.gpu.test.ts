import { describe, it } from "vitest";
import { normExamples } from "../../rl/normalise.examples.ts";
import type { NormOptions } from "../../rl/normalise.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { NORM_LEVEL, normaliseAdvantages, trajectoryMoments, trajectorySpread } from "./normalise.ts";

/** The kernels over trajectories [starts[s], starts[s + 1]) with one group number each. */
async function onGpu(
  input: { x: ArrayLike<number>; mask: ArrayLike<number>; over: ArrayLike<number> },
  { starts, groups }: { starts: number[]; groups: number[] },
  { mean, std, leaveOneOut }: NormOptions,
) {
  const s = groups.length;
  const [x, mask, over] = [input.x, input.mask, input.over].map((array) => Float32Array.from(array));
  const bounds = Uint32Array.from(starts);
  const found = await runKernel(
    trajectoryMoments,
    { x: x!, mask: over!, starts: bounds, moments: noise(s * 4, 5) },
    { s },
  );
  const subtracted = { MEAN: NORM_LEVEL[mean], LEAVE_ONE_OUT: leaveOneOut ? 1 : 0 };
  const spread = await runKernel(
    trajectorySpread,
    { groups: Uint32Array.from(groups), moments: found.moments, spreads: noise(s, 6) },
    { s },
    subtracted,
  );
  const bound = {
    groups: Uint32Array.from(groups),
    starts: bounds,
    moments: found.moments,
    spreads: spread.spreads,
    mask: mask!,
    over: over!,
    x: x!,
  };
  return (await runKernel(normaliseAdvantages, bound, { s }, { ...subtracted, STD: NORM_LEVEL[std] })).x;
}

describe("normalisation kernels", () => {
  it("give the worked numbers", async () => {
    const ones = [1, 1, 1, 1];
    for (const { x, groups, options, wanted } of normExamples) {
      const got = await onGpu({ x, mask: ones, over: ones }, { starts: [0, 1, 2, 3, 4], groups }, options);
      expectClose(got, wanted, { rtol: 0, atol: 1e-4 });
    }
  });
});
