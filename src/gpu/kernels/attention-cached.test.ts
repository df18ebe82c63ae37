import { describe, it } from "vitest";
import { expectClose, noise } from "../testing.ts";
import { attentionForwardRef } from "./attention.ref.ts";
import { attentionCachedRef } from "./attention-cached.ref.ts";
import { cacheWriteRef } from "./cache-write.ref.ts";

describe("attention over the cache", () => {
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
