// What is compared: three models, their batches, one optimiser, the same numbers for every implementation.
import { rng } from "../core/rng.ts";
import { type ModelArchitecture, modelArchitecture } from "../policy/wgsl/architecture.ts";
import { initialParameters, type ParameterLayout, parameterLayout } from "../policy/wgsl/parameters.ts";

/** A model and the batch that it is trained and decoded with. */
export interface BenchCase {
  readonly name: string;
  readonly architecture: ModelArchitecture;
  readonly layout: ParameterLayout;
  /** Sequences of a batch. */
  readonly batch: number;
  /** Tokens of a sequence, and the longest context while decoding. */
  readonly context: number;
  /** Tokens in the cache when timed decoding begins. */
  readonly prompt: number;
  /** Too slow for a software adapter and for other libraries: it runs on hardware without them, or when it is named. */
  readonly large: boolean;
}

/** Tokens that are decoded between two read-backs. */
export const DECODE_CHUNK = 16;

/** AdamW, without clipping: clipping would hide differences behind a common norm. */
export const OPTIMIZER = { lr: 1e-3, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0.01 } as const;

const VOCABULARY = 128;

/** Widths are multiples of 64, so that no library has to pad. */
function benchCase(width: number, layers: number, heads: number, batch: number): BenchCase {
  const architecture = modelArchitecture(
    {
      hidden_size: width,
      num_hidden_layers: layers,
      num_attention_heads: heads,
      num_key_value_heads: heads,
      intermediate_size: 3 * width,
      rope_theta: 10_000,
      tie_word_embeddings: false,
      vision_layers: 0,
      vision_hidden_size: width,
      vision_heads: heads,
      pixel_shuffle: 1,
      critic: "head",
    },
    VOCABULARY,
    { rows: 4, cols: 4 },
  );
  const layout = parameterLayout(architecture);
  return { name: `d${width}`, architecture, layout, batch, context: 128, prompt: 64, large: width > 128 };
}

/** The last one has the model of the `base` presets and as many tokens as one of their micro-batches, 20,480, which fill a graphics card. */
export const CASES: readonly BenchCase[] = [
  benchCase(64, 2, 4, 16),
  benchCase(128, 4, 4, 16),
  benchCase(256, 4, 4, 160),
];

/** The parameters that every implementation starts from. */
export const startParameters = ({ layout }: BenchCase): Float32Array<ArrayBuffer> =>
  initialParameters(layout, 7);

/** The token ids (batch, context) of training step `step`: walks with small steps, so that there is something to learn. */
export function trainingTokens(
  { batch, context, architecture }: BenchCase,
  step: number,
): Int32Array<ArrayBuffer> {
  const random = rng(11).fork("tokens").fork(`${step}`);
  const ids = new Int32Array(batch * context);
  for (let row = 0; row < batch; row++) {
    let id = random.int(architecture.vocab);
    for (let t = 0; t < context; t++) {
      ids[row * context + t] = id;
      id = (id + 1 + random.int(4)) % architecture.vocab;
    }
  }
  return ids;
}

/** The prompts (batch, prompt) that decoding continues. */
export function promptTokens(bench: BenchCase): Int32Array<ArrayBuffer> {
  const { batch, context, prompt } = bench;
  const all = trainingTokens(bench, 1_000_000);
  const ids = new Int32Array(batch * prompt);
  for (let row = 0; row < batch; row++)
    ids.set(all.subarray(row * context, row * context + prompt), row * prompt);
  return ids;
}

/** Rows with a prediction: every token but the first of each sequence. */
export const predictions = ({ batch, context }: BenchCase): number => batch * (context - 1);
