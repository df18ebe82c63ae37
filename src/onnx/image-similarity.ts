// How similar two pictures look to a model that the user supplies as ONNX: the cosine of its embeddings. How a picture is prepared and
// what the score is are those of VAGEN's SVG reconstruction, for each kind of model.
import { type InferenceSession, Tensor } from "onnxruntime-common";
import { PolicyError } from "../core/errors.ts";
import { registry } from "../core/registry.ts";
import type { Frame } from "../core/types.ts";

/** The part of a session that is used; `onnxruntime-node` and `onnxruntime-web` both have it. */
type EmbeddingSession = Pick<InferenceSession, "run" | "inputNames" | "outputNames" | "inputMetadata">;

/** Draws something as a picture, `side` pixels wide and high. */
type Draw = (side: number) => Frame;

/** A kind of model. */
interface SimilarityKind {
  readonly id: string;
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
    // DINOv2's image processor scales to 256 pixels, cuts out 224 and uses the statistics of ImageNet.
    margin: 256 / 224,
    mean: [0.485, 0.456, 0.406],
    deviation: [0.229, 0.224, 0.225],
    score: (cosine) => clamp((cosine + 1) / 2),
  },
  {
    id: "dreamsim",
    // Its distance is 1 − cos, and VAGEN's score 1 − its distance.
    margin: 1,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
    score: clamp,
  },
);

/** Side of the input of a model that leaves it open. */
const USUAL_SIDE = 224;
const TOKENS = "last_hidden_state";

/** Compares pictures by a model's embeddings. */
export class ImageSimilarity {
  private readonly side: number;
  private readonly output: string;

  /** @throws PolicyError("wrong_architecture") for a model that does not take one picture of three channels. */
  constructor(
    private readonly session: EmbeddingSession,
    private readonly kind: SimilarityKind,
  ) {
    this.side = sideOf(session);
    this.output = session.outputNames.includes(TOKENS) ? TOKENS : session.outputNames[0]!;
  }

  /** The score of two pictures, between 0 and 1. @throws PolicyError("wrong_architecture") for an output that is no embedding. */
  async compare(one: Draw, other: Draw): Promise<number> {
    const [a, b] = [await this.embed(one), await this.embed(other)];
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
    const lengths = Math.sqrt(dot(a, a) * dot(b, b));
    return this.kind.score(lengths === 0 ? 0 : dot(a, b) / lengths);
  }

  private async embed(draw: Draw): Promise<Float32Array> {
    const { session, side, kind } = this;
    const pixels = pixelsOf(draw(Math.round(side * kind.margin)), side, kind);
    const feeds = { [session.inputNames[0]!]: new Tensor("float32", pixels, [1, 3, side, side]) };
    const { [this.output]: embedding } = await session.run(feeds, [this.output]);
    return pooled(embedding as Tensor);
  }
}

function sideOf({ inputNames, inputMetadata }: EmbeddingSession): number {
  const [input] = inputMetadata;
  const shape = input?.isTensor ? input.shape : [];
  const [, channels, height, width] = shape;
  const isOpen = typeof height === "string" && typeof width === "string";
  const isPicture = shape.length === 4 && (channels === 3 || typeof channels === "string");
  if (inputNames.length !== 1 || !isPicture || (!isOpen && height !== width))
    throw new PolicyError(
      "wrong_architecture",
      `The model's inputs are ${inputNames.join(", ")}, the first of shape [${shape.join(", ")}]; expected one square picture, [batch, 3, side, side].`,
      "Export the image encoder alone, with pixel_values as its only input.",
    );
  return typeof height === "number" ? height : USUAL_SIDE;
}

/** The middle of a picture as three planes (3, side, side), scaled as the model expects. */
function pixelsOf({ width, data }: Frame, side: number, { mean, deviation }: SimilarityKind): Float32Array {
  const edge = Math.floor((width - side) / 2);
  const pixels = new Float32Array(3 * side * side);
  for (let channel = 0; channel < 3; channel++)
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const value = data[4 * ((y + edge) * width + x + edge) + channel]! / 255;
        pixels[(channel * side + y) * side + x] = (value - mean[channel]!) / deviation[channel]!;
      }
  return pixels;
}

/** The sum of a picture's tokens (1, tokens, width), whose direction is that of their mean, or its only vector (1, width). */
function pooled({ dims, data }: Tensor): Float32Array {
  const width = dims.at(-1)!;
  if (!(data instanceof Float32Array) || dims[0] !== 1 || dims.length < 2 || dims.length > 3)
    throw new PolicyError(
      "wrong_architecture",
      `The model's output has the shape [${dims.join(", ")}]; expected 32-bit floats of shape [1, tokens, width] or [1, width].`,
      "Export the image encoder with last_hidden_state or one vector as its output.",
    );
  const sum = new Float32Array(width);
  for (const [i, value] of data.entries()) sum[i % width]! += value;
  return sum;
}
