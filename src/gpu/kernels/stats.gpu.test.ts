import { describe, expect, it } from "vitest";
import { maskedMoments, whiten } from "../../rl/advantage/whiten.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { sumStatsRef } from "./stats.ref.ts";
import { axisStats, MOMENTS, sumStats } from "./stats.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";
import { whitenApply } from "./whiten.ts";

describe("stats_sum", () => {
  it("has specs that agree with the shader", () => {
    for (const spec of bothVariants(sumStats)) expectSpecAgrees(spec);
  });

  it.each([
    [1, 8],
    [2, 4],
    [127, 8],
    [513, 4],
  ])("adds the column sums of %i rows and %i columns", async (r, COLS) => {
    const stats = noise(r * COLS, 1);
    const totals = noise(COLS, 2);
    for (const spec of bothVariants(sumStats)) {
      const got = await runKernel(spec, { stats, totals }, { r }, { COLS });
      expectClose(got.totals, sumStatsRef(stats, totals, r, COLS), { rtol: 1e-5, atol: 1e-5 });
      const again = await runKernel(spec, { stats, totals }, { r }, { COLS });
      expect(again.totals).toEqual(got.totals);
    }
  });
});

const listed = (x: ArrayLike<number>, mask: ArrayLike<number>) => {
  const { count, mean, variance, min, max, sum } = maskedMoments(x, mask);
  return [count, mean, variance, min, max, sum, 0, 0];
};

async function momentsOf(spec: typeof axisStats.serial, x: Float32Array, mask: Float32Array) {
  return (await runKernel(spec, { x, mask, moments: noise(8, 99) }, { n: x.length })).moments;
}

describe("stats_axis and whiten_apply", () => {
  it("have specs that agree with the shaders", () => {
    for (const spec of bothVariants(axisStats)) expectSpecAgrees(spec);
    expectSpecAgrees(whitenApply);
  });

  it.each([1, 2, 63, 65, 20_000])("equal their twins over %i tokens", async (n) => {
    const x = noise(n, 1, 3).map((value) => value + 2);
    const mask = Float32Array.from({ length: n }, (_, i) => ((i * 7) % 5 < 3 ? 1 : 0));
    for (const spec of bothVariants(axisStats)) {
      const moments = await momentsOf(spec, x, mask);
      expectClose(moments, listed(x, mask), { rtol: 2e-6, atol: 1e-6 });
      const white = await runKernel(whitenApply, { x, mask, moments }, { n });
      expectClose(white.x, whiten(x, mask), { rtol: 1e-5, atol: 1e-5 });
      expect(await momentsOf(spec, x, mask)).toEqual(moments);
    }
  });

  it("keep the variance of numbers that share a large mean", async () => {
    const x = noise(1000, 3, 0.01).map((value) => 1000 + value);
    const mask = new Float32Array(1000).fill(1);
    for (const spec of bothVariants(axisStats)) {
      const moments = await momentsOf(spec, x, mask);
      // E[x²] − E[x]² in f32 would have an error of about 0.1 here, a thousand times the variance.
      expectClose([moments[MOMENTS.variance] as number], [maskedMoments(x, mask).variance], { rtol: 1e-3 });
    }
  });

  it("are all zero for no token, and centre a single one", async () => {
    const x = noise(70, 1);
    const none = new Float32Array(70);
    const one = none.map((_, i) => (i === 33 ? 1 : 0));
    const value = x[33] as number;
    for (const spec of bothVariants(axisStats)) {
      const empty = await momentsOf(spec, x, none);
      expect(Array.from(empty)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
      const single = await momentsOf(spec, x, one);
      expect(Array.from(single)).toEqual([1, value, 0, value, value, value, 0, 0]);
      for (const [mask, moments] of [
        [none, empty],
        [one, single],
      ] as const) {
        const white = await runKernel(whitenApply, { x, mask, moments }, { n: 70 });
        expect(white.x.every((w) => w === 0)).toBe(true);
      }
    }
  });
});
