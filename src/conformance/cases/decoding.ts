// Cases of replies decoded in one dispatch: a small model over a cache that is half full.

import { decodeReplyRef } from "../../gpu/kernels/decode-reply.ref.ts";
import { decodeReply } from "../../gpu/kernels/decode-reply.ts";
import { ropeFrequencies } from "../../gpu/kernels/rope.ts";
import { casesOf, close, integers, type KernelCase, variant } from "../case.ts";
import { noise } from "../numbers.ts";

const THETA = 2000;
const NEVER = 0xffffffff;

interface Shape {
  b: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  ffn: number;
  vocab: number;
  tied: boolean;
  layers: number;
  /** Columns of the value head's inner layer; absent: the critic is none of the model's. */
  valueHidden?: number;
}

/** Sizes, and places of the tensors one after another, in vec4s. */
function modelOf({ heads, kvHeads, headDim, ffn, vocab, tied, layers, valueHidden = 0 }: Shape) {
  const width = (heads * headDim) / 4;
  const stride = Math.ceil(vocab / 16) * 16;
  const lengths = {
    norm1: width,
    qkv: width * (heads + 2 * kvHeads) * headDim,
    out: width * width * 4,
    norm2: width,
    gateUp: width * 2 * ffn,
    down: width * ffn,
  };
  const [QKV, OUT] = [lengths.norm1, lengths.norm1 + lengths.qkv];
  const NORM2 = OUT + lengths.out;
  const GATE_UP = NORM2 + lengths.norm2;
  const DOWN = GATE_UP + lengths.gateUp;
  const [EMBED, LAYER, LAYER_LENGTH] = [16, 16 + stride * width, DOWN + lengths.down];
  const NORM = LAYER + layers * LAYER_LENGTH;
  const HEAD = NORM + width;
  const VALUE_HIDDEN = HEAD + width * stride;
  const VALUE_HIDDEN_BIAS = VALUE_HIDDEN + width * valueHidden;
  const VALUE_OUT = VALUE_HIDDEN_BIAS + valueHidden / 4;
  return {
    ...{ LAYERS: layers, WIDTH_VEC4: width, HEADS: heads, KV_HEADS: kvHeads, HEAD_VEC4: headDim / 4 },
    ...{
      FFN_VEC4: ffn / 4,
      WIDE_VEC4: Math.max(width, ffn / 4),
      LOGITS_VEC4: stride / 4,
      TIED: tied ? 1 : 0,
    },
    ...{
      VALUE_VEC4: valueHidden / 4,
      VALUE_HIDDEN,
      VALUE_HIDDEN_BIAS,
      VALUE_OUT,
      VALUE_OUT_BIAS: VALUE_OUT + valueHidden,
    },
    ...{ EMBED, HEAD, NORM, LAYER, LAYER_LENGTH, QKV, OUT, NORM2, GATE_UP, DOWN },
  };
}

const SAMPLING = { seed: 77, temperature: 0.9, top_p: 0.95, top_k: 12 };

/** Sequences at positions `from`, `from` + 1, …; of several one has ended before, and one is about to reach its last token. */
function replies(title: string, shape: Shape, steps: number, eos: number, from = 3): KernelCase[] {
  const { b, kvHeads, headDim, layers, vocab } = shape;
  // Two sequences to a workgroup, and fewer lanes than columns.
  const constants = { ...modelOf(shape), SEQUENCES: 2, BLOCK: 4 };
  const [t_max, out_stride, max_tokens] = [from + b + steps, steps + 2, steps + 1];
  // One slot more than is used.
  const cache_layer = Math.ceil(((b + 1) * t_max * kvHeads * headDim) / 64) * 16;
  return casesOf(
    title,
    [variant(decodeReply.serial, constants), variant(decodeReply.workgroup, { ...constants, BLOCK: 16 })],
    () => {
      const rows = Array.from({ length: b }, (_, row) => row);
      const uniforms = {
        ...{ b, steps, t_max, cache_layer, eps: 1e-5, vocab, max_tokens, out_stride, eos },
        ...SAMPLING,
      };
      const length = constants.VALUE_OUT_BIAS + 1;
      const arrays = {
        params: noise(length * 4, 1, 0.7),
        slot: Uint32Array.from(rows, (row) => b - row),
        cache_k: noise(layers * cache_layer * 4, 2),
        cache_v: noise(layers * cache_layer * 4, 3),
        state: Uint32Array.from(
          rows.flatMap((row) => [from + row, row === 1 ? max_tokens - 1 : 0, row === 2 ? 1 : 0, 100 + row]),
        ),
        ids: Uint32Array.from(rows, (row) => (5 * row + 1) % vocab),
        drawn: new Float32Array(b * out_stride * 4),
      };
      const want = decodeReplyRef(arrays, constants, uniforms, THETA);
      return {
        uniforms,
        arrays: { ...arrays, frequencies: ropeFrequencies(THETA, headDim) },
        want: {
          ids: integers(want.ids),
          state: integers(want.state),
          // Several layers of f32 sums.
          drawn: close(want.drawn, 1e-4, 1e-4),
          cache_k: close(want.cache_k, 1e-4, 1e-4),
          cache_v: close(want.cache_v, 1e-4, 1e-4),
        },
      };
    },
  );
}

const small: Shape = {
  ...{ b: 5, heads: 2, kvHeads: 1, headDim: 8, ffn: 24, vocab: 19, tied: false, layers: 2 },
};

export const decodingCases: readonly KernelCase[] = [
  ...replies("5 sequences, grouped queries", small, 3, NEVER),
  ...replies("5 sequences with values", { ...small, valueHidden: 36 }, 3, NEVER),
  ...replies("5 sequences that end at a token", small, 6, 7),
  // The workgroup variant reads keys in chunks of 256.
  ...replies("2 sequences of 255 and 256 tokens", { ...small, b: 2 }, 3, NEVER, 255),
  ...replies(
    "1 sequence, tied head",
    { ...small, b: 1, kvHeads: 2, headDim: 16, tied: true, layers: 1 },
    2,
    NEVER,
  ),
];
