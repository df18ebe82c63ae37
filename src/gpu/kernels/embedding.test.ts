import { describe, expect, it } from "vitest";
import { tokensWithPictures } from "../../conformance/inputs.ts";
import { noise } from "../testing.ts";
import { embeddingBackwardRef, embeddingForwardRef } from "./embedding.ref.ts";
import { sortTokensById } from "./embedding.ts";
import { expectGradient } from "./test-gradients.ts";

describe("embedding", () => {
  it("sorts text tokens by id, stably, and leaves image tokens out", () => {
    const { order, offsets } = sortTokensById([2, 0, 2, 1, 2], [-1, -1, 0, -1, -1], 4);
    expect([...offsets]).toEqual([0, 1, 2, 4, 4]);
    expect([...order.slice(0, 4)]).toEqual([1, 3, 0, 4]);
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const [n, v, c] = [9, 4, 4];
    const { ids, patchOfToken, patchCount } = tokensWithPictures(n, v);
    const patches = noise(patchCount * c, 2);
    const dout = noise(n * c, 3);
    const { order, offsets } = sortTokensById(ids, patchOfToken, v);
    expectGradient(
      (table) => embeddingForwardRef(ids, patchOfToken, table, patches, n, c),
      noise(v * c, 1),
      dout,
      embeddingBackwardRef(dout, order, offsets, v, c),
    );
  });
});
