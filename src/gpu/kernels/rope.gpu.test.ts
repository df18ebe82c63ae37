import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { ropeRef } from "./rope.ref.ts";
import { rope, ropeFrequencies } from "./rope.ts";
import { expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** [tokens, query heads, key heads, head size, theta] */
const SHAPES = [
  [1, 1, 1, 8, 10_000],
  [17, 3, 1, 32, 10_000],
  [33, 2, 2, 64, 100_000],
] as const;
// Phases are good to 2⁻³² turns per position: 3e-6 radians at 4096. What remains is f32 rounding of the rotation.
const TOLERANCE = { rtol: 1e-6, atol: 1e-5 };

describe("rope", () => {
  it("has a spec that agrees with its shader", () => {
    expectSpecAgrees(rope);
  });

  it.each(SHAPES)("equals its twin for %i tokens, up to position 4096", async (n, h, hkv, headDim, theta) => {
    const stride = (h + 2 * hkv) * headDim;
    const heads = h + hkv;
    const qkv = noise(n * stride, 1);
    const positions = Uint32Array.from({ length: n }, (_, i) => (i * 1237) % 4096);
    positions[n - 1] = 4096;
    const frequencies = ropeFrequencies(theta, headDim);
    for (const direction of [1, -1]) {
      const got = await runKernel(
        rope,
        { qkv, positions, frequencies },
        { n, heads, stride, head_dim: headDim, direction },
      );
      const want = ropeRef(qkv, positions, n, heads, stride, headDim, theta, direction);
      expectClose(got.qkv, want, TOLERANCE);
    }
  });

  it("leaves the values alone", async () => {
    const [n, heads, stride, headDim] = [2, 2, 24, 8];
    const qkv = noise(n * stride, 1);
    const positions = Uint32Array.of(5, 9);
    const frequencies = ropeFrequencies(10_000, headDim);
    const got = await runKernel(
      rope,
      { qkv, positions, frequencies },
      { n, heads, stride, head_dim: headDim, direction: 1 },
    );
    for (let token = 0; token < n; token++) {
      const values = (x: Float32Array) => [...x.slice(token * stride + 16, (token + 1) * stride)];
      expect(values(got.qkv)).toEqual(values(qkv));
    }
  });

  it("has a twin whose gradient is the rotation back", () => {
    const [n, heads, stride, headDim, theta] = [3, 2, 24, 8, 10_000];
    const positions = [0, 1, 17];
    const qkv = noise(n * stride, 1);
    const dout = noise(n * stride, 2);
    expectGradient(
      (x) => ropeRef(x, positions, n, heads, stride, headDim, theta, 1),
      qkv,
      dout,
      ropeRef(dout, positions, n, heads, stride, headDim, theta, -1),
    );
  });
});
