// Cases of the kernels between tokens and the model: embedding, rows by index, positions, sampling.
import { decodePositionsRef } from "../../gpu/kernels/decode-positions.ref.ts";
import { decodePositions } from "../../gpu/kernels/decode-positions.ts";
import { embeddingBackwardRef, embeddingForwardRef } from "../../gpu/kernels/embedding.ref.ts";
import { embeddingBackward, embeddingForward, sortTokensById } from "../../gpu/kernels/embedding.ts";
import { gatherRowsRef } from "../../gpu/kernels/gather-rows.ref.ts";
import { gatherRows } from "../../gpu/kernels/gather-rows.ts";
import { ropeRef } from "../../gpu/kernels/rope.ref.ts";
import { rope, ropeFrequencies } from "../../gpu/kernels/rope.ts";
import { sampleRef } from "../../gpu/kernels/sample.ref.ts";
import { sample } from "../../gpu/kernels/sample.ts";
import { added, ahead, both, casesOf, close, exact, integers, type KernelCase, only } from "../case.ts";
import { paddedLogits, tokensWithPictures } from "../inputs.ts";
import { noise } from "../numbers.ts";

function embedding(n: number, v: number, c: number): KernelCase[] {
  const title = `${n} tokens of a vocabulary of ${v}, ${c} columns`;
  const { ids, patchOfToken, patchCount } = tokensWithPictures(n, v);
  return [
    ...casesOf(title, only(embeddingForward), () => {
      const [table, patches] = [noise(v * c, 1), noise(patchCount * c, 2)];
      return {
        uniforms: { n, c },
        arrays: { ids, patch_of_token: patchOfToken, table, patches, out: new Float32Array(n * c) },
        want: { out: exact(embeddingForwardRef(ids, patchOfToken, table, patches, n, c)) },
      };
    }),
    ...casesOf(title, only(embeddingBackward), () => {
      const [dout, dtable] = [noise(n * c, 3), noise(v * c, 4)];
      const { order, offsets } = sortTokensById(ids, patchOfToken, v);
      const want = embeddingBackwardRef(dout, order, offsets, v, c);
      return {
        uniforms: { v, c },
        arrays: { dout, order, offsets, dtable },
        want: { dtable: close(added(want, dtable), 1e-5, 5e-6) },
      };
    }),
  ];
}

const gather = (n: number, r: number, c: number, ACCUMULATE: 0 | 1): KernelCase[] =>
  casesOf(
    `${r} of ${n} rows, ${c} columns${ACCUMULATE ? ", added" : ""}`,
    only(gatherRows, { ACCUMULATE }),
    () => {
      const [inp, out] = [noise(n * c, 1), noise(r * c, 2)];
      const index = Int32Array.from({ length: r }, (_, i) => (i % 4 === 2 ? -1 : (i * 7) % n));
      const want = gatherRowsRef(inp, index, r, c);
      return {
        uniforms: { r, c },
        arrays: { inp, index, out },
        want: { out: ACCUMULATE ? close(added(want, out)) : exact(want) },
      };
    },
  );

/** Up to position 4096. */
const rotation = (
  n: number,
  queries: number,
  keys: number,
  headDim: number,
  theta: number,
  direction: 1 | -1,
): KernelCase[] =>
  casesOf(`${n} tokens, heads of size ${headDim}, direction ${direction}`, ahead(rope), () => {
    const stride = (queries + 2 * keys) * headDim;
    const heads = queries + keys;
    const qkv = noise(n * stride, 1);
    const positions = Uint32Array.from({ length: n }, (_, i) => (i * 1237) % 4096);
    positions[n - 1] = 4096;
    return {
      uniforms: { n, heads, stride, head_dim: headDim, direction },
      arrays: { qkv, positions, frequencies: ropeFrequencies(theta, headDim) },
      // Phases are good to 2⁻³² turns per position: 3e-6 radians at 4096. What remains is f32 rounding of the rotation.
      want: { qkv: close(ropeRef(qkv, positions, n, heads, stride, headDim, theta, direction), 1e-6, 1e-5) },
    };
  });

const positionsOf = (b: number): KernelCase[] =>
  casesOf(`${b} sequences`, only(decodePositions), () => {
    const state = Uint32Array.from({ length: b * 4 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 0);
    return {
      uniforms: { b },
      arrays: { state, positions: new Uint32Array(b + 5).fill(7) },
      want: { positions: integers([...decodePositionsRef(state, b), 7, 7, 7, 7, 7]) },
    };
  });

const NEVER = 0xffffffff;
const FILTERS = {
  plain: { temperature: 1, top_p: 1, top_k: 0 },
  hot: { temperature: 1.7, top_p: 1, top_k: 0 },
  "top-k": { temperature: 1, top_p: 1, top_k: 5 },
  "top-p": { temperature: 0.7, top_p: 0.95, top_k: 0 },
  "top-k, then top-p": { temperature: 1, top_p: 0.8, top_k: 20 },
  "top-p 0": { temperature: 1, top_p: 0, top_k: 0 },
  greedy: { temperature: 0, top_p: 0.5, top_k: 3 },
};

/** Draws of fresh sequences at position 10 + row with rng keys 100 + row. */
const draws = (name: keyof typeof FILTERS, b: number, vocab: number, stride: number): KernelCase[] =>
  casesOf(`${name}: ${b} sequences, vocabulary ${vocab}`, both(sample), () => {
    const settings = { vocab, stride, seed: 1234, ...FILTERS[name] };
    const logits = paddedLogits(b, vocab, stride, 5);
    const rows = Array.from({ length: b }, (_, row) => row);
    const drawn = rows.map((row) => sampleRef(logits, row, 100 + row, 10 + row, settings));
    const ids = drawn.map(({ token }) => token);
    return {
      uniforms: { b, out_stride: 2, max_tokens: 2, eos: NEVER, ...settings },
      arrays: {
        logits,
        state: Uint32Array.from(rows.flatMap((row) => [10 + row, 0, 0, 100 + row])),
        ids: new Uint32Array(b),
        drawn: new Float32Array(b * 8),
      },
      want: {
        ids: integers(ids),
        drawn: close(
          drawn.flatMap(({ token, logprob, entropy }) => [token, logprob, entropy, 0, 0, 0, 0, 0]),
          1e-5,
          2e-6,
        ),
        state: integers(rows.flatMap((row) => [11 + row, 1, 0, 100 + row])),
      },
    };
  });

export const tokenCases: readonly KernelCase[] = [
  ...embedding(1, 1, 4),
  ...embedding(16, 5, 16),
  ...embedding(67, 33, 20),
  ...([0, 1] as const).flatMap((accumulate) => [
    ...gather(1, 1, 4, accumulate),
    ...gather(9, 63, 4, accumulate),
    ...gather(40, 13, 20, accumulate),
  ]),
  ...([1, -1] as const).flatMap((direction) => [
    ...rotation(1, 1, 1, 8, 10_000, direction),
    ...rotation(17, 3, 1, 32, 10_000, direction),
    ...rotation(33, 4, 2, 64, 100_000, direction),
  ]),
  ...[1, 63, 64, 65, 130].flatMap(positionsOf),
  ...(Object.keys(FILTERS) as (keyof typeof FILTERS)[]).flatMap((name) => [
    ...draws(name, 1, 5, 8),
    ...draws(name, 17, 131, 132),
    ...draws(name, 15, 300, 320),
  ]),
];
