// Decoding of whole replies in one dispatch, for models whose activations fit into workgroup memory.
import decodeReplyCode from "#shaders/decode_reply.wgsl?raw";
import attendWorkgroup from "#shaders/lib/attend_workgroup.wgsl?raw";
import decodeSerial from "#shaders/lib/decode_serial.wgsl?raw";
import decodeWorkgroup from "#shaders/lib/decode_workgroup.wgsl?raw";
import lanesSerial from "#shaders/lib/lanes_serial.wgsl?raw";
import lanesWorkgroup from "#shaders/lib/lanes_workgroup.wgsl?raw";
import reduce from "#shaders/lib/reduce.wgsl?raw";
import rng from "#shaders/lib/rng.wgsl?raw";
import rotation from "#shaders/lib/rotation.wgsl?raw";
import sampleRow from "#shaders/lib/sample_row.wgsl?raw";
import softmaxRow from "#shaders/lib/softmax_row.wgsl?raw";
import { defineKernel, grid1d } from "../kernel.ts";
import { variants } from "./variant.ts";

const code = [decodeReplyCode, sampleRow, softmaxRow, rng, rotation];

const fields = {
  uniforms: {
    b: "u32",
    steps: "u32",
    t_max: "u32",
    cache_layer: "u32",
    eps: "f32",
    vocab: "u32",
    max_tokens: "u32",
    out_stride: "u32",
    eos: "u32",
    seed: "u32",
    temperature: "f32",
    top_p: "f32",
    top_k: "u32",
    logits_vec4: "u32",
    embed: "u32",
    head: "u32",
    norm: "u32",
    layer: "u32",
    value_hidden: "u32",
    value_hidden_bias: "u32",
    value_out: "u32",
    value_out_bias: "u32",
  },
  bindings: {
    params: "read",
    frequencies: "read",
    slot: "read",
    cache_k: "read_write",
    cache_v: "read_write",
    state: "read_write",
    ids: "read_write",
    drawn: "read_write",
  },
} as const;

/** Sizes of the model and places of the tensors in a layer, in vec4s. What depends on the vocabulary is a uniform, because compiling takes seconds on software adapters. */
const MODEL = {
  LAYERS: 2,
  WIDTH_VEC4: 8,
  HEADS: 2,
  KV_HEADS: 2,
  HEAD_VEC4: 4,
  FFN_VEC4: 20,
  WIDE_VEC4: 20,
  LOGITS_ROOM_VEC4: 32,
  TIED: 0,
  LAYER_LENGTH: 0,
  QKV: 0,
  OUT: 0,
  NORM2: 0,
  GATE_UP: 0,
  DOWN: 0,
  VALUE_VEC4: 0,
  SPLIT: 1,
  SPLIT_PAIRS: 1,
} as const;

/**
 * At most `steps` tokens of B sequences; `state`, `ids` and `drawn` as for `sample`, with the critic's values where it is a head
 * (VALUE_VEC4); caches (layers, slots, t_max, HKV · D). Each workgroup of BLOCK lanes decodes SEQUENCES of them.
 */
export const decodeReply = variants(
  defineKernel({
    label: "decode_reply",
    code: [...code, decodeSerial, lanesSerial],
    ...fields,
    constants: { ...MODEL, SEQUENCES: 8, BLOCK: 8 },
    grid: ({ b }, { SEQUENCES }) => grid1d(b, SEQUENCES),
  }),
  defineKernel({
    label: "decode_reply_workgroup",
    code: [...code, decodeWorkgroup, attendWorkgroup, lanesWorkgroup, reduce],
    ...fields,
    constants: { ...MODEL, SEQUENCES: 1, BLOCK: 128 },
    grid: ({ b }, { SEQUENCES }) => grid1d(b, SEQUENCES),
  }),
);
