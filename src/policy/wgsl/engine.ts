// The model on the GPU: parameters, plans, and the operations of a training update. Knows losses and advantages as
// kernels with numbers; what they mean is decided in training/ and rl/.
import { debug, dumpBatch } from "../../gpu/debug.ts";
import type { Gpu } from "../../gpu/device.ts";
import { runFinite } from "../../gpu/finite.ts";
import { ropeFrequencies } from "../../gpu/kernels/rope.ts";
import { bufferOf, type Tensor } from "../../gpu/memory.ts";
import { encodeTogether, Plan, runTogether } from "../../gpu/plan.ts";
import { readNamed, type Stretch } from "../../gpu/read.ts";
import {
  type AdvantageOptions,
  advantageKey,
  advantageValues,
  type LossFactsOptions,
  recordAdvantages,
  recordLossFacts,
} from "./advantages.ts";
import type { ModelArchitecture } from "./architecture.ts";
import { describeEngine, type EngineBuffers, type EngineOptions } from "./engine-buffers.ts";
import { TRAINING_PASSES } from "./flops.ts";
import { lossKey, recordLoss } from "./losses.ts";
import type { PassPlan, PassReplay, PassValues, Recording } from "./ops.ts";
import { optimizerKey, recordOptimizerStep } from "./optimizer.ts";
import { microBatches, type PackedBatch, packSequences, type Sequence } from "./pack.ts";
import { blockTable } from "./parameters.ts";
import { keepsRefDistributions, recordNewScore, recordRefPolicyScore, recordScore } from "./scoring.ts";
import { type LossKind, type StepSettings, stepValues } from "./step-settings.ts";
import type { InputTensors } from "./workspace.ts";

/** Sizes of one packed micro-batch under the names that plans use. */
const sizes = ({ tokens, targets, patches, imageTokens }: PackedBatch): PassValues => ({
  tokens,
  targets,
  patches,
  imageTokens,
});

/** Operations that may be queued without a wait: about 5 s of a software adapter, and of a graphics chip of 0.2 TFLOP/s. */
const QUEUED_OPERATIONS = { software: 2e10, hardware: 1e12 } as const;

export class Engine {
  private readonly plans = new Map<string, Promise<PassPlan>>();
  /** Pipelines of the plans that were requested since the last `reportCompiled`. */
  private compiled = { done: 0, of: 0, report: (_done: number, _of: number): void => undefined };
  /** Floating-point operations submitted since `breathe` last waited, estimated. */
  private queued = 0;

  private constructor(
    readonly gpu: Gpu,
    readonly options: EngineOptions,
    readonly buffers: EngineBuffers,
  ) {}

  /**
   * Allocates every buffer and uploads the tables that do not change. Compiles nothing: a plan is compiled on its first use, or ahead of time
   * by `prepareSteps` and `prepareScoring`.
   * @throws GpuError as `Arena.create` does.
   */
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

  /** Uploads `data` to a tensor, from element `from` on. */
  write(
    tensor: Tensor,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>,
    from = 0,
  ): void {
    if (from + data.length > tensor.length)
      throw new Error(
        `${tensor.slot.label}: ${data.length} values from ${from} on do not fit into ${tensor.length}`,
      );
    if (data.length > 0) this.gpu.device.queue.writeBuffer(bufferOf(tensor), tensor.offset + from * 4, data);
  }

  /** From now on, calls `report` as the pipelines of newly requested plans become ready: how many are, and how many there are. */
  reportCompiled(report: (done: number, of: number) => void): void {
    this.compiled = { done: 0, of: 0, report };
  }

  /** Plans are built once, on first use, and kept. */
  plan(key: string, record: (rec: Recording) => void): Promise<PassPlan> {
    const known = this.plans.get(key);
    if (known) return known;
    const { gpu, options, buffers } = this;
    const plan: PassPlan = new Plan(key);
    record({ plan, caps: gpu.caps, partials: buffers.weightPartials, rows: options.microTokens });
    const { compiled } = this;
    compiled.of += plan.dispatches;
    const built = plan.build(gpu, () => compiled.report(++compiled.done, compiled.of)).then(() => plan);
    this.plans.set(key, built);
    return built;
  }

  /** Replaces parameters and, when given, the optimiser's moments and states; without them the optimiser starts afresh. */
  setParameters(
    params: Float32Array<ArrayBuffer>,
    optimizer?: {
      m: Float32Array<ArrayBuffer>;
      v: Float32Array<ArrayBuffer>;
      state: Float32Array<ArrayBuffer>;
      criticState: Float32Array<ArrayBuffer>;
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
    this.write(buffers.criticState, optimizer.criticState);
  }

  /** Fresh moments, step count zero. */
  resetOptimizer(): void {
    const { m, v, optimizerState, criticState } = this.buffers;
    this.clear([m, v, optimizerState, criticState]);
  }

  private clear(tensors: readonly Tensor[]): void {
    this.encode("clear", (encoder) => {
      for (const tensor of tensors) encoder.clearBuffer(bufferOf(tensor));
    });
  }

  private encode(label: string, record: (encoder: GPUCommandEncoder) => void): void {
    const encoder = this.gpu.device.createCommandEncoder({ label });
    record(encoder);
    this.gpu.device.queue.submit([encoder.finish()]);
  }

  /** Freezes the present policy as the ref policy of KL terms. */
  freezeRefPolicy(): void {
    this.copyPolicy(this.buffers.refParams);
  }

  /** Makes the present policy the one that plays while it is trained. */
  refreshRolloutPolicy(): void {
    this.copyPolicy(this.buffers.rolloutParams);
  }

  private copyPolicy(to: Tensor): void {
    const { params } = this.buffers;
    this.encode(`copy to ${to.slot.label}`, (encoder) =>
      encoder.copyBufferToBuffer(bufferOf(params), 0, bufferOf(to), 0, params.length * 4),
    );
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

  /** Runs `plan` over `sequences` in micro-batches, one submission each; `passes` is its cost in forward passes. */
  private async runPacked(
    plan: PassPlan,
    sequences: readonly Sequence[],
    values: PassValues,
    passes = 1,
  ): Promise<void> {
    for (const micro of microBatches(sequences, this.options.microTokens)) {
      const packed = packSequences(micro, this.architecture);
      await this.breathe(packed.tokens, passes);
      this.uploadPacked(packed);
      await this.submit([plan], { ...sizes(packed), ...values });
    }
  }

  /**
   * Clears tensors and runs plans in one submission; with the debug switch `finite`, one dispatch at a time.
   * @throws Error with that switch, naming the first tensor that is not finite.
   */
  async submit(
    plans: readonly PassPlan[],
    values: PassValues,
    cleared: readonly Tensor[] = [],
  ): Promise<void> {
    const replays = plans.map((plan) => ({ plan, values }));
    if (!debug.finite) return runTogether(this.gpu, replays, cleared);
    this.clear(cleared);
    for (const plan of plans) await runFinite(this.gpu, plan, values);
  }

  /**
   * Runs replays and reads what they computed, in one submission; with the debug switch `finite`, one dispatch at a time, between which
   * episodes that are played ahead may be uploaded.
   * @throws Error with that switch, as `submit` does; GpuError as `Gpu.read`.
   */
  async submitAndRead<Wanted extends Readonly<Record<string, Stretch>>>(
    replays: readonly PassReplay[],
    wanted: Wanted,
  ): Promise<{ [Name in keyof Wanted]: Float32Array<ArrayBuffer> }> {
    if (!debug.finite) return readNamed(this.gpu, wanted, encodeTogether(this.gpu, replays));
    for (const { plan, values } of replays) await runFinite(this.gpu, plan, values);
    return readNamed(this.gpu, wanted);
  }

  /**
   * Waits before work that would give the device more than a few seconds of it. A wait costs what hundreds of dispatches do, but
   * without any the queue of a slow adapter would run into the time limit of the next read. The CPU is free after the last submission.
   */
  private async breathe(tokens: number, passes: number): Promise<void> {
    const work = 2 * this.buffers.layout.count * tokens * passes;
    const most = QUEUED_OPERATIONS[this.gpu.caps.software ? "software" : "hardware"];
    if (this.queued > 0 && this.queued + work > most) {
      this.queued = 0;
      await this.gpu.settle();
    }
    this.queued += work;
  }

  /** Log-probabilities, entropies and values at the target positions of `sequences`, onto the batch axis. */
  async score(sequences: readonly Sequence[], temperature: number): Promise<void> {
    await this.runPacked(await this.scorePlan(), sequences, { temperature });
  }

  private scorePlan(): Promise<PassPlan> {
    return this.plan("score", (rec) => recordScore(rec, this));
  }

  /** Whether a batch has room for the ref policy's distributions. An exact KL then reads what `scoreRefPolicy` left before `step`. */
  get keepsRefDistributions(): boolean {
    return keepsRefDistributions(this);
  }

  /** Log-probabilities under the ref policy, onto the batch axis; with `distributions` those of the whole vocabulary, too. */
  async scoreRefPolicy(
    sequences: readonly Sequence[],
    temperature: number,
    distributions = false,
  ): Promise<void> {
    await this.runPacked(await this.refPolicyPlan(distributions), sequences, { temperature });
  }

  private refPolicyPlan(distributions: boolean): Promise<PassPlan> {
    const key = distributions ? "ref policy, distributions" : "ref policy";
    return this.plan(key, (rec) => recordRefPolicyScore(rec, this, distributions));
  }

  /** Log-probabilities under the present policy, beside those that `score` left on the batch axis. */
  async scoreNew(sequences: readonly Sequence[], temperature: number): Promise<void> {
    const plan = await this.plan("new log-probabilities", (rec) => recordNewScore(rec, this));
    await this.runPacked(plan, sequences, { temperature });
  }

  /** Advantages and returns of the batch on the batch axis; whitened over the policy's tokens when asked. */
  async advantages(options: AdvantageOptions, episodes: number, tokens: number): Promise<void> {
    const plan = await this.advantagePlan(options);
    await this.submit([plan], { s: episodes, n: tokens, ...advantageValues(options) });
  }

  /** Puts together what the policy loss reads about the batch; after `score` and `advantages`, before `step`. */
  async lossFacts(options: LossFactsOptions, tokens: number): Promise<void> {
    const { behaviour, behaviourCap, advantageScale, refPolicy } = options;
    const plan = await this.plan(`loss facts ${behaviour} ref policy ${refPolicy}`, (rec) =>
      recordLossFacts(rec, this.buffers.batch, options),
    );
    await this.submit([plan], { n: tokens, behaviourCap, advantageScale });
  }

  /**
   * Values after the last tokens of truncated trajectories, 0 for the others. `sequences` are the truncated ones, each with one
   * more token whose target position lies at place `tokens` + s of the batch axis, for trajectory s of `episodes`.
   */
  async bootstrap(sequences: readonly Sequence[], tokens: number, episodes: number): Promise<void> {
    const { values, bootstrap } = this.buffers.batch;
    const from = values.offset + tokens * 4;
    this.encode("bootstrap", (encoder) => encoder.clearBuffer(bufferOf(values), from, episodes * 4));
    await this.score(sequences, 1);
    this.encode("bootstrap", (encoder) =>
      encoder.copyBufferToBuffer(bufferOf(values), from, bufferOf(bootstrap), bootstrap.offset, episodes * 4),
    );
  }

  private advantagePlan(options: AdvantageOptions): Promise<PassPlan> {
    return this.plan(advantageKey(options), (rec) => recordAdvantages(rec, this.buffers.batch, options));
  }

  private lossPlan(kind: LossKind): Promise<PassPlan> {
    return this.plan(lossKey(kind), (rec) => recordLoss(rec, this, kind));
  }

  private optimizePlan(kind: LossKind): Promise<PassPlan> {
    return this.plan(optimizerKey(kind), (rec) => recordOptimizerStep(rec, this.buffers, kind));
  }

  /** Compiles ahead of time what steps of these kinds, and these advantages, will use. */
  async prepareSteps(kinds: readonly LossKind[], advantages: readonly AdvantageOptions[]): Promise<void> {
    await Promise.all([
      ...kinds.flatMap((kind) => [this.optimizePlan(kind), this.lossPlan(kind)]),
      ...advantages.map((options) => this.advantagePlan(options)),
    ]);
  }

  /**
   * Compiles ahead of time what scores a batch.
   * @param refPolicy how `scoreRefPolicy` is called; null: not at all.
   */
  async prepareScoring(refPolicy: { distributions: boolean } | null): Promise<void> {
    await Promise.all([this.scorePlan(), refPolicy && this.refPolicyPlan(refPolicy.distributions)]);
  }

  /** Clears the sums that `readTotals` reports; call when an update begins. */
  clearTotals(): void {
    this.clear([this.buffers.totals, this.buffers.valueTotals]);
  }

  /**
   * One optimiser step on `sequences` (a minibatch): gradients accumulate over micro-batches, one submission each, and
   * the last one clips and applies them. Nothing is read back, and the step may still be queued when this resolves.
   * @param inBatch sequences of the whole batch; only a ratio that tokens share needs it.
   */
  async step(sequences: readonly Sequence[], settings: StepSettings, inBatch = 0): Promise<void> {
    const [loss, optimize] = await Promise.all([
      this.lossPlan(settings.kind),
      this.optimizePlan(settings.kind),
    ]);
    const micros = microBatches(sequences, this.options.microTokens).map((micro) =>
      packSequences(micro, this.architecture),
    );
    const values = this.stepNumbers(sequences, settings, inBatch);
    for (const [i, packed] of micros.entries()) {
      await this.breathe(packed.tokens, TRAINING_PASSES.policy);
      this.uploadPacked(packed);
      dumpBatch({ packed, values });
      const isLast = i === micros.length - 1;
      const cleared = i === 0 ? [this.buffers.grads] : [];
      await this.submit(isLast ? [loss, optimize] : [loss], { ...sizes(packed), ...values }, cleared);
    }
  }

  private stepNumbers(sequences: readonly Sequence[], settings: StepSettings, inBatch: number): PassValues {
    return { ...stepValues(settings, sequences), s: inBatch, teacherFrom: this.options.batchTokens };
  }

  /**
   * Gives the tokens of the batch their teacher's log-probabilities (Nb), `NO_TEACHER` where a token has none; before `step`.
   * @throws Error unless the engine was made for a teacher.
   */
  setTeacher(logprobs: Float32Array<ArrayBuffer>): void {
    this.write(this.buffers.batch.policyWeights, logprobs, this.options.batchTokens);
  }

  /** Forward and backward only: leaves the gradients of the minibatch in `buffers.grads`. For tests and profiles. */
  async gradients(sequences: readonly Sequence[], settings: StepSettings, inBatch = 0): Promise<void> {
    const loss = await this.lossPlan(settings.kind);
    this.clear([this.buffers.grads]);
    await this.runPacked(
      loss,
      sequences,
      this.stepNumbers(sequences, settings, inBatch),
      TRAINING_PASSES.policy,
    );
  }

  dispose(): void {
    this.buffers.arena.destroy();
    for (const plan of this.plans.values()) plan.then((p) => p.destroy()).catch(() => undefined);
  }
}
