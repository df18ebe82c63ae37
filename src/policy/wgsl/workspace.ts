// The buffers that one network needs: inputs, saved activations, gradients. Described here, allocated by the arena.
import type { Arena, Tensor } from "../../gpu/memory.ts";
import { imageTokens, type ModelArchitecture, type StackShape } from "./architecture.ts";

interface Capacity {
  /** Tokens of one micro-step. */
  tokens: number;
  /** Pictures of one micro-step. */
  pictures: number;
}

/** What the host uploads for one forward pass; see `PackedBatch` for the meaning. */
export type InputTensors = ReturnType<typeof inputTensors>;

function inputTensors(arena: Arena, architecture: ModelArchitecture, { tokens, pictures }: Capacity) {
  const { vision, vocabStride } = architecture;
  const patches = pictures * vision.rows * vision.cols;
  const t = (label: string, length: number) => arena.tensor("inputs", label, length);
  return {
    ids: t("ids", tokens),
    positions: t("positions", tokens),
    span: t("span", tokens * 4),
    patchOfToken: t("patch of token", tokens),
    tokenOfPatch: t("token of patch", pictures * imageTokens(architecture)),
    pixels: t("pixels", patches * vision.patch * vision.patch),
    visionSpan: t("vision span", patches * 4),
    tokenOfTarget: t("token of target", tokens),
    targetOfToken: t("target of token", tokens),
    targetIds: t("target ids", tokens),
    src: t("src", tokens),
    order: t("order", tokens),
    offsets: t("offsets", vocabStride + 1),
  };
}

/** What a norm keeps of each row for its backward pass. `mean` is empty for RMSNorm. */
export interface NormStatistics {
  mean: Tensor;
  rstd: Tensor;
}

export type StackActivations = ReturnType<typeof stackActivations>;
/** What a layer keeps for its backward pass. */
export type LayerActivations = StackActivations["layers"][number];

/** Activations of a stack with at most `n` rows, and their gradients, which all layers share. */
function stackActivations(arena: Arena, label: "decoder" | "vision", shape: StackShape, n: number) {
  const { width, heads, kvHeads, headDim, ffn } = shape;
  const inner = label === "decoder" ? 2 * ffn : ffn;
  const saved = (name: string, columns: number) =>
    arena.tensor("activations", `${label}.${name}`, n * columns);
  const scratch = (name: string, columns: number) =>
    arena.tensor("activation gradients", `${label}.${name}`, n * columns);
  const statistics = (i: 1 | 2): NormStatistics => ({
    rstd: saved(`rstd${i}`, 1),
    mean: saved(`mean${i}`, label === "vision" ? 1 : 0),
  });
  const layer = () => ({
    normed1: saved("normed1", width),
    statistics1: statistics(1),
    qkv: saved("qkv", (heads + 2 * kvHeads) * headDim),
    attended: saved("attended", heads * headDim),
    lse: saved("lse", heads),
    mid: saved("mid", width),
    normed2: saved("normed2", width),
    statistics2: statistics(2),
    /** Input of the activation: (N, 2·ffn) gate and up for SwiGLU, (N, ffn) for GELU. */
    inner: saved("inner", inner),
    activated: saved("activated", ffn),
  });
  return {
    /** Residual stream before each layer and after the last. */
    x: Array.from({ length: shape.layers + 1 }, () => saved("x", width)),
    layers: Array.from({ length: shape.layers }, layer),
    dx: scratch("dx", width),
    dnormed: scratch("dnormed", width),
    dqkv: scratch("dqkv", (heads + 2 * kvHeads) * headDim),
    dattended: scratch("dattended", heads * headDim),
    delta: scratch("delta", heads),
    dinner: scratch("dinner", inner),
    dactivated: scratch("dactivated", ffn),
  };
}

export type Workspace = ReturnType<typeof createWorkspace>;

/** Describes every buffer of a network for micro-steps of at most `capacity`. */
export function createWorkspace(
  arena: Arena,
  architecture: ModelArchitecture,
  capacity: Capacity,
  runsRefPolicy: boolean,
) {
  const { decoder, vision, vocabStride, valueHidden } = architecture;
  const n = capacity.tokens;
  const q = capacity.pictures * vision.rows * vision.cols;
  const p = capacity.pictures * imageTokens(architecture);
  const saved = (label: string, length: number) => arena.tensor("activations", label, length);
  const scratch = (label: string, length: number) => arena.tensor("activation gradients", label, length);
  const tower = stackActivations(arena, "vision", vision, vision.layers ? q : 0);
  // Without layers the tower is one linear layer: its stream is one buffer and its gradient another.
  tower.x[0] = saved("vision.x", q * vision.width);
  tower.dx = scratch("vision.dx", q * vision.width);
  return {
    inputs: inputTensors(arena, architecture, capacity),
    ropeFrequencies: arena.tensor("inputs", "rope frequencies", decoder.headDim / 2),
    /** Pixels as numbers, (Q, 3·patch²). */
    patchPixels: saved("patch pixels", q * 3 * vision.patch * vision.patch),
    tower,
    towerNormed: saved("vision.normed", vision.layers ? q * vision.width : 0),
    towerStatistics: {
      mean: saved("vision.mean", vision.layers ? q : 0),
      rstd: saved("vision.rstd", vision.layers ? q : 0),
    },
    merged: saved("vision.merged", vision.merge > 1 ? q * vision.width : 0),
    dmerged: scratch("vision.dmerged", vision.connector ? q * vision.width : 0),
    /** Image tokens at the decoder's width, (P, width), and their gradient. */
    pictureTokens: saved("picture tokens", vision.connector ? p * decoder.width : 0),
    dpictureTokens: scratch("picture token gradients", p * decoder.width),
    decoder: stackActivations(arena, "decoder", decoder, n),
    /** Target positions after the attention of the last layer: attended, and the residual stream before it. */
    keptAttended: saved("kept attended", n * decoder.heads * decoder.headDim),
    keptX: saved("kept x", n * decoder.width),
    dkeptAttended: scratch("kept dattended", n * decoder.heads * decoder.headDim),
    dkeptX: scratch("kept dx", n * decoder.width),
    /** Statistics of the final norm, and its output: the final hidden states. */
    finalStatistics: { mean: saved("final mean", 0), rstd: saved("final rstd", n) },
    hidden: saved("hidden", n * decoder.width),
    dhidden: scratch("dhidden", n * decoder.width),
    logits: saved("logits", n * vocabStride),
    refLogits: saved("ref policy logits", runsRefPolicy ? n * vocabStride : 0),
    valueHidden: saved("value hidden", n * valueHidden),
    valueActivated: saved("value activated", n * valueHidden),
    values: saved("values", n * 4),
    dvalues: scratch("dvalues", n * 4),
    dvalueActivated: scratch("dvalue activated", n * valueHidden),
    dvalueHidden: scratch("dvalue hidden", n * valueHidden),
    stats: scratch("policy statistics", n * 8),
    valueStats: scratch("value statistics", n * 4),
  };
}
