import { describe, expect, it } from "vitest";
import { packedSpan } from "../../conformance/inputs.ts";
import { noise } from "../testing.ts";
import {
  attentionBackwardDeltaRef,
  attentionBackwardKeyValueRef,
  attentionBackwardQueryRef,
  attentionForwardRef,
} from "./attention.ref.ts";
import { attentionBackwardKeyValue, attentionBackwardQuery, attentionForward } from "./attention.ts";
import { expectGradient } from "./test-gradients.ts";

const length = (sequences: Parameters<typeof packedSpan>[0]) => sequences.reduce((sum, [n]) => sum + n, 0);

describe("attention", () => {
  it("bounds the registers of a tile", () => {
    for (const choose of [attentionForward, attentionBackwardQuery, attentionBackwardKeyValue]) {
      const tiles = [8, 32, 40, 64, 128].map((headDim) => {
        const { constants, grid } = choose({ software: true }, headDim);
        const [groups] = grid({ n: 641, heads: 2, kv_heads: 2 }, { HEAD_VEC4: headDim / 4 });
        return [(constants as Record<string, number>).TILE, groups];
      });
      expect(tiles).toEqual([
        [4, 6],
        [4, 6],
        [3, 7],
        [2, 11],
        [1, 21],
      ]);
    }
  });

  it("has twins whose gradients are those of the forward pass", () => {
    const [heads, kvHeads, headDim] = [2, 1, 4];
    const sequences = [
      [4, "causal"],
      [3, "full"],
    ] as const;
    const n = length(sequences);
    const span = packedSpan(sequences);
    const qkv = noise(n * (heads + 2 * kvHeads) * headDim, 1);
    const dout = noise(n * heads * headDim, 2);
    const { out, lse } = attentionForwardRef(qkv, span, n, heads, kvHeads, headDim);
    const delta = attentionBackwardDeltaRef(dout, out, n, heads, headDim);
    const dq = attentionBackwardQueryRef(qkv, span, dout, lse, delta, n, heads, kvHeads, headDim);
    const dkv = attentionBackwardKeyValueRef(qkv, span, dout, lse, delta, n, heads, kvHeads, headDim);
    expectGradient(
      (x) => attentionForwardRef(x, span, n, heads, kvHeads, headDim).out,
      qkv,
      dout,
      dq.map((x, i) => x + (dkv[i] as number)),
    );
  });
});
