// Test aids: the smallest model that has every part, a step of SFT to train it, and a picture to look at.
import { noise } from "../../conformance/numbers.ts";
import type { ModelConfig } from "./architecture.ts";
import { CLIPPED_RATIO, type StepSettings } from "./step-settings.ts";

/** Two layers, two heads over one, a value head, and no vision tower. */
export const tinyModel: ModelConfig = {
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  intermediate_size: 24,
  rope_theta: 2000,
  tie_word_embeddings: false,
  vision_layers: 0,
  vision_hidden_size: 16,
  vision_heads: 2,
  pixel_shuffle: 1,
  critic: "head",
};

/** A step of SFT that trains the value head as well; what only PPO has is off. */
export const sftStep: StepSettings = {
  kind: {
    objective: "sft",
    kl: "off",
    policy: CLIPPED_RATIO,
    valueGradient: "whole",
    clipValue: false,
    weightsValues: false,
    trains: "all",
    separateNorms: false,
  },
  temperature: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  clipC: 0,
  tauPos: 1,
  tauNeg: 1.05,
  covKlCoef: 0.1,
  pivotCoef: 0,
  pivotBeta: 5,
  mean: { per: "token", divisor: 1 },
  valueMean: { per: "token", divisor: 1 },
  policyMean: { per: "token", divisor: 1 },
  entropyCoef: 0,
  klCoef: 0,
  vfCoef: 0.25,
  valueGradScale: 1,
  valueClip: 0.5,
  actorLr: 3e-3,
  criticLr: 3e-3,
  beta1: 0.9,
  beta2: 0.98,
  weightDecay: 0,
  gradClip: 1,
  criticGradClip: 0,
  normThreshold: 0,
};

/** A square picture of noise. */
export function picture(seed: number, size: number) {
  const data = Uint8ClampedArray.from(noise(size * size * 4, seed, 60), (x) => 128 + x);
  return { width: size, height: size, data };
}
