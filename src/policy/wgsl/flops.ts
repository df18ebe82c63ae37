// Floating-point operations of the model's matrix products and attention, for budgets and rooflines.
import { imageTokens, type ModelArchitecture, type StackShape } from "./architecture.ts";

/** 2·M·N·K of the products of one token in a layer, before its attention and after it; without attention scores. */
function layerFlopsPerToken({ width, heads, kvHeads, headDim, ffn }: StackShape, gated: boolean) {
  return {
    before: 2 * width * (heads + 2 * kvHeads) * headDim,
    after: 2 * (heads * headDim * width + (gated ? 3 : 2) * width * ffn),
  };
}

interface FlopCount {
  /** Tokens that pass through the decoder, target positions, and pictures. */
  tokens: number;
  targets: number;
  pictures: number;
  /** Mean context that a token attends, in tokens. */
  context: number;
}

/** A number for each network, such as the operations of one forward pass. A backward pass costs twice as much. */
export interface PassFlops {
  policy: number;
  /** 0 where the critic is a head on the policy, whose cost does not count beside the policy's. */
  critic: number;
}

/** What a training step costs in forward passes. */
export const TRAINING_PASSES: PassFlops = { policy: 3, critic: 3 };

/** Floating-point operations of so many passes of each network. */
export const flopsOfPasses = (passes: PassFlops, each: PassFlops): number =>
  passes.policy * each.policy + passes.critic * each.critic;

/** A separate critic has the policy's decoder and tower, and no logits. */
function forwardFlops(architecture: ModelArchitecture, count: FlopCount): PassFlops {
  const { decoder, vocabStride, critic } = architecture;
  const backbone = backboneFlops(architecture, count);
  return {
    policy: backbone + 2 * count.targets * decoder.width * vocabStride,
    critic: critic === "separate" ? backbone : 0,
  };
}

function backboneFlops(
  { decoder, vision }: ModelArchitecture,
  { tokens, targets, pictures, context }: FlopCount,
): number {
  const patches = pictures * vision.rows * vision.cols;
  const attention = 4 * tokens * context * decoder.heads * decoder.headDim * decoder.layers;
  const inTower = layerFlopsPerToken(vision, false);
  const towerStack = vision.layers * (inTower.before + inTower.after);
  const tower = patches * (2 * 3 * vision.patch ** 2 * vision.width + towerStack);
  const towerAttention =
    4 * patches * vision.rows * vision.cols * vision.heads * vision.headDim * vision.layers;
  const { before, after } = layerFlopsPerToken(decoder, true);
  // After the attention of the last layer only target positions go on.
  const stack = decoder.layers * tokens * before + ((decoder.layers - 1) * tokens + targets) * after;
  return stack + attention + tower + towerAttention;
}

/** The same for whole trajectories of the given lengths, where every token attends half its sequence on average. */
export function trajectoryFlops(
  architecture: ModelArchitecture,
  lengths: readonly number[],
  targets: number,
  imageTokenCount: number,
): PassFlops {
  const tokens = lengths.reduce((sum, n) => sum + n, 0);
  const context = tokens ? lengths.reduce((sum, n) => sum + (n * n) / 2, 0) / tokens : 0;
  return forwardFlops(architecture, {
    tokens,
    targets,
    pictures: imageTokenCount / imageTokens(architecture),
    context,
  });
}
