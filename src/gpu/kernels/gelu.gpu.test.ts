import { describe, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { geluBackwardRef, geluForwardRef } from "./gelu.ref.ts";
import { geluBackward, geluForward } from "./gelu.ts";
import { expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

const SHAPES = [
  [1, 4],
  [63, 4],
  [13, 20],
  [65, 8],
] as const;
// tanh is good to about 1e-6 on the adapters seen; where it nears ±1 its error is multiplied by x² in the gradient.
const TOLERANCE = { rtol: 1e-5, atol: 2e-5 };

describe("gelu", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(geluForward);
    expectSpecAgrees(geluBackward);
  });

  it.each(SHAPES)("equals its twins at %i × %i, saturated inputs included", async (n, c) => {
    const inp = noise(n * c, 1, 2);
    inp[0] = -100;
    inp[1] = 100;
    const dout = noise(n * c, 2);
    const { out } = await runKernel(geluForward, { inp, out: new Float32Array(n * c) }, { n, c });
    expectClose(out, geluForwardRef(inp, n, c), TOLERANCE);
    const { dinp } = await runKernel(geluBackward, { inp, dout, dinp: noise(n * c, 3) }, { n, c });
    expectClose(dinp, geluBackwardRef(inp, dout, n, c), TOLERANCE);
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const inp = noise(24, 1);
    const dout = noise(24, 2);
    expectGradient((x) => geluForwardRef(x, 3, 8), inp, dout, geluBackwardRef(inp, dout, 3, 8));
  });
});
