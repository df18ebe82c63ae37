import { describe, expect, it } from "vitest";
import { noise, runKernel } from "../testing.ts";
import { ropeRef } from "./rope.ref.ts";
import { rope, ropeFrequencies } from "./rope.ts";
import { expectGradient } from "./test-gradients.ts";

describe("rope", () => {
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
