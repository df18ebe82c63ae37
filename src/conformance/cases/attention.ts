// Cases of attention over packed sequences and over the cache.
import type { KernelSpec } from "../../gpu/kernel.ts";
import {
  attentionBackwardDeltaRef,
  attentionBackwardKeyValueRef,
  attentionBackwardQueryRef,
  attentionForwardRef,
} from "../../gpu/kernels/attention.ref.ts";
import {
  attentionBackwardDelta,
  attentionBackwardKeyValue,
  attentionBackwardQuery,
  attentionForward,
} from "../../gpu/kernels/attention.ts";
import { attentionCachedRef } from "../../gpu/kernels/attention-cached.ref.ts";
import { attentionCached } from "../../gpu/kernels/attention-cached.ts";
import { cacheWriteRef } from "../../gpu/kernels/cache-write.ref.ts";
import { cacheWrite } from "../../gpu/kernels/cache-write.ts";
import { both, casesOf, close, exact, type KernelCase, only, variant } from "../case.ts";
import { packedSpan } from "../inputs.ts";
import { noise } from "../numbers.ts";

interface PackedShape {
  readonly sequences: Parameters<typeof packedSpan>[0];
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Of the queries, keys and values. */
  readonly scale?: number;
}

/**
 * Sequences within one tile, across tiles and across workgroups; grouped heads; head sizes with tiles of 4 and of 2. Not 128, which
 * holds as well: a software adapter compiles its staged kernels for half a minute.
 */
const PACKED: readonly PackedShape[] = [
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
  // The head size of the small presets, over more than one tile of 64 queries and of 32 keys.
  {
    sequences: [
      [70, "causal"],
      [33, "full"],
      [1, "causal"],
    ],
    heads: 2,
    kvHeads: 2,
    headDim: 32,
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
];

/** The direct and the staged kernel for a head size. */
const variantsFor = <U extends string, B extends string>(
  choose: (caps: { software: boolean }, headDim: number) => KernelSpec<U, B, "HEAD_VEC4">,
  headDim: number,
) => [true, false].map((software) => variant(choose({ software }, headDim), { HEAD_VEC4: headDim / 4 }));

const titleOf = ({ sequences, heads, kvHeads, headDim, scale = 1 }: PackedShape) =>
  `${sequences.map(([n, kind]) => `${n} ${kind}`).join(", ")}; ${heads} heads over ${kvHeads} of size ${headDim}${scale > 1 ? ", scores of several hundred" : ""}`;

/** What the forward pass leaves for the backward pass, in f32. */
function packedInput({ sequences, heads, kvHeads, headDim, scale = 1 }: PackedShape) {
  const span = packedSpan(sequences);
  const n = span.length / 4;
  const qkv = noise(n * (heads + 2 * kvHeads) * headDim, 1, scale);
  const dout = noise(n * heads * headDim, 2);
  const forward = attentionForwardRef(qkv, span, n, heads, kvHeads, headDim);
  const [out, lse] = [Float32Array.from(forward.out), Float32Array.from(forward.lse)];
  const delta = Float32Array.from(attentionBackwardDeltaRef(dout, out, n, heads, headDim));
  return { n, span, qkv, dout, forward, out, lse, delta };
}

function forwardCases(shape: PackedShape, want: readonly [out: number, rtol: number, lse: number]) {
  const { heads, kvHeads, headDim } = shape;
  return casesOf(titleOf(shape), variantsFor(attentionForward, headDim), () => {
    const { n, span, qkv, forward } = packedInput(shape);
    return {
      uniforms: { n, heads, kv_heads: kvHeads },
      arrays: { qkv, span, out: new Float32Array(n * heads * headDim), lse: new Float32Array(n * heads) },
      want: { out: close(forward.out, want[1], want[0]), lse: close(forward.lse, 1e-5, want[2]) },
    };
  });
}

function backwardCases(shape: PackedShape): KernelCase[] {
  const { heads, kvHeads, headDim } = shape;
  const width = (heads + 2 * kvHeads) * headDim;
  const isQuery = (i: number) => i % width < heads * headDim;
  const gradient = (ref: typeof attentionBackwardQueryRef, owns: (i: number) => boolean) => () => {
    const { n, span, qkv, dout, lse, delta } = packedInput(shape);
    const dqkv = noise(n * width, 3);
    const own = ref(qkv, span, dout, lse, delta, n, heads, kvHeads, headDim);
    // What a kernel does not own must stay as it was.
    const want = own.map((x, i) => (owns(i) ? x : (dqkv[i] as number)));
    return {
      uniforms: { n, heads, kv_heads: kvHeads },
      arrays: { qkv, span, dout, lse, delta, dqkv },
      // Sums over up to 90 keys (or queries) of three heads, each term a difference of order 1.
      want: { dqkv: close(want, 1e-4, 5e-5) },
    };
  };
  return [
    ...casesOf(titleOf(shape), only(attentionBackwardDelta, { HEAD_VEC4: headDim / 4 }), () => {
      const { n, dout, out } = packedInput(shape);
      const want = attentionBackwardDeltaRef(dout, out, n, heads, headDim);
      return {
        uniforms: { n, heads },
        arrays: { dout, out, delta: new Float32Array(n * heads) },
        want: { delta: close(want, 1e-5, 1e-5) },
      };
    }),
    ...casesOf(
      titleOf(shape),
      variantsFor(attentionBackwardQuery, headDim),
      gradient(attentionBackwardQueryRef, isQuery),
    ),
    ...casesOf(
      titleOf(shape),
      variantsFor(attentionBackwardKeyValue, headDim),
      gradient(attentionBackwardKeyValueRef, (i) => !isQuery(i)),
    ),
  ];
}

/**
 * Positions around the 64 lanes and the chunks of 256 keys of the group variant; the head sizes of presets (16, 32, 64), and others that
 * leave lanes idle.
 */
const CACHED = [
  { positions: [0], heads: 1, kvHeads: 1, headDim: 8, tMax: 4 },
  { positions: [62, 63, 64, 0], heads: 4, kvHeads: 2, headDim: 16, tMax: 66 },
  { positions: [254, 255, 256, 300], heads: 3, kvHeads: 1, headDim: 24, tMax: 301 },
  { positions: [0, 63, 256], heads: 2, kvHeads: 2, headDim: 32, tMax: 258 },
  { positions: [15, 65], heads: 2, kvHeads: 2, headDim: 64, tMax: 66 },
  { positions: [7, 70], heads: 2, kvHeads: 2, headDim: 128, tMax: 80 },
];

function cachedInput({ positions, heads, kvHeads, headDim, tMax }: (typeof CACHED)[number]) {
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

function cachedCases(shape: (typeof CACHED)[number]): KernelCase[] {
  const { heads, kvHeads, headDim, tMax } = shape;
  const title = `positions ${shape.positions.join(", ")}; ${heads} heads over ${kvHeads} of size ${headDim}`;
  const sizes = { heads, kv_heads: kvHeads, t_max: tMax };
  return [
    ...casesOf(title, both(attentionCached, { HEAD_VEC4: headDim / 4 }), () => {
      const { n, slot, positions, qkv, cacheK, cacheV } = cachedInput(shape);
      const want = attentionCachedRef(qkv, slot, positions, cacheK, cacheV, n, heads, kvHeads, tMax, headDim);
      return {
        uniforms: { n, ...sizes },
        arrays: {
          qkv,
          slot,
          positions,
          cache_k: cacheK,
          cache_v: cacheV,
          out: new Float32Array(want.length),
        },
        // Scores of a few units, rounded before the exponential: 1e-6 relative, averaged over the keys.
        want: { out: close(want, 1e-5, 1e-5) },
      };
    }),
    ...casesOf(title, only(cacheWrite), () => {
      const { n, slot, positions, qkv, cacheK, cacheV } = cachedInput(shape);
      // One token has run off the end of its slot.
      if (n > 1) positions[n - 1] = tMax;
      const want = cacheWriteRef(qkv, slot, positions, cacheK, cacheV, n, heads, kvHeads, headDim, tMax);
      return {
        uniforms: { n, ...sizes, head_dim: headDim },
        arrays: { qkv, slot, positions, cache_k: cacheK, cache_v: cacheV },
        want: { cache_k: exact(want.cacheK), cache_v: exact(want.cacheV) },
      };
    }),
  ];
}

const EXTREME: PackedShape = { sequences: [[9, "causal"]], heads: 1, kvHeads: 1, headDim: 8, scale: 30 };

export const attentionCases: readonly KernelCase[] = [
  ...PACKED.flatMap((shape) => [
    // Scores of a few units, rounded before the exponential: 1e-6 relative, averaged over the keys.
    ...forwardCases(shape, [1e-5, 1e-5, 1e-5]),
    ...backwardCases(shape),
  ]),
  // A score of 1000 is rounded to 6e-5, which the exponential turns into a relative error.
  ...forwardCases(EXTREME, [2e-2, 2e-3, 1e-3]),
  ...CACHED.flatMap(cachedCases),
];
