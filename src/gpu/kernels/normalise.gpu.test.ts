import { describe, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { normExamples } from "../../rl/normalise.examples.ts";
import { type NormInput, type NormOptions, normalise } from "../../rl/normalise.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { NORM_LEVEL, normaliseAdvantages, trajectoryMoments, trajectorySpread } from "./normalise.ts";
import { expectSpecAgrees } from "./test-specs.ts";

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

const LEVELS = ["none", "batch", "group"] as const;
const everyOption = LEVELS.flatMap((mean) =>
  LEVELS.flatMap((std) => [false, true].map((leaveOneOut) => ({ mean, std, leaveOneOut }))),
);

describe("normalisation kernels", () => {
  it("have specs that agree with their shaders", () => {
    for (const spec of [trajectoryMoments, trajectorySpread, normaliseAdvantages])
      expectSpecAgrees(spec as unknown as typeof trajectoryMoments);
  });

  it("give the worked numbers", async () => {
    const ones = [1, 1, 1, 1];
    for (const { x, groups, options, wanted } of normExamples) {
      const got = await onGpu({ x, mask: ones, over: ones }, { starts: [0, 1, 2, 3, 4], groups }, options);
      expectClose(got, wanted, { rtol: 0, atol: 1e-4 });
    }
  });

  it.each([1, 15, 17])(
    "equal the function on %i trajectories, some of them empty, for every choice",
    async (s) => {
      const random = rng(s);
      const lengths = Array.from({ length: s }, () => random.int(12));
      const starts = [0];
      for (const length of lengths) starts.push((starts.at(-1) as number) + length);
      const groups = lengths.map(() => random.int(4));
      const n = starts.at(-1) as number;
      const mask = Array.from({ length: n }, () => random.int(3) && 1);
      const over = mask.map((m) => m && random.int(3) && 1);
      // Far from 0, where a one-pass variance would lose its digits.
      const x = Array.from({ length: n }, () => 100 + random.float());
      const perToken = lengths.flatMap((length, i) => Array<number>(length).fill(groups[i] as number));
      for (const options of everyOption) {
        const input: NormInput = { x: Float32Array.from(x), groups: perToken, mask, over };
        const got = await onGpu({ x, mask, over }, { starts, groups }, options);
        expectClose(got, normalise(input, options), { rtol: 1e-3, atol: 1e-3 });
      }
    },
  );
});
