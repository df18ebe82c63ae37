import { describe, expect, it } from "vitest";
import { maskedMoments } from "../../rl/advantage/whiten.ts";
import { expectClose, noise, runKernel } from "../testing.ts";
import { axisStats, MOMENTS } from "./stats.ts";
import { bothVariants } from "./test-specs.ts";
import { whitenApply } from "./whiten.ts";

async function momentsOf(spec: typeof axisStats.serial, x: Float32Array, mask: Float32Array) {
  return (await runKernel(spec, { x, mask, moments: noise(8, 99) }, { n: x.length })).moments;
}

describe("stats_axis and whiten_apply", () => {
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
