import { describe, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { swigluBackwardRef, swigluForwardRef } from "./swiglu.ref.ts";
import { swigluBackward, swigluForward } from "./swiglu.ts";
import { expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

const SHAPES = [
  [1, 4],
  [63, 4],
  [13, 20],
  [65, 8],
] as const;
// One exponential and a few products: a few ulp of numbers up to 100.
const TOLERANCE = { rtol: 1e-5, atol: 1e-5 };

describe("swiglu", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(swigluForward);
    expectSpecAgrees(swigluBackward);
  });

  it.each(SHAPES)("equals its twins at %i × %i, saturated gates included", async (n, f) => {
    const inp = noise(n * 2 * f, 1, 2);
    // Far beyond where the exponential overflows in f32.
    inp[0] = -1000;
    inp[1] = 1000;
    const dout = noise(n * f, 2);
    const { out } = await runKernel(swigluForward, { inp, out: new Float32Array(n * f) }, { n, f });
    expectClose(out, swigluForwardRef(inp, n, f), TOLERANCE);
    const arrays = { inp, dout, dinp: noise(n * 2 * f, 3) };
    const { dinp } = await runKernel(swigluBackward, arrays, { n, f });
    expectClose(dinp, swigluBackwardRef(inp, dout, n, f), TOLERANCE);
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const inp = noise(3 * 16, 1);
    const dout = noise(3 * 8, 2);
    expectGradient((x) => swigluForwardRef(x, 3, 8), inp, dout, swigluBackwardRef(inp, dout, 3, 8));
  });
});
