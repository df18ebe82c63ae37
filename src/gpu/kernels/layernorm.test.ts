import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { layernormBackwardRef, layernormBackwardWeightRef, layernormForwardRef } from "./layernorm.ref.ts";
import { expectGradient } from "./test-gradients.ts";

const EPS = 1e-5;

describe("layernorm", () => {
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
