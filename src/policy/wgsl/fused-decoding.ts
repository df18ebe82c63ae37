// Which models decode a reply in one dispatch, and the constants and places of the kernel that does it.
import type { GpuCaps } from "../../gpu/device.ts";
import { decodeReply } from "../../gpu/kernels/decode-reply.ts";
import type { ModelArchitecture } from "./architecture.ts";
import type { ParameterLayout } from "./parameters.ts";

/** Half of the workgroup memory that every adapter has, in floats; the rest is for reductions. */
const WORKGROUP_FLOATS = 2048;
/** Storage binding that every adapter has, in floats. */
const BINDING_FLOATS = 2 ** 25;

/** Lanes of a workgroup on software adapters and on others. */
const BLOCK = {
  software: decodeReply.serial.constants.BLOCK,
  hardware: decodeReply.workgroup.constants.BLOCK,
} as const;

/** Room for the logits of a sequence, in floats: so that most models of a size share a kernel, whatever their vocabulary. */
const logitsRoom = ({ vocabStride }: ModelArchitecture) => Math.ceil(vocabStride / 64) * 64;

/** Floats of one sequence in workgroup memory: stream, norm, the wider of width and inner layer, logits, partial sums, its place, its value. */
const floatsEach = (architecture: ModelArchitecture, block: number = BLOCK.hardware) => {
  const { width, ffn } = architecture.decoder;
  return 2 * width + Math.max(width, ffn) + logitsRoom(architecture) + 4 + block;
};

interface CacheSize {
  readonly slots: number;
  readonly maxContext: number;
}

/** Floats of the keys, or values, of one layer; layers begin at multiples of 256 bytes. */
export const cacheLayer = ({ decoder }: ModelArchitecture, { slots, maxContext }: CacheSize): number =>
  Math.ceil((slots * maxContext * decoder.kvHeads * decoder.headDim) / 64) * 64;

/**
 * Whether one workgroup can hold a sequence and one binding the cache. Wider models gain nothing: their matrix products fill
 * the device.
 */
export function decodesInOneDispatch(architecture: ModelArchitecture, size: CacheSize): boolean {
  const { decoder } = architecture;
  return (
    decoder.width <= 128 &&
    decoder.ffn % 8 === 0 &&
    floatsEach(architecture) <= WORKGROUP_FLOATS &&
    cacheLayer(architecture, size) * decoder.layers <= BINDING_FLOATS
  );
}

type Constants = typeof decodeReply.serial.constants;

/** Constants of `decodeReply` for a model whose layers lie as in `layout`, and at most `slots` conversations at once. */
export const decodeConstants = (
  architecture: ModelArchitecture,
  layout: ParameterLayout,
  caps: Pick<GpuCaps, "software" | "maxWorkgroupMemory">,
  slots: number,
): Constants => ({
  ...workgroupConstants(architecture, caps, slots),
  ...sizeConstants(architecture),
  ...layerConstants(architecture, layout),
});

/** Lanes and sequences of a workgroup. */
function workgroupConstants(
  architecture: ModelArchitecture,
  { software, maxWorkgroupMemory }: Pick<GpuCaps, "software" | "maxWorkgroupMemory">,
  slots: number,
) {
  return {
    SEQUENCES: software ? sequencesIn(maxWorkgroupMemory / 4, architecture, slots) : 1,
    ...splitOf(architecture.decoder.width / 8, software),
    BLOCK: software ? BLOCK.software : BLOCK.hardware,
  };
}

/** Sizes of the model. */
function sizeConstants(architecture: ModelArchitecture) {
  const { decoder, tied, valueHidden, critic } = architecture;
  const { width, ffn } = decoder;
  return {
    LAYERS: decoder.layers,
    WIDTH_VEC4: width / 4,
    HEADS: decoder.heads,
    KV_HEADS: decoder.kvHeads,
    HEAD_VEC4: decoder.headDim / 4,
    FFN_VEC4: ffn / 4,
    WIDE_VEC4: Math.max(width, ffn) / 4,
    LOGITS_ROOM_VEC4: logitsRoom(architecture) / 4,
    TIED: tied ? 1 : 0,
    // A separate critic reads other hidden states.
    VALUE_VEC4: critic === "head" ? valueHidden / 4 : 0,
  };
}

/** Where the parameter `name` begins, in vec4s. */
function placeOf({ byName }: ParameterLayout, name: string): number {
  const spec = byName.get(name);
  if (!spec) throw new Error(`there is no parameter ${name}`);
  return spec.offset / 4;
}

/** Length of a layer, and where its tensors begin in it. */
function layerConstants({ decoder }: ModelArchitecture, layout: ParameterLayout) {
  const first = placeOf(layout, "layers.0.norm1.weight");
  const within = (name: string) => placeOf(layout, `layers.0.${name}.weight`) - first;
  return {
    LAYER_LENGTH: decoder.layers > 1 ? placeOf(layout, "layers.1.norm1.weight") - first : 0,
    QKV: within("qkv"),
    OUT: within("out"),
    NORM2: within("norm2"),
    GATE_UP: within("gate_up"),
    DOWN: within("down"),
  };
}

/** The uniforms of `decodeReply` that depend on the vocabulary: columns of the head, and where tensors begin. */
export const decodePlaces = ({ vocabStride, tied }: ModelArchitecture, layout: ParameterLayout) => ({
  logits_vec4: vocabStride / 4,
  embed: placeOf(layout, "embed.weight"),
  head: tied ? 0 : placeOf(layout, "head.weight"),
  norm: placeOf(layout, "norm.weight"),
  layer: placeOf(layout, "layers.0.norm1.weight"),
  value_hidden: placeOf(layout, "value.hidden.weight"),
  value_hidden_bias: placeOf(layout, "value.hidden.bias"),
  value_out: placeOf(layout, "value.out.weight"),
  value_out_bias: placeOf(layout, "value.out.bias"),
});

/** How many lanes share a column of the residual stream, which has `columns` pairs of vec4s: on a real GPU most would idle otherwise. */
function splitOf(columns: number, software: boolean): Pick<Constants, "SPLIT" | "SPLIT_PAIRS"> {
  const SPLIT = software ? 1 : Math.floor(BLOCK.hardware / columns);
  return { SPLIT, SPLIT_PAIRS: SPLIT > 1 ? SPLIT * columns : 1 };
}

/**
 * Sequences that share a workgroup on a software adapter, where a weight that was read serves all of them. Not many more than there
 * are: the kernel computes the others too, and compiles longer for each.
 */
const sequencesIn = (floats: number, architecture: ModelArchitecture, slots: number) =>
  [8, 4, 2].find((n) => n < 2 * slots && n * floatsEach(architecture, BLOCK.software) <= floats) ?? 1;
