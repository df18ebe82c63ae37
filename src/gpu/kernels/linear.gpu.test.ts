import { describe, it } from "vitest";
import type { KernelSpec } from "../kernel.ts";
import { expectClose, noise, runKernel, together } from "../testing.ts";
import { columnSumRef } from "./column-sum.ref.ts";
import { linearBackwardInputRef, linearBackwardWeightRef, linearForwardRef } from "./linear.ref.ts";
import * as linear from "./linear.ts";
import { expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

const SHAPES = [
  [1, 4, 4],
  [7, 12, 8],
  [65, 32, 96],
  [130, 68, 132],
] as const;

type Tile = { ROWS?: number; COLS?: number };

/** Every register tile of the direct kernel, and the staged one, which has a fixed tile. */
function variants<D>(direct: D, staged: unknown, tiles: readonly Tile[]): { spec: D; tile: Tile }[] {
  return [...tiles.map((tile) => ({ spec: direct, tile })), { spec: staged as D, tile: {} }];
}

describe("linear kernels", () => {
  it("have specs that agree with their shaders", () => {
    for (const spec of Object.values(linear) as KernelSpec[]) expectSpecAgrees(spec);
  });

  it.each(SHAPES)(
    "forward equals its twin at %i × %i × %i in both variants and every epilogue",
    async (m, k, n) => {
      const inp = noise(m * k, 1);
      const weight = noise(k * n, 2);
      const bias = noise(n, 3);
      const residual = noise(m * n, 4);
      const arrays = { inp, weight, bias, residual, out: new Float32Array(m * n) };
      // Sums of k products of order-1 numbers: rounding grows with √k, about 1e-6 each.
      const tolerance = { rtol: 1e-5, atol: 1e-6 * Math.sqrt(k) * 4 };
      for (const [HAS_BIAS, HAS_RESIDUAL] of [
        [0, 0],
        [1, 1],
      ] as const) {
        const want = linearForwardRef(
          inp,
          weight,
          HAS_BIAS ? bias : null,
          HAS_RESIDUAL ? residual : null,
          m,
          k,
          n,
        );
        const tiles = variants(linear.linearForwardDirect, linear.linearForwardStaged, [
          { ROWS: 32, COLS: 4 },
          { ROWS: 32, COLS: 2 },
          { ROWS: 16, COLS: 2 },
          { ROWS: 8, COLS: 1 },
          { ROWS: 4, COLS: 2 },
          { ROWS: 1, COLS: 1 },
        ]);
        await together(tiles, async ({ spec, tile }) => {
          const { out } = await runKernel(spec, arrays, { m, k, n }, { ...tile, HAS_BIAS, HAS_RESIDUAL });
          expectClose(out, want, tolerance);
        });
      }
    },
  );

  it.each(SHAPES)("backward of the input equals its twin at %i × %i × %i", async (m, k, n) => {
    const dout = noise(m * n, 1);
    const weight = noise(k * n, 2);
    const before = noise(m * k, 3);
    const want = linearBackwardInputRef(dout, weight, m, k, n);
    const tolerance = { rtol: 1e-5, atol: 1e-6 * Math.sqrt(n) * 4 };
    const tiles = variants(linear.linearBackwardInputDirect, linear.linearBackwardInputStaged, [
      { ROWS: 32, COLS: 4 },
      { ROWS: 32, COLS: 2 },
      { ROWS: 16, COLS: 1 },
    ]);
    await together(tiles, async ({ spec, tile }) => {
      const arrays = { dout, weight, dinp: before };
      const plain = await runKernel(spec, arrays, { m, k, n }, tile);
      expectClose(plain.dinp, want, tolerance);
      const added = await runKernel(spec, arrays, { m, k, n }, { ...tile, ACCUMULATE: 1 });
      expectClose(
        added.dinp,
        want.map((x, i) => x + (before[i] as number)),
        tolerance,
      );
    });
  });

  it.each(SHAPES)("backward of the weight accumulates and splits at %i × %i × %i", async (m, k, n) => {
    const inp = noise(m * k, 1);
    const dout = noise(m * n, 2);
    const before = noise(k * n, 3);
    const want = linearBackwardWeightRef(inp, dout, m, k, n);
    const tolerance = { rtol: 1e-5, atol: 1e-6 * Math.sqrt(m) * 4 };
    const tiles = variants(linear.linearBackwardWeightDirect, linear.linearBackwardWeightStaged, [
      { ROWS: 4, COLS: 4 },
      { ROWS: 4, COLS: 2 },
      { ROWS: 8, COLS: 1 },
    ]);
    await together(tiles, async ({ spec, tile }) => {
      const added = await runKernel(spec, { inp, dout, dweight: before }, { m, k, n, splits: 1 }, tile);
      expectClose(
        added.dweight,
        want.map((x, i) => x + (before[i] as number)),
        tolerance,
      );
      const splits = 3;
      const parts = await runKernel(
        spec,
        { inp, dout, dweight: new Float32Array(splits * k * n) },
        { m, k, n, splits },
        { ...tile, ACCUMULATE: 0 },
      );
      const sum = want.map((_, i) =>
        [0, 1, 2].reduce((s, z) => s + (parts.dweight[z * k * n + i] as number), 0),
      );
      expectClose(sum, want, tolerance);
    });
  });

  it("have twins whose gradients are those of the forward pass", () => {
    const [m, k, n] = [3, 5, 4];
    const [inp, weight, bias] = [noise(m * k, 1), noise(k * n, 2), noise(n, 3)];
    const [residual, dout] = [noise(m * n, 4), noise(m * n, 5)];
    expectGradient(
      (x) => linearForwardRef(x, weight, bias, residual, m, k, n),
      inp,
      dout,
      linearBackwardInputRef(dout, weight, m, k, n),
    );
    expectGradient(
      (w) => linearForwardRef(inp, w, bias, residual, m, k, n),
      weight,
      dout,
      linearBackwardWeightRef(inp, dout, m, k, n),
    );
    // A bias is added to every row, so its gradient is the column sum.
    expectGradient(
      (b) => linearForwardRef(inp, weight, b, residual, m, k, n),
      bias,
      dout,
      columnSumRef(dout, m, n),
    );
  });
});
