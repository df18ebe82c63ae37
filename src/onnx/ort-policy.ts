// A policy whose replies are decoded by ONNX Runtime, in Node or in the page. Greedy replies are those of the GPU; sampled
// ones draw with the same keys.
import { type InferenceSession, Tensor } from "onnxruntime-common";
import { PolicyError } from "../core/errors.ts";
import type { Mutex } from "../core/mutex.ts";
import { short } from "../core/short.ts";
import type { Frame } from "../core/types.ts";
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy/policy.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { sampleToken } from "./sample.ts";

/** The part of a session that a policy uses; `onnxruntime-node` and `onnxruntime-web` both have it. */
export type OrtSession = Pick<InferenceSession, "run" | "release" | "inputNames">;

interface OrtPolicyOptions {
  session: OrtSession;
  architecture: ModelArchitecture;
  /** Placeholder id of an image token. */
  image: number;
  /** Id that ends a reply. */
  endOfTurn: number;
  /** Longest conversation in tokens. */
  maxPositions: number;
  /** Guards every call of the runtime. */
  mutex: Mutex;
}

type Tensors = Record<string, Tensor>;

/** One conversation: what `past_key_values` of its next tokens are, and how far it has come. */
interface Slot {
  cache: Tensors;
  /** Tokens in the cache. */
  length: number;
  /** The last sampled token, which is not in the cache yet; −1: none. */
  pending: number;
  /** Fresh contexts that it has had. */
  renewals: number;
}

export class OrtPolicy implements Policy {
  readonly kind = "onnx";
  /** Tokens that were sampled, and the time that the runtime took for them and their prompts. */
  readonly spent = { tokens: 0, ms: 0 };
  private slots: Slot[] = [];

  constructor(private readonly options: OrtPolicyOptions) {}

  begin(count: number): void {
    this.slots = Array.from({ length: count }, () => ({
      cache: this.emptyCache(),
      length: 0,
      pending: -1,
      renewals: 0,
    }));
  }

  /** Replies one by one: the graph holds one conversation. @throws the signal's reason when aborted. */
  async generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
    signal?: AbortSignal,
  ): Promise<Completion[]> {
    const replies: Completion[] = [];
    for (const request of requests)
      replies.push(await this.options.mutex.run(() => this.reply(request, sampling, signal)));
    return replies;
  }

  private async reply(
    request: GenerateRequest,
    sampling: Sampling,
    signal?: AbortSignal,
  ): Promise<Completion> {
    const slot = this.slots[request.slot];
    if (request.fresh)
      Object.assign(slot, {
        cache: this.emptyCache(),
        length: 0,
        pending: -1,
        renewals: slot.renewals + 1,
      });
    const prompt = this.newTokens(slot, request, sampling.maxTokens);
    const key = { seed: sampling.seed >>> 0, rngKey: keyOf(slot, request) };
    const reply: { id: number; logprob: number }[] = [];
    let logits = await this.advance(slot, prompt);
    for (;;) {
      signal?.throwIfAborted();
      const token = sampleToken(logits, sampling, { ...key, position: slot.length - 1 });
      if (!Number.isFinite(token.logprob))
        throw new PolicyError(
          "non_finite",
          "The policy's logits are not finite numbers.",
          "Use another file.",
        );
      reply.push(token);
      if (token.id === this.options.endOfTurn || reply.length >= sampling.maxTokens) break;
      logits = await this.advance(slot, { ids: [token.id], imagePositions: [], images: [] });
    }
    slot.pending = reply[reply.length - 1].id;
    this.spent.tokens += reply.length;
    return {
      ids: Int32Array.from(reply, ({ id }) => id),
      logprobs: Float32Array.from(reply, ({ logprob }) => logprob),
    };
  }

  /** The token still pending, then the prompt. @throws PolicyError when the conversation grows too long. */
  private newTokens(slot: Slot, { promptIds, responseMask, images }: GenerateRequest, maxTokens: number) {
    const ids = slot.pending < 0 ? [...promptIds] : [slot.pending, ...promptIds];
    const end = slot.length + ids.length;
    if (ids.length === 0) throw new PolicyError("too_long", "A reply needs at least one prompt token.");
    if (end + maxTokens - 1 > this.options.maxPositions)
      throw new PolicyError(
        "too_long",
        `A conversation grew to ${end} tokens and a reply of ${maxTokens} does not fit into ${this.options.maxPositions}.`,
        "Play fewer turns, or export the policy again from a run with more.",
      );
    const first = ids.length - promptIds.length;
    const isImage = (t: number) =>
      t >= first && ids[t] === this.options.image && responseMask?.[t - first] !== 1;
    return { ids, imagePositions: ids.flatMap((_, t) => (isImage(t) ? [t] : [])), images };
  }

  /** Appends tokens to the slot's cache; returns the logits after the last of them. */
  private async advance(
    slot: Slot,
    { ids, imagePositions, images }: { ids: number[]; imagePositions: number[]; images: readonly Frame[] },
  ): Promise<Float32Array> {
    const started = performance.now();
    const feeds = {
      input_ids: int64(ids, [1, ids.length]),
      position_ids: int64(
        ids.map((_, t) => slot.length + t),
        [1, ids.length],
      ),
      image_positions: int64(imagePositions, [imagePositions.length]),
      pixel_values: this.pixels(images),
      ...slot.cache,
    };
    const present = Object.keys(slot.cache).map((name) => name.replace("past_key_values", "present"));
    const outputs = await this.run(feeds, ["logits", ...present]);
    slot.cache = Object.fromEntries(
      Object.keys(slot.cache).map((name, i) => [name, outputs[present[i]] as Tensor]),
    );
    slot.length += ids.length;
    this.spent.ms += performance.now() - started;
    const logits = outputs.logits.data as Float32Array;
    const { vocab } = this.options.architecture;
    if (logits.length !== ids.length * vocab)
      throw unfit(`its logits have ${logits.length / ids.length} columns, its vocabulary ${vocab} tokens`);
    return logits.subarray(logits.length - vocab);
  }

  private async run(feeds: Tensors, fetches: readonly string[]): Promise<InferenceSession.OnnxValueMapType> {
    const unknown = this.options.session.inputNames.find((name) => !Object.hasOwn(feeds, name));
    if (unknown !== undefined) throw unfit(`it has an input "${short(unknown)}"`);
    return this.options.session.run(feeds, fetches).catch((cause: unknown) => {
      throw unfit("ONNX Runtime refuses to run it", cause);
    });
  }

  /** RGBA bytes of all pictures. @throws PolicyError when one has another size. */
  private pixels(images: readonly Frame[]): Tensor {
    const { rows, cols, patch } = this.options.architecture.vision;
    const [height, width] = [rows * patch, cols * patch];
    const bytes = new Uint8Array(images.length * height * width * 4);
    images.forEach((frame, i) => {
      if (frame.width !== width || frame.height !== height)
        throw new PolicyError(
          "wrong_architecture",
          `The model reads pictures of ${width} × ${height} px; this one has ${frame.width} × ${frame.height}.`,
          "Use the policy with the environment and grid size that it was trained for.",
        );
      bytes.set(frame.data, i * height * width * 4);
    });
    return new Tensor("uint8", bytes, [images.length, height, width, 4]);
  }

  private emptyCache(): Tensors {
    const { layers, kvHeads, headDim } = this.options.architecture.decoder;
    const names = Array.from({ length: layers }, (_, i) => [
      `past_key_values.${i}.key`,
      `past_key_values.${i}.value`,
    ]);
    const empty = () => new Tensor("float32", new Float32Array(0), [1, kvHeads, 0, headDim]);
    return Object.fromEntries(names.flat().map((name) => [name, empty()]));
  }
}

const unfit = (why: string, cause?: unknown): PolicyError =>
  new PolicyError(
    "wrong_architecture",
    `The ONNX model is not the policy that its description promises: ${why}.`,
    "Export it again, or choose another file.",
    { cause },
  );

/** Draws are keyed by position, and a fresh context reaches the same positions again: each context has its own key. */
const keyOf = ({ renewals }: Slot, { rngKey }: GenerateRequest): number =>
  (rngKey + Math.imul(Math.max(0, renewals - 1), 0x9e3779b9)) >>> 0;

const int64 = (values: readonly number[], dims: number[]): Tensor =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
