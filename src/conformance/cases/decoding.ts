// Cases of replies decoded in one dispatch: small models over a cache that is half full, and models of the sizes that real GPUs
// or software adapters decode this way, with the constants that `policy/wgsl/fused-decoding.ts` gives them there.

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
  /** Scale of the parameters; absent: 0.7. */
  scale?: number;
}

/** Vocabulary as the model pads it. */
const strideOf = ({ vocab }: Shape): number => Math.ceil(vocab / 16) * 16;

/** Columns of the model, in vec4s. */
const widthOf = ({ heads, headDim }: Shape): number => (heads * headDim) / 4;

/** Sizes, and places of the tensors in a layer, in vec4s. */
function constantsOf(shape: Shape) {
  const { heads, kvHeads, headDim, ffn, tied, layers, valueHidden = 0 } = shape;
  const width = widthOf(shape);
  const { length: LAYER_LENGTH, ...places } = layerPlacesOf(shape);
  return {
    LAYERS: layers,
    WIDTH_VEC4: width,
    HEADS: heads,
    KV_HEADS: kvHeads,
    HEAD_VEC4: headDim / 4,
    FFN_VEC4: ffn / 4,
    WIDE_VEC4: Math.max(width, ffn / 4),
    // More than the vocabulary has, as in most models.
    LOGITS_ROOM_VEC4: Math.ceil(strideOf(shape) / 64) * 16,
    TIED: tied ? 1 : 0,
    VALUE_VEC4: valueHidden / 4,
    LAYER_LENGTH,
    ...places,
  };
}

/** The first places hold nothing that is read. */
const EMBED = 16;

/** Columns of the head, and where the tensors of the model begin, one after another, in vec4s. */
function placesOf(shape: Shape) {
  const { layers, valueHidden = 0 } = shape;
  const [width, stride] = [widthOf(shape), strideOf(shape)];
  const layer = EMBED + stride * width;
  const norm = layer + layers * layerPlacesOf(shape).length;
  const head = norm + width;
  const value_hidden = head + width * stride;
  const value_hidden_bias = value_hidden + width * valueHidden;
  const value_out = value_hidden_bias + valueHidden / 4;
  const value_out_bias = value_out + valueHidden;
  return {
    ...{ logits_vec4: stride / 4, embed: EMBED, layer, norm, head },
    ...{ value_hidden, value_hidden_bias, value_out, value_out_bias },
  };
}

/** Where the tensors of a layer begin in it, and its length. */
function layerPlacesOf(shape: Shape) {
  const { heads, kvHeads, headDim, ffn } = shape;
  const width = widthOf(shape);
  const QKV = width;
  const OUT = QKV + width * (heads + 2 * kvHeads) * headDim;
  const NORM2 = OUT + width * width * 4;
  const GATE_UP = NORM2 + width;
  const DOWN = GATE_UP + width * 2 * ffn;
  return { QKV, OUT, NORM2, GATE_UP, DOWN, length: DOWN + width * ffn };
}

type Constants = ReturnType<typeof constantsOf>;

const SAMPLING = { seed: 77, temperature: 0.9, top_p: 0.95, top_k: 12 };

/** The variants of small models: two sequences to a workgroup, with fewer lanes than columns or several to each column. */
const smallVariants = (constants: Constants) => [
  variant(decodeReply.serial, { ...constants, SEQUENCES: 2, BLOCK: 4 }),
  variant(decodeReply.workgroup, { ...constants, SEQUENCES: 2, BLOCK: 16 }),
  variant(decodeReply.workgroup, { ...constants, SEQUENCES: 2, BLOCK: 32, ...split(constants, 3, 2) }),
];

/** Several lanes for each column of the residual stream. */
const split = ({ WIDTH_VEC4 }: Constants, SPLIT: number, sequences: number) => ({
  SPLIT,
  SPLIT_PAIRS: (SPLIT * WIDTH_VEC4 * sequences) / 2,
});

/** As on real GPUs: a sequence to a workgroup, which has more lanes than a subgroup, so that a missing barrier can show there. */
const hardwareVariant = (constants: Constants) => [
  variant(decodeReply.workgroup, {
    ...constants,
    SEQUENCES: 1,
    BLOCK: 128,
    ...split(constants, Math.floor(256 / constants.WIDTH_VEC4), 1),
  }),
];

/** As on software adapters: so many sequences to a workgroup of 8 lanes. */
const softwareVariant = (SEQUENCES: number) => (constants: Constants) => [
  variant(decodeReply.serial, { ...constants, SEQUENCES, BLOCK: 8 }),
];

/** Sequences at positions `from`, `from` + 1, …; of several one has ended before, and one is about to reach its last token. */
function replies(
  title: string,
  shape: Shape,
  steps: number,
  eos: number,
  from = 3,
  variantsOf = smallVariants,
): KernelCase[] {
  const { b, kvHeads, headDim, layers, vocab, scale = 0.7 } = shape;
  const [constants, places] = [constantsOf(shape), placesOf(shape)];
  const variants = variantsOf(constants);
  const [t_max, out_stride, max_tokens] = [from + b + steps, steps + 2, steps + 1];
  // One slot more than is used.
  const cache_layer = Math.ceil(((b + 1) * t_max * kvHeads * headDim) / 64) * 16;
  return casesOf(title, variants, () => {
    const rows = Array.from({ length: b }, (_, row) => row);
    const uniforms = {
      ...{ b, steps, t_max, cache_layer, eps: 1e-5, vocab, max_tokens, out_stride, eos },
      ...SAMPLING,
      ...places,
    };
    const arrays = {
      params: noise((places.value_out_bias + 1) * 4, 1, scale),
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
  });
}

/** One model for most cases, because each further one is another kernel, which software adapters compile for seconds. */
const small: Shape = {
  b: 5,
  heads: 2,
  kvHeads: 1,
  headDim: 8,
  ffn: 24,
  vocab: 19,
  tied: false,
  layers: 2,
  valueHidden: 36,
};

const NANO = { heads: 2, kvHeads: 2, headDim: 16, ffn: 80, valueHidden: 32, scale: 0.4 };
const NANO_NARROW = { ...NANO, heads: 4, kvHeads: 4, headDim: 8 };
const SMALL = { heads: 2, kvHeads: 2, headDim: 32, ffn: 176, valueHidden: 64, scale: 0.3 };
const NARROW = { ...SMALL, heads: 4, kvHeads: 4, headDim: 16 };
const WIDEST = { heads: 4, kvHeads: 4, headDim: 32, ffn: 512, valueHidden: 64, scale: 0.2 };

/**
 * Models of the presets whose replies real GPUs decode in one dispatch, and the widest model that they decode so, with their first
 * position: sequences come to have more keys than lanes (128), or than a chunk (256). A lane has one column of the vocabulary or
 * several. `run/preset-kernels.test.ts` fails when a preset has a model that is missing here.
 */
const HARDWARE: readonly [title: string, from: number, shape: Omit<Shape, "b" | "tied" | "layers">][] = [
  ["nano", 126, { ...NANO, vocab: 120 }],
  ["nano, large vocabulary", 254, { ...NANO, vocab: 210 }],
  ["nano, narrow heads", 254, { ...NANO_NARROW, vocab: 700 }],
  ["small", 254, { ...SMALL, vocab: 120 }],
  ["small, large vocabulary", 126, { ...SMALL, vocab: 700 }],
  ["small, narrow heads", 254, { ...NARROW, vocab: 700 }],
  ["small, separate critic", 126, { ...SMALL, valueHidden: 0, vocab: 120 }],
  ["width 128", 126, { ...WIDEST, vocab: 120 }],
];

/**
 * The same for software adapters, with the sequences that share a workgroup: as many as fit into 16 or 32 KiB of workgroup memory.
 * A last workgroup has one sequence.
 */
const SOFTWARE: readonly [title: string, sequences: number, shape: Omit<Shape, "b" | "tied" | "layers">][] = [
  ["nano", 8, { ...NANO, vocab: 120 }],
  ["nano, narrow heads", 4, { ...NANO_NARROW, vocab: 700 }],
  ["nano, narrow heads", 8, { ...NANO_NARROW, vocab: 700 }],
  ["small", 4, { ...SMALL, vocab: 700 }],
  ["small", 8, { ...SMALL, vocab: 120 }],
  ["small, separate critic", 8, { ...SMALL, valueHidden: 0, vocab: 120 }],
  ["small, narrow heads", 2, { ...NARROW, vocab: 700 }],
  ["small, narrow heads", 4, { ...NARROW, vocab: 700 }],
];

export const decodingCases: readonly KernelCase[] = [
  ...replies("5 sequences, grouped queries, values", small, 3, NEVER),
  ...replies("5 sequences that end at a token", small, 6, 7),
  // The workgroup variant reads keys in chunks of 256.
  ...replies("2 sequences of 255 and 256 tokens", { ...small, b: 2 }, 3, NEVER, 255),
  ...replies(
    "1 sequence, tied head, no values",
    { ...small, b: 1, kvHeads: 2, headDim: 16, tied: true, layers: 1, valueHidden: 0 },
    2,
    NEVER,
  ),
  ...HARDWARE.flatMap(([title, from, shape]) =>
    replies(
      `3 sequences as on real GPUs, ${title}`,
      { ...shape, b: 3, tied: false, layers: 2 },
      3,
      NEVER,
      from,
      hardwareVariant,
    ),
  ),
  ...SOFTWARE.flatMap(([title, sequences, shape]) =>
    replies(
      `${sequences + 1} sequences as on software adapters, ${title}`,
      { ...shape, b: sequences + 1, tied: false, layers: 2 },
      3,
      NEVER,
      3,
      softwareVariant(sequences),
    ),
  ),
];
