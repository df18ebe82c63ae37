import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel } from "../testing.ts";
import { embeddingBackwardRef, embeddingForwardRef } from "./embedding.ref.ts";
import { embeddingBackward, embeddingForward, sortTokensById } from "./embedding.ts";
import { added, expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

/** [tokens, vocabulary, columns] */
const SHAPES = [
  [1, 1, 4],
  [16, 5, 16],
  [67, 33, 20],
] as const;

/** Every fifth token shows a picture; the last id never occurs. */
function tokens(n: number, vocab: number) {
  const ids = Uint32Array.from({ length: n }, (_, i) => (i * 7919) % Math.max(1, vocab - 1));
  let next = 0;
  const patchOfToken = Int32Array.from({ length: n }, (_, i) => (i % 5 === 3 ? next++ : -1));
  return { ids, patchOfToken, patchCount: Math.max(1, next) };
}

describe("embedding", () => {
  it("has specs that agree with their shaders", () => {
    expectSpecAgrees(embeddingForward);
    expectSpecAgrees(embeddingBackward);
  });

  it("sorts text tokens by id, stably, and leaves image tokens out", () => {
    const { order, offsets } = sortTokensById([2, 0, 2, 1, 2], [-1, -1, 0, -1, -1], 4);
    expect([...offsets]).toEqual([0, 1, 2, 4, 4]);
    expect([...order.slice(0, 4)]).toEqual([1, 3, 0, 4]);
  });

  it.each(SHAPES)("equals its twins for %i tokens of a vocabulary of %i, %i columns", async (n, v, c) => {
    const { ids, patchOfToken, patchCount } = tokens(n, v);
    const table = noise(v * c, 1);
    const patches = noise(patchCount * c, 2);
    const { out } = await runKernel(
      embeddingForward,
      { ids, patch_of_token: patchOfToken, table, patches, out: new Float32Array(n * c) },
      { n, c },
    );
    // A copy: exact.
    expect([...out]).toEqual([...embeddingForwardRef(ids, patchOfToken, table, patches, n, c)]);

    const dout = noise(n * c, 3);
    const before = noise(v * c, 4);
    const { order, offsets } = sortTokensById(ids, patchOfToken, v);
    const { dtable } = await runKernel(embeddingBackward, { dout, order, offsets, dtable: before }, { v, c });
    const want = embeddingBackwardRef(dout, order, offsets, v, c);
    expectClose(dtable, added(want, before), { rtol: 1e-5, atol: 5e-6 });
  });

  it("has a twin whose gradient is that of the forward pass", () => {
    const [n, v, c] = [9, 4, 4];
    const { ids, patchOfToken, patchCount } = tokens(n, v);
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
