import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { rmsnormBackwardRef, rmsnormBackwardWeightRef, rmsnormForwardRef } from "./rmsnorm.ref.ts";
import { expectGradient } from "./test-gradients.ts";

const EPS = 1e-5;

describe("rmsnorm", () => {
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
