import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { columnSumRef } from "./column-sum.ref.ts";
import { linearBackwardInputRef, linearBackwardWeightRef, linearForwardRef } from "./linear.ref.ts";
import { expectGradient } from "./test-gradients.ts";

describe("linear kernels", () => {
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
