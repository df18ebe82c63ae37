// Every dimension of a model, derived once from the configuration and checked. What two checkpoints must share.
import { PolicyError } from "../../core/errors.ts";

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

/** Pixels per side of a patch; pictures for the model are drawn with one tile per patch. */
export const PATCH = 8;

function check(ok: boolean, field: string, value: unknown, remedy: string): void {
  if (!ok)
    throw new PolicyError("wrong_architecture", `model.${field} = ${String(value)} does not fit. ${remedy}`);
}

/**
 * @param grid patches of one picture (rows, cols).
 * @throws PolicyError naming the field, its value and the remedy.
 */
export function modelArchitecture(
  config: ModelConfig,
  vocab: number,
  grid: { rows: number; cols: number },
): ModelArchitecture {
  const { hidden_size: width, num_attention_heads: heads, num_key_value_heads: kvHeads } = config;
  const headDim = width / heads;
  check(
    Number.isInteger(headDim) && headDim % 8 === 0 && headDim <= 128,
    "num_attention_heads",
    heads,
    `Each head must have a multiple of 8 channels, at most 128, of the ${width}.`,
  );
  check(
    heads % kvHeads === 0,
    "num_key_value_heads",
    kvHeads,
    `It must divide the ${heads} attention heads.`,
  );
  check(
    config.intermediate_size % 4 === 0,
    "intermediate_size",
    config.intermediate_size,
    "Use a multiple of 16.",
  );
  const tower = config.vision_layers > 0;
  const merge = config.pixel_shuffle;
  check(
    grid.rows % merge === 0 && grid.cols % merge === 0,
    "pixel_shuffle",
    merge,
    `It must divide the picture's ${grid.rows} × ${grid.cols} patches.`,
  );
  const visionWidth = tower ? config.vision_hidden_size : width;
  const visionHeadDim = visionWidth / config.vision_heads;
  check(
    !tower || (Number.isInteger(visionHeadDim) && visionHeadDim % 8 === 0 && visionHeadDim <= 128),
    "vision_heads",
    config.vision_heads,
    `Each head must have a multiple of 8 channels, at most 128, of the ${visionWidth}.`,
  );
  return {
    family: "vlm-decoder",
    vocab,
    vocabStride: Math.ceil(vocab / 16) * 16,
    decoder: {
      layers: config.num_hidden_layers,
      width,
      heads,
      kvHeads,
      headDim,
      ffn: config.intermediate_size,
    },
    ropeTheta: config.rope_theta,
    normEps: 1e-5,
    tied: config.tie_word_embeddings,
    vision: {
      layers: config.vision_layers,
      width: visionWidth,
      heads: config.vision_heads,
      kvHeads: config.vision_heads,
      headDim: tower ? visionHeadDim : 0,
      ffn: 4 * visionWidth,
      patch: PATCH,
      rows: grid.rows,
      cols: grid.cols,
      merge,
      connector: tower || merge > 1,
    },
    valueHidden: Math.max(32, Math.min(width, 64)),
    critic: config.critic,
  };
}

/** Tokens that one picture occupies in the sequence. */
export function imageTokens({ vision }: ModelArchitecture): number {
  return (vision.rows * vision.cols) / (vision.merge * vision.merge);
}
