import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { swigluBackwardRef, swigluForwardRef } from "./swiglu.ref.ts";
import { expectGradient } from "./test-gradients.ts";

describe("swiglu", () => {
  it("has a twin whose gradient is that of the forward pass", () => {
    const inp = noise(3 * 16, 1);
    const dout = noise(3 * 8, 2);
    expectGradient((x) => swigluForwardRef(x, 3, 8), inp, dout, swigluBackwardRef(inp, dout, 3, 8));
  });
});
