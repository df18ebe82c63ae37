import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { layernormBackwardRef, layernormBackwardWeightRef, layernormForwardRef } from "./layernorm.ref.ts";
import { layernormBackward, layernormBackwardWeight, layernormForward } from "./layernorm.ts";
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
// Sums of up to 260 products of order 1 in f32; rows have a mean of 3, whose rounding enters every element.
const TOLERANCE = { rtol: 2e-5, atol: 1e-5 };

describe("layernorm", () => {
  it("has specs that agree with their shaders", () => {
    for (const spec of bothVariants(layernormForward)) expectSpecAgrees(spec);
    for (const spec of bothVariants(layernormBackward)) expectSpecAgrees(spec);
    for (const spec of bothVariants(layernormBackwardWeight)) expectSpecAgrees(spec);
  });

  it("runs without barriers on software adapters", () => {
    const chosen = [layernormForward, layernormBackward, layernormBackwardWeight];
    for (const choose of chosen) expect(choose({ software: true }).code.join()).not.toContain("Barrier");
    for (const choose of chosen) expect(choose({ software: false }).code.join()).toContain("Barrier");
  });

  it.each(SHAPES)("equals its twins at %i × %i in both variants", async (n, c) => {
    const inp = noise(n * c, 1, 2).map((x) => x + 3);
    const weight = noise(c, 2);
    const bias = noise(c, 5);
    const dout = noise(n * c, 3);
    const before = noise(n * c, 4);
    const want = layernormForwardRef(inp, weight, bias, n, c, EPS);
    const mean = Float32Array.from(want.mean);
    const rstd = Float32Array.from(want.rstd);
    const dinp = layernormBackwardRef(inp, weight, mean, rstd, dout, n, c);
    const { dweight, dbias } = layernormBackwardWeightRef(inp, mean, rstd, dout, n, c);
    for (const spec of bothVariants(layernormForward)) {
      const empty = { out: new Float32Array(n * c), mean: new Float32Array(n), rstd: new Float32Array(n) };
      const got = await runKernel(spec, { inp, weight, bias, ...empty }, { n, c, eps: EPS });
      expectClose(got.out, want.out, TOLERANCE);
      expectClose(got.mean, want.mean, TOLERANCE);
      expectClose(got.rstd, want.rstd, TOLERANCE);
    }
    for (const spec of bothVariants(layernormBackward)) {
      const arrays = { inp, weight, mean, rstd, dout, dinp: before };
      const sum = await runKernel(spec, arrays, { n, c });
      expectClose(sum.dinp, added(dinp, before), TOLERANCE);
      const plain = await runKernel(spec, arrays, { n, c }, { ACCUMULATE: 0 });
      expectClose(plain.dinp, dinp, TOLERANCE);
    }
    for (const spec of bothVariants(layernormBackwardWeight)) {
      const held = { dweight: before.slice(0, c), dbias: before.slice(0, c) };
      const got = await runKernel(spec, { inp, mean, rstd, dout, ...held }, { n, c });
      expectClose(got.dweight, added(dweight, before), { rtol: 2e-5, atol: 2e-5 });
      expectClose(got.dbias, added(dbias, before), { rtol: 2e-5, atol: 2e-5 });
    }
  });

  it("has twins whose gradients are those of the forward pass", () => {
    const [n, c] = [3, 8];
    const inp = noise(n * c, 1);
    const weight = noise(c, 2);
    const bias = noise(c, 5);
    const dout = noise(n * c, 3);
    const { mean, rstd } = layernormForwardRef(inp, weight, bias, n, c, EPS);
    const gradients = layernormBackwardWeightRef(inp, mean, rstd, dout, n, c);
    expectGradient(
      (x) => layernormForwardRef(x, weight, bias, n, c, EPS).out,
      inp,
      dout,
      layernormBackwardRef(inp, weight, mean, rstd, dout, n, c),
    );
    expectGradient((w) => layernormForwardRef(inp, w, bias, n, c, EPS).out, weight, dout, gradients.dweight);
    expectGradient((b) => layernormForwardRef(inp, weight, b, n, c, EPS).out, bias, dout, gradients.dbias);
  });
});
