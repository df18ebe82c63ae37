import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { rmsnormBackwardRef, rmsnormBackwardWeightRef, rmsnormForwardRef } from "./rmsnorm.ref.ts";
import { rmsnormBackward, rmsnormBackwardWeight, rmsnormForward } from "./rmsnorm.ts";
import { added, expectGradient } from "./test-gradients.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";

/** [rows, columns] around the workgroup sizes, of rows, of lanes per row and of columns per workgroup. */
const SHAPES = [
  [1, 4],
  [63, 12],
  [65, 256],
  [130, 260],
] as const;
const EPS = 1e-5;
// Sums of up to 260 products of order 1 in f32.
const TOLERANCE = { rtol: 2e-5, atol: 5e-6 };

describe("rmsnorm", () => {
  it("has specs that agree with their shaders", () => {
    for (const spec of bothVariants(rmsnormForward)) expectSpecAgrees(spec);
    for (const spec of bothVariants(rmsnormBackward)) expectSpecAgrees(spec);
    for (const spec of bothVariants(rmsnormBackwardWeight)) expectSpecAgrees(spec);
  });

  it("runs without barriers on software adapters", () => {
    const chosen = [rmsnormForward, rmsnormBackward, rmsnormBackwardWeight];
    for (const choose of chosen) expect(choose({ software: true }).code.join()).not.toContain("Barrier");
    for (const choose of chosen) expect(choose({ software: false }).code.join()).toContain("Barrier");
  });

  it.each(SHAPES)("equals its twins at %i × %i in both variants", async (n, c) => {
    const inp = noise(n * c, 1, 2);
    const weight = noise(c, 2);
    const dout = noise(n * c, 3);
    const before = noise(n * c, 4);
    const want = rmsnormForwardRef(inp, weight, n, c, EPS);
    const rstd = Float32Array.from(want.rstd);
    const dinp = rmsnormBackwardRef(inp, weight, rstd, dout, n, c);
    const dweight = rmsnormBackwardWeightRef(inp, rstd, dout, n, c);
    for (const spec of bothVariants(rmsnormForward)) {
      const arrays = { inp, weight, out: new Float32Array(n * c), rstd: new Float32Array(n) };
      const got = await runKernel(spec, arrays, { n, c, eps: EPS });
      expectClose(got.out, want.out, TOLERANCE);
      expectClose(got.rstd, want.rstd, TOLERANCE);
    }
    for (const spec of bothVariants(rmsnormBackward)) {
      const arrays = { inp, weight, rstd, dout, dinp: before };
      const sum = await runKernel(spec, arrays, { n, c });
      expectClose(sum.dinp, added(dinp, before), TOLERANCE);
      const plain = await runKernel(spec, arrays, { n, c }, { ACCUMULATE: 0 });
      expectClose(plain.dinp, dinp, TOLERANCE);
    }
    for (const spec of bothVariants(rmsnormBackwardWeight)) {
      const got = await runKernel(spec, { inp, rstd, dout, dweight: before.slice(0, c) }, { n, c });
      expectClose(got.dweight, added(dweight, before), { rtol: 2e-5, atol: 2e-5 });
    }
  });

  it("has twins whose gradients are those of the forward pass", () => {
    const [n, c] = [3, 8];
    const inp = noise(n * c, 1);
    const weight = noise(c, 2);
    const dout = noise(n * c, 3);
    const { rstd } = rmsnormForwardRef(inp, weight, n, c, EPS);
    expectGradient(
      (x) => rmsnormForwardRef(x, weight, n, c, EPS).out,
      inp,
      dout,
      rmsnormBackwardRef(inp, weight, rstd, dout, n, c),
    );
    expectGradient(
      (w) => rmsnormForwardRef(inp, w, n, c, EPS).out,
      weight,
      dout,
      rmsnormBackwardWeightRef(inp, rstd, dout, n, c),
    );
  });
});
