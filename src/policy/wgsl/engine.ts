// The model on the GPU: parameters, plans, and the operations of a training update. Knows losses and advantages as
// kernels with numbers; what they mean is decided in runtime/ and rl/.
import type { Gpu } from "../../gpu/device.ts";
import { crossEntropy } from "../../gpu/kernels/cross-entropy.ts";
import { logProbRows } from "../../gpu/kernels/log-prob.ts";
import { sequenceLogRatio } from "../../gpu/kernels/loss-facts.ts";
import { adamw, GRAD_NORM_PARTIALS, gradNormFinish, gradNormPartials } from "../../gpu/kernels/optimizer.ts";
import { KL_KIND, ppoLoss } from "../../gpu/kernels/ppo-loss.ts";
import { ropeFrequencies } from "../../gpu/kernels/rope.ts";
import { sumStats } from "../../gpu/kernels/stats.ts";
import { valueLoss } from "../../gpu/kernels/value-loss.ts";
import { Arena, bufferOf, type Tensor } from "../../gpu/memory.ts";
import { Plan, type PlanValues } from "../../gpu/plan.ts";
import {
  type AdvantageOptions,
  advantageKey,
  type LossFactsOptions,
  recordAdvantages,
  recordLossFacts,
} from "./advantages.ts";
import { imageTokens, type ModelArchitecture } from "./architecture.ts";
import { type BatchAxis, createBatchAxis } from "./batch-axis.ts";
import {
  headBackward,
  headForward,
  tensorsByName,
  trunkBackward,
  trunkForward,
  valueBackward,
  valueForward,
} from "./network.ts";
import { type Recording, weightSplits } from "./ops.ts";
import { microBatches, type PackedBatch, packSequences, type Sequence } from "./pack.ts";
import { blockTable, type ParameterLayout, parameterLayout } from "./parameters.ts";
import { createWorkspace, type InputTensors, type Workspace } from "./workspace.ts";

/** Estimators of the KL to the reference. */
export type KlKind = keyof typeof KL_KIND;

export interface EngineOptions {
  architecture: ModelArchitecture;
  /** Tokens of one micro-step. */
  microTokens: number;
  /** Episodes and tokens of one update's batch. */
  batchEpisodes: number;
  batchTokens: number;
  /** Sequences that the model reads of them; absent: one for each episode. */
  batchSequences?: number;
  /** Keep a frozen copy of the policy for KL terms. */
  reference: boolean;
  /** Whether the loss may use the exact KL, which needs the reference's logits. */
  fullKl: boolean;
}

/** What decides the graph of a loss; a change compiles another plan. */
export interface LossKind {
  objective: "imitation" | "ppo";
  kl: KlKind;
  /** The ratio of whole sequences instead of that of each token (GSPO). */
  sequenceRatio: boolean;
  /** The value loss reaches the trunk (a separate critic has its own). */
  valueReachesTrunk: boolean;
  clipValue: boolean;
}

/** Numbers of one optimiser step; they change without recompiling. */
export interface StepSettings {
  kind: LossKind;
  temperature: number;
  clipLow: number;
  clipHigh: number;
  /** Bound on the loss of tokens with a negative advantage, in advantages; 0 is none. */
  clipC: number;
  /** What the loss is a mean over. The weights of tokens are on the batch axis. */
  per: "token" | "sequence";
  entropyCoef: number;
  klCoef: number;
  vfCoef: number;
  valueClip: number;
  actorLr: number;
  criticLr: number;
  beta1: number;
  beta2: number;
  weightDecay: number;
  gradClip: number;
}

export const ADAM_EPS = 1e-8;

/** Every buffer that an engine needs, described without a device. */
export interface EngineBuffers {
  arena: Arena;
  layout: ParameterLayout;
  params: Tensor;
  reference: Tensor;
  grads: Tensor;
  m: Tensor;
  v: Tensor;
  blockTable: Tensor;
  optimizerState: Tensor;
  gradPartials: Tensor;
  weightPartials: Tensor;
  ws: Workspace;
  batch: BatchAxis;
  /** Sums over the rows of an update: policy loss statistics (8), value loss statistics (4). */
  totals: Tensor;
  valueTotals: Tensor;
  /** Where passes for log-probabilities alone write what nobody reads. */
  unusedEntropy: Tensor;
  unusedValues: Tensor;
}

/** Floats for the partial products of the largest split weight gradient. */
function partialsLength(layout: ParameterLayout): number {
  const largest = (software: boolean) =>
    Math.max(
      64,
      ...layout.specs.map(({ shape }) => {
        const [k = 1, n = 1] = shape;
        const splits = weightSplits({ software } as Gpu["caps"], k, n);
        return shape.length === 2 && splits > 1 ? splits * k * n : 0;
      }),
    );
  return Math.max(largest(true), largest(false));
}

export function describeEngine(options: EngineOptions): EngineBuffers {
  const { architecture, microTokens } = options;
  const arena = new Arena();
  const layout = parameterLayout(architecture);
  const flat = (label: string) => arena.tensor("parameters", label, layout.flatLength);
  const optimiser = (label: string, length: number) => arena.tensor("optimiser", label, length);
  const batchTokens = options.batchTokens;
  return {
    arena,
    layout,
    params: flat("parameters"),
    reference: arena.tensor("parameters", "reference", options.reference ? layout.flatLength : 0),
    grads: optimiser("gradients", layout.flatLength),
    m: optimiser("first moment", layout.flatLength),
    v: optimiser("second moment", layout.flatLength),
    blockTable: optimiser("parameter groups", (layout.flatLength / 64) * 2),
    optimizerState: optimiser("optimiser state", 8),
    gradPartials: optimiser("gradient norm", GRAD_NORM_PARTIALS),
    weightPartials: optimiser("weight gradient partials", partialsLength(layout)),
    ws: createWorkspace(
      arena,
      architecture,
      { tokens: microTokens, pictures: Math.ceil(microTokens / imageTokens(architecture)) },
      options.fullKl,
    ),
    batch: createBatchAxis(
      arena,
      batchTokens,
      options.batchEpisodes,
      options.batchSequences ?? options.batchEpisodes,
      64,
    ),
    totals: arena.tensor("batch", "loss totals", 8),
    valueTotals: arena.tensor("batch", "value totals", 4),
    unusedEntropy: arena.tensor("batch", "unused entropy", batchTokens),
    unusedValues: arena.tensor("batch", "unused values", batchTokens),
  };
}

/** Sizes of one packed micro-batch under the names that plans use. */
const sizes = ({ tokens, rows, patches, imageTokens: pictures }: PackedBatch): PlanValues => ({
  tokens,
  rows,
  patches,
  imageTokens: pictures,
});

export class Engine {
  private readonly plans = new Map<string, Promise<Plan>>();
  /** Called as pipelines become ready, with how many of those requested so far. */
  onCompiled: (done: number, of: number) => void = () => undefined;
  private readonly compiled = { done: 0, of: 0 };

  private constructor(
    readonly gpu: Gpu,
    readonly options: EngineOptions,
    readonly buffers: EngineBuffers,
  ) {}

  /** Allocates everything and compiles the plans that every run needs. */
  static async create(gpu: Gpu, options: EngineOptions, buffers = describeEngine(options)): Promise<Engine> {
    await buffers.arena.create(gpu);
    const engine = new Engine(gpu, options, buffers);
    const { ropeTheta, decoder } = options.architecture;
    engine.write(buffers.blockTable, blockTable(buffers.layout));
    engine.write(
      buffers.ws.ropeFrequencies,
      ropeFrequencies(ropeTheta, decoder.headDim) as Uint32Array<ArrayBuffer>,
    );
    return engine;
  }

  get architecture(): ModelArchitecture {
    return this.options.architecture;
  }

  recording(plan: Plan): Recording {
    return { plan, caps: this.gpu.caps, partials: this.buffers.weightPartials };
  }

  /** Uploads `data` to the start of a tensor. */
  write(
    tensor: Tensor,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
  ): void {
    if (data.length > tensor.length)
      throw new Error(`${tensor.slot.label}: ${data.length} values do not fit into ${tensor.length}`);
    if (data.length > 0) this.gpu.device.queue.writeBuffer(bufferOf(tensor), tensor.offset, data);
  }

  /** Plans are built once, on first use, and kept. */
  plan(key: string, record: (rec: Recording) => void): Promise<Plan> {
    const known = this.plans.get(key);
    if (known) return known;
    const plan = new Plan(key);
    record(this.recording(plan));
    this.compiled.of += plan.dispatches;
    const built = plan
      .build(this.gpu, () => this.onCompiled(++this.compiled.done, this.compiled.of))
      .then(() => plan);
    this.plans.set(key, built);
    return built;
  }

  /** Replaces parameters and, when given, the optimiser's moments and state; without them the optimiser starts afresh. */
  setParameters(
    params: Float32Array<ArrayBuffer>,
    optimizer?: {
      m: Float32Array<ArrayBuffer>;
      v: Float32Array<ArrayBuffer>;
      state: Float32Array<ArrayBuffer>;
    },
  ): void {
    const { buffers } = this;
    this.write(buffers.params, params);
    if (!optimizer) {
      this.resetOptimizer();
      return;
    }
    this.write(buffers.m, optimizer.m);
    this.write(buffers.v, optimizer.v);
    this.write(buffers.optimizerState, optimizer.state);
  }

  /** Fresh moments, step count zero. */
  resetOptimizer(): void {
    const encoder = this.gpu.device.createCommandEncoder({ label: "reset optimiser" });
    for (const tensor of [this.buffers.m, this.buffers.v, this.buffers.optimizerState])
      encoder.clearBuffer(bufferOf(tensor));
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  /** Freezes the present policy as the reference of KL terms. */
  copyPolicyToReference(): void {
    const { params, reference } = this.buffers;
    const encoder = this.gpu.device.createCommandEncoder({ label: "copy to reference" });
    encoder.copyBufferToBuffer(bufferOf(params), 0, bufferOf(reference), 0, params.length * 4);
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  async readFlat(tensor: Tensor): Promise<Float32Array<ArrayBuffer>> {
    return new Float32Array(await this.gpu.read(bufferOf(tensor), tensor.length * 4, tensor.offset));
  }

  /** Uploads what one forward pass reads. */
  uploadPacked(packed: PackedBatch): void {
    const inputs = this.buffers.ws.inputs;
    const names = Object.keys(inputs) as (keyof InputTensors)[];
    for (const name of names) this.write(inputs[name], packed[name]);
  }

  /** Runs `plan` over `sequences` in micro-batches, one submission each. */
  private async runPacked(plan: Plan, sequences: readonly Sequence[], values: PlanValues): Promise<void> {
    for (const micro of microBatches(sequences, this.options.microTokens)) {
      const packed = packSequences(micro, this.architecture);
      this.uploadPacked(packed);
      plan.run(this.gpu, { ...sizes(packed), ...values });
      await this.breathe();
    }
  }

  /** A software adapter takes seconds for a micro-step: waited for one by one, none runs into the time limit of a wait. */
  private async breathe(): Promise<void> {
    if (this.gpu.caps.software) await this.gpu.settle();
  }

  /** Log-probabilities, entropies and values of the rows of `sequences`, onto the batch axis. */
  async score(sequences: readonly Sequence[], temperature: number): Promise<void> {
    await this.runPacked(await this.scorePlan(), sequences, { temperature });
  }

  private scorePlan(): Promise<Plan> {
    const { ws, batch, params, layout } = this.buffers;
    const { vocab, vocabStride, critic } = this.architecture;
    return this.plan("score", (rec) => {
      const w = tensorsByName(params, layout);
      trunkForward(rec, this.architecture, ws, w);
      headForward(rec, this.architecture, ws, w, ws.logits);
      if (critic === "separate")
        trunkForward(rec, this.architecture, ws, tensorsByName(params, layout, "critic."));
      valueForward(rec, this.architecture, ws, w);
      rec.plan.add(
        logProbRows(rec.caps),
        {
          logits: ws.logits,
          targets: ws.inputs.target,
          src: ws.inputs.src,
          values: ws.values,
          logprobs: batch.oldLogprobs,
          entropy: batch.entropy,
          values_out: batch.values,
        },
        { r: "rows", vocab, stride: vocabStride, temperature: "temperature" },
      );
    });
  }

  /** Log-probabilities under the frozen reference, onto the batch axis. */
  async scoreReference(sequences: readonly Sequence[], temperature: number): Promise<void> {
    await this.runPacked(await this.referencePlan(), sequences, { temperature });
  }

  private referencePlan(): Promise<Plan> {
    const { ws, batch, reference, layout, unusedEntropy, unusedValues } = this.buffers;
    const { vocab, vocabStride } = this.architecture;
    return this.plan("reference", (rec) => {
      const w = tensorsByName(reference, layout);
      trunkForward(rec, this.architecture, ws, w);
      headForward(rec, this.architecture, ws, w, ws.logits);
      rec.plan.add(
        logProbRows(rec.caps),
        {
          logits: ws.logits,
          targets: ws.inputs.target,
          src: ws.inputs.src,
          values: ws.values,
          logprobs: batch.refLogprobs,
          entropy: unusedEntropy,
          values_out: unusedValues,
        },
        { r: "rows", vocab, stride: vocabStride, temperature: "temperature" },
      );
    });
  }

  /** Advantages and returns of the batch on the batch axis; whitened over the policy's tokens when asked. */
  async advantages(options: AdvantageOptions, episodes: number, tokens: number): Promise<void> {
    const plan = await this.advantagePlan(options);
    const { gamma, lam, turnGamma, turnLam, klCoef } = options;
    plan.run(this.gpu, { s: episodes, n: tokens, gamma, lam, turnGamma, turnLam, klCoef });
  }

  /** Puts together what the policy loss reads about the batch; after `score` and `advantages`, before `step`. */
  async lossFacts(options: LossFactsOptions, tokens: number): Promise<void> {
    const { behaviour, behaviourCap, advantageScale, reference } = options;
    const plan = await this.plan(`loss facts ${behaviour} reference ${reference}`, (rec) =>
      recordLossFacts(rec, this.buffers.batch, options),
    );
    plan.run(this.gpu, { n: tokens, behaviourCap, advantageScale });
  }

  /**
   * Values after the last tokens of truncated trajectories, 0 for the others. `sequences` are the truncated ones, each with one
   * more token whose prediction row lies at place `tokens` + s of the batch axis, for trajectory s of `episodes`.
   */
  async bootstrap(sequences: readonly Sequence[], tokens: number, episodes: number): Promise<void> {
    const { values, bootstrap } = this.buffers.batch;
    const from = values.offset + tokens * 4;
    const submit = (record: (encoder: GPUCommandEncoder) => void) => {
      const encoder = this.gpu.device.createCommandEncoder({ label: "bootstrap" });
      record(encoder);
      this.gpu.device.queue.submit([encoder.finish()]);
    };
    submit((encoder) => encoder.clearBuffer(bufferOf(values), from, episodes * 4));
    await this.score(sequences, 1);
    submit((encoder) =>
      encoder.copyBufferToBuffer(bufferOf(values), from, bufferOf(bootstrap), bootstrap.offset, episodes * 4),
    );
  }

  private advantagePlan(options: AdvantageOptions): Promise<Plan> {
    return this.plan(advantageKey(options), (rec) => recordAdvantages(rec, this.buffers.batch, options));
  }

  private lossPlan(kind: LossKind): Promise<Plan> {
    const { objective, kl, sequenceRatio, valueReachesTrunk, clipValue } = kind;
    const key = `loss ${objective} kl ${kl} sequence ${sequenceRatio} trunk ${valueReachesTrunk} clip ${clipValue}`;
    return this.plan(key, (rec) => this.recordLoss(rec, kind));
  }

  private recordLoss(rec: Recording, kind: LossKind): void {
    const { ws, params, reference, grads, layout } = this.buffers;
    const { architecture } = this;
    const [w, dw] = [tensorsByName(params, layout), tensorsByName(grads, layout)];
    const separate = architecture.critic === "separate";
    if (kind.objective === "ppo" && kind.kl === "full") {
      const frozen = tensorsByName(reference, layout);
      trunkForward(rec, architecture, ws, frozen);
      headForward(rec, architecture, ws, frozen, ws.refLogits);
    }
    trunkForward(rec, architecture, ws, w);
    headForward(rec, architecture, ws, w, ws.logits);
    this.recordPolicyLoss(rec, kind);
    headBackward(rec, architecture, ws, w, dw);
    if (!separate) {
      this.recordValueLoss(rec, kind);
      valueBackward(rec, architecture, ws, w, dw, kind.valueReachesTrunk ? "add" : "none");
    }
    trunkBackward(rec, architecture, ws, w, dw);
    if (separate) {
      const [wc, dwc] = [tensorsByName(params, layout, "critic."), tensorsByName(grads, layout, "critic.")];
      trunkForward(rec, architecture, ws, wc);
      this.recordValueLoss(rec, kind);
      valueBackward(rec, architecture, ws, w, dw, "set");
      trunkBackward(rec, architecture, ws, wc, dwc);
    }
  }

  private recordPolicyLoss(rec: Recording, { objective, kl, sequenceRatio }: LossKind): void {
    const { plan, caps } = rec;
    const { ws, batch, totals } = this.buffers;
    const { vocab, vocabStride: stride } = this.architecture;
    const rows = { logits: ws.logits, targets: ws.inputs.target, stats: ws.stats };
    if (objective === "imitation") {
      plan.add(crossEntropy(caps), rows, { r: "rows", vocab, stride, scale: "scale" });
    } else {
      if (sequenceRatio) this.recordSequenceRatio(rec);
      plan.add(
        ppoLoss(caps),
        {
          ...rows,
          ref_logits: kl === "full" ? ws.refLogits : batch.entropy,
          src: ws.inputs.src,
          facts: batch.facts,
          sequence_log_ratio: batch.sequenceLogRatio,
        },
        {
          r: "rows",
          vocab,
          stride,
          scale: "scale",
          temperature: "temperature",
          clip_low: "clipLow",
          clip_high: "clipHigh",
          clip_c: "clipC",
          entropy_coef: "entropyCoef",
          kl_coef: "klCoef",
        },
        { KL: KL_KIND[kl], SEQUENCE: sequenceRatio ? 1 : 0 },
      );
    }
    plan.add(sumStats(caps), { stats: ws.stats, totals }, { r: "rows" }, { COLS: 8 });
  }

  /** A ratio of whole sequences needs every token's log-probability before the first gradient. */
  private recordSequenceRatio({ plan, caps }: Recording): void {
    const { ws, batch, unusedEntropy, unusedValues } = this.buffers;
    const { vocab, vocabStride } = this.architecture;
    plan.add(
      logProbRows(caps),
      {
        logits: ws.logits,
        targets: ws.inputs.target,
        src: ws.inputs.src,
        values: ws.values,
        logprobs: batch.newLogprobs,
        entropy: unusedEntropy,
        values_out: unusedValues,
      },
      { r: "rows", vocab, stride: vocabStride, temperature: "temperature" },
    );
    plan.add(
      sequenceLogRatio,
      {
        new_logprobs: batch.newLogprobs,
        facts: batch.facts,
        loss_mask: batch.creditMask,
        starts: batch.sequenceStarts,
        log_ratio: batch.sequenceLogRatio,
      },
      { s: "s" },
    );
  }

  private recordValueLoss(rec: Recording, { clipValue }: LossKind): void {
    const { ws, batch, valueTotals, params, layout } = this.buffers;
    valueForward(rec, this.architecture, ws, tensorsByName(params, layout));
    rec.plan.add(
      valueLoss,
      {
        values: ws.values,
        src: ws.inputs.src,
        old_values: batch.values,
        returns: batch.returns,
        value_mask: batch.valueMask,
        dvalues: ws.dvalues,
        stats: ws.valueStats,
      },
      { r: "rows", scale: "valueScale", clip: "valueClip" },
      { CLIP: clipValue ? 1 : 0 },
    );
    rec.plan.add(
      sumStats(rec.caps),
      { stats: ws.valueStats, totals: valueTotals },
      { r: "rows" },
      { COLS: 4 },
    );
  }

  private optimizePlan(): Promise<Plan> {
    const {
      params,
      grads,
      m,
      v,
      blockTable: table,
      optimizerState: state,
      gradPartials,
      layout,
    } = this.buffers;
    const n = layout.flatLength;
    return this.plan("optimise", ({ plan, caps }) => {
      plan.add(gradNormPartials(caps), { grads, partials: gradPartials }, { n });
      plan.add(
        gradNormFinish(caps),
        { partials: gradPartials, state },
        { clip: "gradClip", beta1: "beta1", beta2: "beta2" },
      );
      plan.add(
        adamw,
        { params, grads, m, v, block_table: table, state },
        {
          n,
          actor_lr: "actorLr",
          critic_lr: "criticLr",
          beta1: "beta1",
          beta2: "beta2",
          eps: ADAM_EPS,
          weight_decay: "weightDecay",
        },
      );
    });
  }

  /** Compiles ahead of time what a run with these losses and estimators will use. */
  async prepare(kinds: readonly LossKind[], advantages: readonly AdvantageOptions[]): Promise<void> {
    await Promise.all([
      this.scorePlan(),
      this.optimizePlan(),
      ...kinds.map((kind) => this.lossPlan(kind)),
      ...advantages.map((options) => this.advantagePlan(options)),
    ]);
  }

  /** Clears the sums that `readTotals` reports; call when an update begins. */
  clearTotals(): void {
    const encoder = this.gpu.device.createCommandEncoder({ label: "clear totals" });
    for (const tensor of [this.buffers.totals, this.buffers.valueTotals])
      encoder.clearBuffer(bufferOf(tensor));
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  /**
   * One optimiser step on `sequences` (a minibatch): gradients accumulate over micro-batches, one submission each, and
   * the last one clips and applies them. Nothing is read back.
   * @param inBatch sequences of the whole batch; only a ratio of whole sequences needs it.
   */
  async step(sequences: readonly Sequence[], settings: StepSettings, inBatch = 0): Promise<void> {
    const { gpu } = this;
    const [loss, optimize] = await Promise.all([this.lossPlan(settings.kind), this.optimizePlan()]);
    const micros = microBatches(sequences, this.options.microTokens).map((micro) =>
      packSequences(micro, this.architecture),
    );
    const values = { ...stepValues(settings, sequences), s: inBatch };
    for (const [i, packed] of micros.entries()) {
      this.uploadPacked(packed);
      const own = { ...sizes(packed), ...values };
      loss.setValues(gpu, own);
      const encoder = gpu.device.createCommandEncoder({ label: "micro-step" });
      if (i === 0) encoder.clearBuffer(bufferOf(this.buffers.grads));
      const pass = encoder.beginComputePass({ label: "micro-step" });
      loss.encode(pass, own);
      if (i === micros.length - 1) {
        optimize.setValues(gpu, own);
        optimize.encode(pass, own);
      }
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
      await this.breathe();
    }
    await gpu.settle();
  }

  /** Forward and backward only: leaves the gradients of the minibatch in `buffers.grads`. For tests and profiles. */
  async gradients(sequences: readonly Sequence[], settings: StepSettings, inBatch = 0): Promise<void> {
    const loss = await this.lossPlan(settings.kind);
    const encoder = this.gpu.device.createCommandEncoder({ label: "clear gradients" });
    encoder.clearBuffer(bufferOf(this.buffers.grads));
    this.gpu.device.queue.submit([encoder.finish()]);
    await this.runPacked(loss, sequences, { ...stepValues(settings, sequences), s: inBatch });
  }

  dispose(): void {
    this.buffers.arena.destroy();
    for (const plan of this.plans.values()) plan.then((p) => p.destroy()).catch(() => undefined);
  }
}

const marked = (mask: Uint8Array) => mask.subarray(1).reduce((sum, x) => sum + x, 0);

/** Means over the minibatch: of its tokens or its sequences for the policy, of the tokens whose value is trained for the critic. */
function stepValues({ kind: _, per, ...numbers }: StepSettings, sequences: readonly Sequence[]): PlanValues {
  const total = (mask: (sequence: Sequence) => Uint8Array) =>
    sequences.reduce((sum, sequence) => sum + marked(mask(sequence)), 0);
  const count = per === "sequence" ? sequences.length : total(({ rowMask }) => rowMask);
  const valueCount = total(({ rowMask, valueMask = rowMask }) => valueMask);
  const inverse = (n: number) => (n > 0 ? 1 / n : 0);
  return { ...numbers, scale: inverse(count), valueScale: inverse(valueCount) * numbers.vfCoef };
}
