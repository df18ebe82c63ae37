import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { attentionForwardRef } from "./attention.ref.ts";
import { attentionCachedRef } from "./attention-cached.ref.ts";
import { attentionCached } from "./attention-cached.ts";
import { cacheWriteRef } from "./cache-write.ref.ts";
import { cacheWrite } from "./cache-write.ts";
import { bothVariants, expectSpecAgrees } from "./test-specs.ts";

/** Positions around the 64 lanes and the chunks of 256 keys of the group variant; head sizes that leave lanes idle. */
const CASES = [
  { positions: [0], heads: 1, kvHeads: 1, headDim: 8, tMax: 4 },
  { positions: [62, 63, 64, 0], heads: 4, kvHeads: 2, headDim: 16, tMax: 66 },
  { positions: [254, 255, 256, 300], heads: 3, kvHeads: 1, headDim: 24, tMax: 301 },
  { positions: [7, 70], heads: 2, kvHeads: 2, headDim: 128, tMax: 80 },
];

function setUp({ positions, heads, kvHeads, headDim, tMax }: (typeof CASES)[number]) {
  const n = positions.length;
  const width = kvHeads * headDim;
  return {
    n,
    // Slots in another order than the tokens, and one more than is used.
    slot: Uint32Array.from({ length: n }, (_, i) => n - i),
    positions: Uint32Array.from(positions),
    qkv: noise(n * (heads * headDim + 2 * width), 1),
    cacheK: noise((n + 1) * tMax * width, 2),
    cacheV: noise((n + 1) * tMax * width, 3),
  };
}

describe("attention over the cache", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(cacheWrite);
    for (const spec of bothVariants(attentionCached)) expectSpecAgrees(spec);
  });

  it("runs without barriers on software adapters", () => {
    expect(attentionCached({ software: true }).code.join()).not.toContain("Barrier");
    expect(attentionCached({ software: false }).code.join()).toContain("Barrier");
  });

  it.each(CASES)("equals its twin at positions $positions, head size $headDim", async (shape) => {
    const { heads, kvHeads, headDim, tMax } = shape;
    const { n, slot, positions, qkv, cacheK, cacheV } = setUp(shape);
    const want = attentionCachedRef(qkv, slot, positions, cacheK, cacheV, n, heads, kvHeads, tMax, headDim);
    for (const spec of bothVariants(attentionCached)) {
      const { out } = await runKernel(
        spec,
        { qkv, slot, positions, cache_k: cacheK, cache_v: cacheV, out: new Float32Array(want.length) },
        { n, heads, kv_heads: kvHeads, t_max: tMax },
        { HEAD_VEC4: headDim / 4 },
      );
      // Scores of a few units, rounded before the exponential: 1e-6 relative, averaged over the keys.
      expectClose(out, want, { rtol: 1e-5, atol: 1e-5 });
    }
  });

  it.each(CASES)("writes exactly the rows it should at positions $positions", async (shape) => {
    const { heads, kvHeads, headDim, tMax } = shape;
    const { n, slot, positions, qkv, cacheK, cacheV } = setUp(shape);
    // One token has run off the end of its slot.
    if (n > 1) positions[n - 1] = tMax;
    const got = await runKernel(
      cacheWrite,
      { qkv, slot, positions, cache_k: cacheK, cache_v: cacheV },
      { n, heads, kv_heads: kvHeads, head_dim: headDim, t_max: tMax },
    );
    const want = cacheWriteRef(qkv, slot, positions, cacheK, cacheV, n, heads, kvHeads, headDim, tMax);
    // A copy: exact.
    expect(got.cache_k).toEqual(Float32Array.from(want.cacheK));
    expect(got.cache_v).toEqual(Float32Array.from(want.cacheV));
  });

  it("gives what packed causal attention gives over the same tokens", () => {
    const [n, heads, kvHeads, headDim] = [6, 2, 1, 8];
    const qkv = noise(n * (heads + 2 * kvHeads) * headDim, 1);
    const span = Array.from({ length: n }, (_, i) => [0, i + 1, i, n]).flat();
    const positions = Array.from({ length: n }, (_, i) => i);
    const slot = positions.map(() => 0);
    const empty = new Float64Array(n * kvHeads * headDim);
    const { cacheK, cacheV } = cacheWriteRef(
      qkv,
      slot,
      positions,
      empty,
      empty,
      n,
      heads,
      kvHeads,
      headDim,
      n,
    );
    expectClose(
      attentionCachedRef(qkv, slot, positions, cacheK, cacheV, n, heads, kvHeads, n, headDim),
      attentionForwardRef(qkv, span, n, heads, kvHeads, headDim).out,
      { rtol: 1e-12, atol: 1e-12 },
    );
  });
});
