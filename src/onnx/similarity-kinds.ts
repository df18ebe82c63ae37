// Kinds of models that compare pictures: how each is given a picture, and what its score is, both as in VAGEN's SVG reconstruction.
import { registry } from "../core/registry.ts";

/** A kind of model. */
export interface SimilarityKind {
  readonly id: string;
  /** The name of the model, for people. */
  readonly title: string;
  /** Side of the drawn picture as a multiple of that of the model's input, which is its middle. */
  readonly margin: number;
  /** What is subtracted from a channel between 0 and 1, and what the rest is divided by. */
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
  /** Between 0 and 1. */
  score(cosine: number): number;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** The kinds, by the names under which scores are shown. */
export const similarityKinds = registry<SimilarityKind>(
  "kind of similarity",
  {
    id: "dino",
    title: "DINOv2",
    // DINOv2's image processor scales to 256 pixels, cuts out 224 and uses the statistics of ImageNet.
    margin: 256 / 224,
    mean: [0.485, 0.456, 0.406],
    deviation: [0.229, 0.224, 0.225],
    score: (cosine) => clamp((cosine + 1) / 2),
  },
  {
    id: "dreamsim",
    title: "DreamSim",
    // Its distance is 1 − cos, and VAGEN's score 1 − its distance.
    margin: 1,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
    score: clamp,
  },
);
