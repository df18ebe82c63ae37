// How similar two pictures look to a model that the user supplies as ONNX: the cosine of its embeddings.
import { type InferenceSession, Tensor } from "onnxruntime-common";
import { PolicyError, StudioError } from "../core/errors.ts";
import type { Frame } from "../core/types.ts";
import { type SimilarityKind, similarityKinds } from "./similarity-kinds.ts";

/** The part of a session that is used; `onnxruntime-node` and `onnxruntime-web` both have it. */
export type EmbeddingSession = Pick<
  InferenceSession,
  "run" | "release" | "inputNames" | "outputNames" | "inputMetadata"
>;

/** DINOv2's largest model but one has 1.2 GB; a file of ONNX cannot have more than 2. */
export const MAX_MODEL_BYTES = 2 ** 31;

/** Draws something as a picture, `side` pixels wide and high. */
type Draw = (side: number) => Frame;

/** Side of the input of a model that leaves it open. */
const USUAL_SIDE = 224;
const TOKENS = "last_hidden_state";

/** What a user gives: a file, and the kind of model that it has. */
interface SimilarityFile {
  kind: string;
  /** Named in messages. */
  name: string;
  bytes: Uint8Array;
}

/**
 * Opens a model with `open`, and computes a blank picture with it: a file that is no such model is refused before anything is compared.
 * @throws PolicyError("wrong_architecture") that names the file. An error of the studio about something else, such as a runtime that
 *   could not be loaded, is passed on.
 */
export async function openSimilarity(
  { kind, name, bytes }: SimilarityFile,
  open: (bytes: Uint8Array) => Promise<EmbeddingSession>,
): Promise<ImageSimilarity> {
  const session = await open(bytes).catch((cause: unknown) => {
    throw unusable(name, cause);
  });
  try {
    const model = new ImageSimilarity(session, similarityKinds.get(kind));
    await model.embed(blank);
    return model;
  } catch (cause) {
    await session.release().catch(() => undefined);
    throw unusable(name, cause);
  }
}

function unusable(file: string, cause: unknown): unknown {
  if (cause instanceof StudioError && !(cause instanceof PolicyError)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = cause instanceof PolicyError ? cause.hint : WHAT_TO_GIVE;
  return new PolicyError("wrong_architecture", `${file} cannot be used: ${reason}`, hint, { cause });
}

const WHAT_TO_GIVE =
  "Give an image encoder as one ONNX file that has its weights inside, with pixel_values as its only input.";

const blank: Draw = (side) => ({
  width: side,
  height: side,
  data: new Uint8ClampedArray(4 * side * side).fill(255),
});

/** Compares pictures by a model's embeddings. */
export class ImageSimilarity {
  private readonly side: number;
  private readonly output: string;

  /** @throws PolicyError("wrong_architecture") for a model that does not take one picture of three channels as floats. */
  constructor(
    private readonly session: EmbeddingSession,
    private readonly kind: SimilarityKind,
  ) {
    this.side = sideOf(session);
    this.output = session.outputNames.includes(TOKENS) ? TOKENS : session.outputNames[0]!;
  }

  /** The score of two pictures, between 0 and 1. @throws PolicyError for an output that is no embedding. */
  async compare(one: Draw, other: Draw): Promise<number> {
    return this.score(await this.embed(one), await this.embed(other));
  }

  /** The same of their embeddings. */
  score(a: Float32Array, b: Float32Array): number {
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
    const lengths = Math.sqrt(dot(a, a) * dot(b, b));
    return this.kind.score(lengths === 0 ? 0 : dot(a, b) / lengths);
  }

  /** The score of equal pictures. */
  get identical(): number {
    return this.kind.score(1);
  }

  /** Frees the memory of the model, which cannot be used any more. */
  release(): Promise<void> {
    return this.session.release();
  }

  /** The embedding of a picture. @throws PolicyError for an output that is no embedding. */
  async embed(draw: Draw): Promise<Float32Array> {
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
    throw wrong(
      `The model's inputs are ${inputNames.join(", ")}, the first of shape [${shape.join(", ")}]; expected one square picture, [batch, 3, side, side].`,
      "Export the image encoder alone, with pixel_values as its only input.",
    );
  if (input?.isTensor && input.type !== "float32")
    throw wrong(
      `The model's input ${inputNames[0]} has the type ${input.type}; expected float32.`,
      "Export the image encoder with a picture of 32-bit floats as its input.",
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
    throw wrong(
      `The model's output has the shape [${dims.join(", ")}]; expected 32-bit floats of shape [1, tokens, width] or [1, width].`,
      "Export the image encoder with last_hidden_state or one vector as its output.",
    );
  const sum = new Float32Array(width);
  for (const [i, value] of data.entries()) sum[i % width]! += value;
  if (!sum.every(Number.isFinite))
    throw new PolicyError(
      "non_finite",
      "The model's output has values that are not finite.",
      "Export the image encoder again, with weights of 32-bit floats.",
    );
  return sum;
}

const wrong = (message: string, hint: string) => new PolicyError("wrong_architecture", message, hint);
