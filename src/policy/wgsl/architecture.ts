// Every dimension of a model, derived once from the configuration. What two checkpoints must share.

/** The configuration fields that decide a model, as `RunConfig.model` has them. */
export interface ModelConfig {
  hidden_size: number;
  num_hidden_layers: number;
  num_attention_heads: number;
  num_key_value_heads: number;
  intermediate_size: number;
  rope_theta: number;
  tie_word_embeddings: boolean;
  vision_layers: number;
  vision_hidden_size: number;
  vision_heads: number;
  pixel_shuffle: number;
  critic: "head" | "separate";
}

/** A stack of transformer layers: the decoder, or the vision tower. */
export interface StackShape {
  layers: number;
  width: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  ffn: number;
}

export interface ModelArchitecture {
  family: "vlm-decoder";
  /** Token ids in use, and the padded row length of logits (a multiple of 16). */
  vocab: number;
  vocabStride: number;
  decoder: StackShape;
  ropeTheta: number;
  normEps: number;
  tied: boolean;
  vision: StackShape & {
    patch: number;
    /** Patches of a picture, before merging. */
    rows: number;
    cols: number;
    /** s × s neighbouring patches become one token. */
    merge: number;
    /** Whether a linear layer leads from the tower to the decoder; without one they share their width. */
    connector: boolean;
  };
  valueHidden: number;
  critic: "head" | "separate";
}

/** Patches of one picture. */
interface Grid {
  rows: number;
  cols: number;
}

/** Pixels per side of a patch; pictures for the model are drawn with one tile per patch. */
export const PATCH = 8;

function decoderShape(config: ModelConfig): StackShape {
  const { hidden_size: width, num_attention_heads: heads, num_key_value_heads: kvHeads } = config;
  const ffn = config.intermediate_size;
  return { layers: config.num_hidden_layers, width, heads, kvHeads, headDim: width / heads, ffn };
}

function visionShape(config: ModelConfig, { rows, cols }: Grid): ModelArchitecture["vision"] {
  const { vision_layers: layers, vision_heads: heads, pixel_shuffle: merge } = config;
  const hasLayers = layers > 0;
  const width = hasLayers ? config.vision_hidden_size : config.hidden_size;
  return {
    layers,
    width,
    heads,
    kvHeads: heads,
    headDim: hasLayers ? width / heads : 0,
    ffn: 4 * width,
    patch: PATCH,
    rows,
    cols,
    merge,
    connector: hasLayers || merge > 1,
  };
}

/**
 * The architecture of a configuration that was checked (`config/rules/model.ts` has the shapes that kernels can run), with
 * `vocab` token ids.
 */
export function modelArchitecture(config: ModelConfig, vocab: number, grid: Grid): ModelArchitecture {
  return {
    family: "vlm-decoder",
    vocab,
    vocabStride: Math.ceil(vocab / 16) * 16,
    decoder: decoderShape(config),
    ropeTheta: config.rope_theta,
    normEps: 1e-5,
    tied: config.tie_word_embeddings,
    vision: visionShape(config, grid),
    valueHidden: Math.max(32, Math.min(config.hidden_size, 64)),
    critic: config.critic,
  };
}

/** Tokens that one picture occupies in the sequence. */
export function imageTokens({ vision }: ModelArchitecture): number {
  return (vision.rows * vision.cols) / (vision.merge * vision.merge);
}
