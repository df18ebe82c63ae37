import { describe, expect, it } from "vitest";
import { expectClose, noise, runKernel, together } from "../testing.ts";
import {
  attentionBackwardDeltaRef,
  attentionBackwardKeyValueRef,
  attentionBackwardQueryRef,
  attentionForwardRef,
} from "./attention.ref.ts";
import {
  attentionBackwardDelta,
  attentionBackwardKeyValue,
  attentionBackwardQuery,
  attentionForward,
} from "./attention.ts";
import { expectGradient } from "./test-gradients.ts";
import { expectSpecAgrees } from "./test-specs.ts";

type Sequence = readonly [length: number, kind: "causal" | "full"];

/** Spans of sequences packed one after another. */
function packedSpan(sequences: readonly Sequence[]): Uint32Array<ArrayBuffer> {
  const span: number[] = [];
  let begin = 0;
  for (const [length, kind] of sequences) {
    const end = begin + length;
    for (let i = begin; i < end; i++)
      span.push(begin, kind === "causal" ? i + 1 : end, kind === "causal" ? i : begin, end);
    begin = end;
  }
  return Uint32Array.from(span);
}

/**
 * Sequences within one tile, across tiles and across workgroups; grouped heads; head sizes with tiles of 4 and of 2. Not 128, which
 * holds as well: a software adapter compiles its staged kernels for half a minute.
 */
const CASES = [
  { sequences: [[1, "causal"]], heads: 1, kvHeads: 1, headDim: 8 },
  {
    sequences: [
      [63, "causal"],
      [2, "causal"],
      [6, "full"],
    ],
    heads: 4,
    kvHeads: 2,
    headDim: 8,
  },
  {
    sequences: [
      [1, "causal"],
      [1, "full"],
      [2, "full"],
      [3, "causal"],
      [1, "causal"],
      [5, "full"],
    ],
    heads: 2,
    kvHeads: 1,
    headDim: 8,
  },
  {
    sequences: [
      [5, "full"],
      [90, "causal"],
      [1, "causal"],
      [34, "full"],
    ],
    heads: 3,
    kvHeads: 1,
    headDim: 16,
  },
  {
    sequences: [
      [17, "causal"],
      [16, "full"],
    ],
    heads: 2,
    kvHeads: 2,
    headDim: 64,
  },
] as const satisfies readonly {
  sequences: readonly Sequence[];
  heads: number;
  kvHeads: number;
  headDim: number;
}[];

const length = (sequences: readonly Sequence[]) => sequences.reduce((sum, [n]) => sum + n, 0);

/** The direct and the staged kernel for a head size. */
const variants = <Spec>(choose: (caps: { software: boolean }, headDim: number) => Spec, headDim: number) => [
  choose({ software: true }, headDim),
  choose({ software: false }, headDim),
];

describe("attention", () => {
  it("has specs that agree with their shaders", () => {
    for (const spec of variants(attentionForward, 32)) expectSpecAgrees(spec);
    for (const spec of variants(attentionBackwardQuery, 32)) expectSpecAgrees(spec);
    for (const spec of variants(attentionBackwardKeyValue, 32)) expectSpecAgrees(spec);
    expectSpecAgrees(attentionBackwardDelta);
  });

  it("runs without barriers on software adapters", () => {
    for (const choose of [attentionForward, attentionBackwardQuery, attentionBackwardKeyValue]) {
      expect(choose({ software: true }).code.join()).not.toContain("Barrier");
      expect(choose({ software: false }).code.join()).toContain("Barrier");
    }
  });

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

  it.each(CASES)(
    "equals its twins for $heads heads over $kvHeads of size $headDim",
    async ({ sequences, heads, kvHeads, headDim }) => {
      const n = length(sequences);
      const span = packedSpan(sequences);
      const width = (heads + 2 * kvHeads) * headDim;
      const qkv = noise(n * width, 1);
      const dout = noise(n * heads * headDim, 2);
      const uniforms = { n, heads, kv_heads: kvHeads };
      const constants = { HEAD_VEC4: headDim / 4 };

      const want = attentionForwardRef(qkv, span, n, heads, kvHeads, headDim);
      await together(variants(attentionForward, headDim), async (spec) => {
        const empty = { out: new Float32Array(n * heads * headDim), lse: new Float32Array(n * heads) };
        const got = await runKernel(spec, { qkv, span, ...empty }, uniforms, constants);
        // Scores of a few units, rounded before the exponential: 1e-6 relative, averaged over the keys.
        expectClose(got.out, want.out, { rtol: 1e-5, atol: 1e-5 });
        expectClose(got.lse, want.lse, { rtol: 1e-5, atol: 1e-5 });
      });

      const out = Float32Array.from(want.out);
      const lse = Float32Array.from(want.lse);
      const { delta } = await runKernel(
        attentionBackwardDelta,
        { dout, out, delta: new Float32Array(n * heads) },
        { n, heads },
        constants,
      );
      expectClose(delta, attentionBackwardDeltaRef(dout, out, n, heads, headDim), {
        rtol: 1e-5,
        atol: 1e-5,
      });

      const kept = noise(n * width, 3);
      const arrays = { qkv, span, dout, lse, delta, dqkv: kept };
      const isQuery = (i: number) => i % width < heads * headDim;
      // What a kernel does not own must stay as it was.
      const merged = (gradient: Float64Array, own: (i: number) => boolean) =>
        gradient.map((x, i) => (own(i) ? x : (kept[i] as number)));
      // Gradients are sums over up to 90 keys (or queries) of three heads, each term a difference of order 1.
      const tolerance = { rtol: 1e-4, atol: 5e-5 };
      const dq = attentionBackwardQueryRef(qkv, span, dout, lse, delta, n, heads, kvHeads, headDim);
      await together(variants(attentionBackwardQuery, headDim), async (spec) => {
        const got = await runKernel(spec, arrays, uniforms, constants);
        expectClose(got.dqkv, merged(dq, isQuery), tolerance);
      });
      const dkv = attentionBackwardKeyValueRef(qkv, span, dout, lse, delta, n, heads, kvHeads, headDim);
      await together(variants(attentionBackwardKeyValue, headDim), async (spec) => {
        const got = await runKernel(spec, arrays, uniforms, constants);
        expectClose(
          got.dqkv,
          merged(dkv, (i) => !isQuery(i)),
          tolerance,
        );
      });
    },
  );

  it("stays finite and exact with scores of several hundred", async () => {
    const [n, headDim] = [9, 8];
    const qkv = noise(n * 3 * headDim, 1, 30);
    const span = packedSpan([[n, "causal"]]);
    const want = attentionForwardRef(qkv, span, n, 1, 1, headDim);
    for (const spec of variants(attentionForward, headDim)) {
      const empty = { out: new Float32Array(n * headDim), lse: new Float32Array(n) };
      const got = await runKernel(
        spec,
        { qkv, span, ...empty },
        { n, heads: 1, kv_heads: 1 },
        { HEAD_VEC4: 2 },
      );
      // A score of 1000 is rounded to 6e-5, which the exponential turns into a relative error.
      expectClose(got.out, want.out, { rtol: 2e-3, atol: 2e-2 });
      expectClose(got.lse, want.lse, { rtol: 1e-5, atol: 1e-3 });
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
