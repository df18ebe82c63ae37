import { describe, it } from "vitest";
import { noise } from "../testing.ts";
import { geluBackwardRef, geluForwardRef } from "./gelu.ref.ts";
import { expectGradient } from "./test-gradients.ts";

describe("gelu", () => {
  it("has a twin whose gradient is that of the forward pass", () => {
    const inp = noise(24, 1);
    const dout = noise(24, 2);
    expectGradient((x) => geluForwardRef(x, 3, 8), inp, dout, geluBackwardRef(inp, dout, 3, 8));
  });
});
