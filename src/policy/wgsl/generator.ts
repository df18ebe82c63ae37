// Decoding on the GPU: KV cache, attention, sampling and the stop test for all conversations at once. Small models decode a
// reply in the submission that prefills its prompt, in a few dispatches; larger ones run several dispatches per token and read back in between.

import { PolicyError } from "../../core/errors.ts";
import { message, setting } from "../../core/message.ts";
import { attentionCached } from "../../gpu/kernels/attention-cached.ts";
import { cacheWrite } from "../../gpu/kernels/cache-write.ts";
import { decodePositions } from "../../gpu/kernels/decode-positions.ts";
import { decodeReply } from "../../gpu/kernels/decode-reply.ts";
import { sample } from "../../gpu/kernels/sample.ts";
import type { Tensor } from "../../gpu/memory.ts";
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy.ts";
import type { Engine } from "./engine.ts";
import { cacheLayer, decodeConstants, decodePlaces } from "./fused-decoding.ts";
import type { GeneratorBuffers, GeneratorOptions } from "./generator-buffers.ts";
import { type Network, networkOf } from "./layers.ts";
import { decoderLayer, embedTokens, finalNorm, headForward } from "./network.ts";
import type { PassPlan, PassReplay, PassValues } from "./ops.ts";
import { microBatches } from "./pack.ts";
import { type Prefill, packPrefill } from "./pack-prefill.ts";
import type { Attention } from "./transformer-layer.ts";
import { towerForward } from "./vision-tower.ts";
import type { LayerActivations } from "./workspace.ts";

/** Tokens decoded per read-back, or per dispatch: few enough to stop early, enough to hide what one costs. */
const CHUNK = 16;

/**
 * Operations of the decoding in a submission, 2 for each parameter, sequence and token: about a second of a software adapter, and of a graphics
 * chip of 0.1 TFLOP/s. Large batches take longer, as a submission decodes at least `CHUNK` tokens. The first submission of a turn also prefills a
 * micro-batch, a third of what a submission of training computes.
 */
const SUBMITTED_OPERATIONS = { software: 4e9, hardware: 1e11 } as const;

/**
 * A policy whose replies are decoded on the GPU. Training passes may run between any two of its submissions: the parts of the
 * workspace that they share hold nothing from one submission to the next. Generators that share buffers take turns.
 */
export class Generator implements Policy {
  readonly kind = "wgsl";
  /** Tokens in the cache of each slot: the next token's position. */
  private lengths = new Uint32Array(0);
  /** The last sampled token of each slot is not in the cache yet; it opens the next prompt. −1: none. */
  private pending = new Int32Array(0);
  /** Fresh contexts that each slot has had. */
  private renewals = new Uint32Array(0);

  constructor(
    private readonly engine: Engine,
    private readonly buffers: GeneratorBuffers,
    private readonly options: GeneratorOptions,
    private readonly isImageToken: (id: number) => boolean,
    /** Flat parameters to decode with: the trained ones, or a copy of them. */
    private readonly weights: Tensor = engine.buffers.params,
  ) {
    engine.write(buffers.noPatch, new Int32Array(options.slots).fill(-1));
  }

  /** Conversations that can run at once. */
  get slots(): number {
    return this.options.slots;
  }

  begin(count: number): void {
    if (count > this.options.slots)
      throw new PolicyError(
        "too_long",
        `${count} conversations at once; there is room for ${this.options.slots}.`,
        message`Raise ${setting("rollout.train_batch_size")}.`,
      );
    this.lengths = new Uint32Array(count);
    this.pending = new Int32Array(count).fill(-1);
    this.renewals = new Uint32Array(count);
  }

  async generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
    signal?: AbortSignal,
  ): Promise<Completion[]> {
    if (requests.length === 0) return [];
    const maxTokens = Math.min(sampling.maxTokens, this.options.maxReply);
    const prefills = requests.map((request) => this.extend(request, maxTokens));
    const lastPrefill = await this.prefill(prefills.filter(({ ids }) => ids.length > 0));
    this.startDecoding(requests, prefills);
    const replies = await this.decode(requests.length, { ...sampling, maxTokens }, lastPrefill, signal);
    replies.forEach(({ ids }, i) => {
      const { slot } = requests[i] as GenerateRequest;
      // Decoded tokens were fed, and so cached, except the last one.
      this.lengths[slot]! += ids.length - 1;
      this.pending[slot] = ids[ids.length - 1] as number;
    });
    return replies;
  }

  /** The slot's new tokens: the one still pending, then the prompt. Advances the slot. */
  private extend(request: GenerateRequest, maxTokens: number): Prefill {
    const { slot, promptIds, responseMask } = request;
    if (request.fresh) this.forget(slot);
    const pending = this.pending[slot] as number;
    const ids = pending < 0 ? promptIds : Int32Array.of(pending, ...promptIds);
    const start = this.lengths[slot] as number;
    const end = start + ids.length;
    if (ids.length === 0) throw new PolicyError("too_long", "A reply needs at least one prompt token.");
    if (end + maxTokens > this.options.maxContext) {
      throw new PolicyError(
        "too_long",
        `A conversation grew to ${end} tokens and a reply of ${maxTokens} does not fit into ${this.options.maxContext}.`,
        message`Lower ${setting("rollout.max_turns")} or ${setting("rollout.response_length")}.`,
      );
    }
    this.lengths[slot] = end;
    const promptFrom = pending < 0 ? 0 : 1;
    const isOwn = (t: number) => t < promptFrom || responseMask?.[t - promptFrom] === 1;
    const inner = ids.subarray(0, ids.length - 1);
    return {
      ids: inner,
      last: ids[inner.length] as number,
      start,
      isOwn,
      rngKey: this.keyOf(request),
      request,
    };
  }

  private forget(slot: number): void {
    this.lengths[slot] = 0;
    this.pending[slot] = -1;
    this.renewals[slot]!++;
  }

  /** Draws are keyed by position, and a fresh context reaches the same positions again: each context has its own key. */
  private keyOf({ slot, rngKey }: GenerateRequest): number {
    const before = Math.max(0, (this.renewals[slot] as number) - 1);
    return (rngKey + Math.imul(before, 0x9e3779b9)) >>> 0;
  }

  /**
   * Prefills all but the last micro-batch, which shares the first submission of decoding: most turns have no other.
   * @returns uploads the last one and returns its replay, to be submitted at once, because training uploads to the same tensors.
   */
  private async prefill(prefills: readonly Prefill[]): Promise<() => PassReplay[]> {
    const plan = await this.prefillPlan();
    const micros = microBatches(prefills, this.engine.options.microTokens);
    for (const micro of micros.slice(0, -1)) await this.engine.submit([plan], this.uploadPrefill(micro));
    return () => micros.slice(-1).map((micro) => ({ plan, values: this.uploadPrefill(micro) }));
  }

  private uploadPrefill(micro: readonly Prefill[]): PassValues {
    const { engine, buffers } = this;
    const { inputs } = engine.buffers.ws;
    const packed = packPrefill(micro, engine.architecture, this.isImageToken);
    for (const name of ["ids", "positions", "patchOfToken", "pixels", "visionSpan"] as const)
      engine.write(inputs[name], packed[name]);
    engine.write(buffers.slotOfToken, packed.slot);
    return { tokens: packed.tokens, patches: packed.patches, imageTokens: packed.imageTokens };
  }

  /** Uploads the first input token, position and random key of every conversation. */
  private startDecoding(requests: readonly GenerateRequest[], prefills: readonly Prefill[]): void {
    const { engine, buffers } = this;
    const state = new Uint32Array(requests.length * 4);
    prefills.forEach(({ ids, start, rngKey }, i) => {
      state.set([start + ids.length, 0, 0, rngKey], i * 4);
    });
    engine.write(buffers.state, state);
    engine.write(
      buffers.slotOfReply,
      Uint32Array.from(requests, ({ slot }) => slot),
    );
    engine.write(
      buffers.nextIds,
      Uint32Array.from(prefills, ({ last }) => last),
    );
  }

  private async decode(
    count: number,
    sampling: Sampling,
    lastPrefill: () => PassReplay[],
    signal?: AbortSignal,
  ): Promise<Completion[]> {
    const plan = await this.decodePlan();
    const chunk = this.tokensBetweenReads(count);
    const values = {
      tokens: count,
      steps: CHUNK,
      temperature: sampling.temperature,
      topP: sampling.topP,
      topK: sampling.topK,
      maxTokens: sampling.maxTokens,
      seed: sampling.seed >>> 0,
    };
    for (let done = 0; ; ) {
      signal?.throwIfAborted();
      const steps = Math.min(chunk, sampling.maxTokens - done);
      const before = done === 0 ? lastPrefill() : [];
      done += steps;
      const result = await this.decodeChunk(before, { plan, values }, steps);
      if (done >= sampling.maxTokens || result.every((reply) => reply !== null))
        return result as Completion[];
    }
  }

  /** A reply that is decoded in one dispatch stops by itself, so nothing has to be read before its end. */
  private tokensBetweenReads(count: number): number {
    if (!this.inOneDispatch) return CHUNK;
    const { gpu, buffers } = this.engine;
    const operations = SUBMITTED_OPERATIONS[gpu.caps.software ? "software" : "hardware"];
    const perToken = 2 * buffers.layout.count * count;
    return Math.max(1, Math.floor(operations / perToken / CHUNK)) * CHUNK;
  }

  /** Whether decoding evaluates the value head, too. */
  private get givesValues(): boolean {
    return this.inOneDispatch && this.engine.architecture.critic === "head";
  }

  private get inOneDispatch(): boolean {
    return this.buffers.keys.whole !== null;
  }

  /** `steps` tokens, after what comes before them, in one submission and one read-back; null for replies that go on. */
  private async decodeChunk(
    before: readonly PassReplay[],
    decoding: PassReplay & { values: { tokens: number } },
    steps: number,
  ): Promise<(Completion | null)[]> {
    const { tokens: count } = decoding.values;
    const repeats = this.inOneDispatch ? Math.ceil(steps / CHUNK) : steps;
    const { states, drawn } = await this.engine.submitAndRead(
      [...before, ...Array<PassReplay>(repeats).fill(decoding)],
      {
        states: { tensor: this.buffers.state, length: count * 4 },
        drawn: { tensor: this.buffers.drawn, length: count * this.options.maxReply * 4 },
      },
    );
    return this.repliesIn(states, drawn, count);
  }

  private repliesIn(
    states: Float32Array<ArrayBuffer>,
    drawn: Float32Array<ArrayBuffer>,
    count: number,
  ): (Completion | null)[] {
    const { maxReply } = this.options;
    const words = new Uint32Array(states.buffer);
    return Array.from({ length: count }, (_, i) => {
      const length = words[i * 4 + 1] as number;
      if (words[i * 4 + 2] === 0) return null;
      const column = (c: number) =>
        Float32Array.from({ length }, (_, t) => drawn[(i * maxReply + t) * 4 + c] as number);
      return {
        ids: Int32Array.from(column(0)),
        logprobs: column(1),
        entropies: column(2),
        ...(this.givesValues && { values: column(3) }),
      };
    });
  }

  /** The first `count` layers over the cache, from the first residual stream; returns the last one. Activations are not kept. */
  private cachedLayers(net: Network, slot: Tensor, count = net.architecture.decoder.layers): Tensor {
    const { x, layers } = net.ws.decoder;
    for (let i = 0; i < count; i++)
      decoderLayer(net, i, this.cachedAttention(net, i, slot)).forward(
        x[i % 2] as Tensor,
        x[(i + 1) % 2] as Tensor,
        layers[0] as LayerActivations,
      );
    return x[count % 2] as Tensor;
  }

  /** Fills the cache. Nothing but keys and values is read of the last layer. */
  private fillCache(net: Network): void {
    const last = net.architecture.decoder.layers - 1;
    const { slotOfToken } = this.buffers;
    const x = this.cachedLayers(net, slotOfToken, last);
    const layer = decoderLayer(net, last, this.cachedAttention(net, last, slotOfToken, false));
    layer.attend(x, net.ws.decoder.layers[0] as LayerActivations);
  }

  /** Appends keys and values of layer `i` to its cache, then attends over the cache if `attends`. */
  private cachedAttention(
    { rec, architecture, ws }: Network,
    i: number,
    slot: Tensor,
    attends = true,
  ): Attention {
    const { heads, kvHeads, headDim } = architecture.decoder;
    const { keys, values } = this.buffers;
    const cache = { cache_k: keys.layers[i] as Tensor, cache_v: values.layers[i] as Tensor };
    const uniforms = { n: "tokens" as const, heads, kv_heads: kvHeads, t_max: this.options.maxContext };
    return {
      forward({ qkv, attended }) {
        const bound = { qkv, slot, positions: ws.inputs.positions, ...cache };
        rec.plan.add(cacheWrite, bound, { ...uniforms, head_dim: headDim });
        if (!attends) return;
        const constants = { HEAD_VEC4: headDim / 4 };
        rec.plan.add(attentionCached(rec.caps), { ...bound, out: attended }, uniforms, constants);
      },
      backward() {
        throw new Error("attention over the cache has no gradient");
      },
    };
  }

  private prefillPlan(): Promise<PassPlan> {
    return this.engine.plan(`prefill, ${this.weights.slot.label}`, (rec) => {
      const net = networkOf(rec, this.engine, this.weights);
      embedTokens(net, towerForward(net));
      this.fillCache(net);
    });
  }

  private decodePlan(): Promise<PassPlan> {
    const { whole: keys } = this.buffers.keys;
    const { whole: values } = this.buffers.values;
    return keys && values ? this.decodeReplyPlan(keys, values) : this.decodeTokenPlan();
  }

  /** What the draw of a token reads, in either way of decoding. */
  private samplingUniforms() {
    const { maxReply, endOfTurn } = this.options;
    return {
      vocab: this.engine.architecture.vocab,
      max_tokens: "maxTokens",
      out_stride: maxReply,
      eos: endOfTurn,
      seed: "seed",
      temperature: "temperature",
      top_p: "topP",
      top_k: "topK",
    } as const;
  }

  private decodeReplyPlan(cache_k: Tensor, cache_v: Tensor): Promise<PassPlan> {
    const { engine, buffers, options, weights } = this;
    const { architecture, gpu } = engine;
    const { ws, layout } = engine.buffers;
    const { state, nextIds: ids, slotOfReply: slot, drawn } = buffers;
    const bound = {
      params: weights,
      frequencies: ws.ropeFrequencies,
      slot,
      cache_k,
      cache_v,
      state,
      ids,
      drawn,
    };
    return engine.plan(`decode, ${weights.slot.label}`, (rec) => {
      rec.plan.add(
        decodeReply(gpu.caps),
        bound,
        {
          b: "tokens",
          steps: "steps",
          t_max: options.maxContext,
          cache_layer: cacheLayer(architecture, options) / 4,
          eps: architecture.normEps,
          ...this.samplingUniforms(),
          ...decodePlaces(architecture, layout),
        },
        decodeConstants(architecture, layout, gpu.caps, options.slots),
      );
    });
  }

  private decodeTokenPlan(): Promise<PassPlan> {
    const { engine, buffers, options, weights } = this;
    const inputs = { ...engine.buffers.ws.inputs, ids: buffers.nextIds };
    const ws = { ...engine.buffers.ws, inputs };
    const { vision } = engine.architecture;
    return engine.plan(`decode a token, ${weights.slot.label}`, (recording) => {
      const rec = { ...recording, fewRows: true, rows: options.slots };
      const net = { ...networkOf(rec, engine, weights), ws };
      const { state, noPatch, drawn } = buffers;
      rec.plan.add(decodePositions, { state, positions: ws.inputs.positions }, { b: "tokens" });
      embedTokens(net, vision.connector ? ws.pictureTokens : (ws.tower.x[0] as Tensor), noPatch);
      finalNorm(net, this.cachedLayers(net, buffers.slotOfReply), "tokens");
      headForward(net, ws.logits, "tokens");
      rec.plan.add(
        sample(rec.caps),
        { logits: ws.logits, state, ids: inputs.ids, drawn },
        {
          b: "tokens",
          ...this.samplingUniforms(),
          stride: engine.architecture.vocabStride,
        },
      );
    });
  }

  /** Compiles ahead of time. */
  async prepare(): Promise<void> {
    await Promise.all([this.prefillPlan(), this.decodePlan()]);
  }
}
