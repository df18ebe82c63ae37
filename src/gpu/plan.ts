// A fixed sequence of dispatches, built once and replayed: no allocation and no bind-group creation in the steady state.
import type { Gpu } from "./device.ts";
import { type Grid, type KernelSpec, uniformBytes } from "./kernel.ts";
import { BINDING_ALIGNMENT, bufferOf, type Tensor } from "./memory.ts";

/** A uniform is a number known at build time, or the name of one that the caller gives for every replay. */
export type UniformValue<Name extends string = string> = number | Name;

interface Step {
  spec: KernelSpec;
  constants: Readonly<Record<string, number>>;
  tensors: readonly Tensor[];
  uniforms: Readonly<Record<string, UniformValue>>;
  uniformOffset: number;
  /** The uniforms' numbers in the last replay; kept, so that replays allocate nothing. */
  readonly resolved: Record<string, number>;
  /** Those that a replay names: most keep the number that they were recorded with. */
  readonly named: readonly NamedUniform[];
  /** Workgroups under `resolved`, kept while it does not change. */
  workgroups: Grid | null;
  pipeline: GPUComputePipeline | null;
  bindGroup: GPUBindGroup | null;
}

/** A uniform whose number comes with each replay, and its place among the 4-byte words of the plan's uniforms. */
interface NamedUniform {
  readonly name: string;
  readonly value: string;
  readonly at: number;
  readonly isInt: boolean;
}

/** One dispatch of a plan; tensors are in the order of the spec's bindings. */
export type Dispatched = Pick<Step, "spec" | "tensors"> & { index: number };

/** Values of the named uniforms of one replay, e.g. { tokens: 1830, lr: 4e-4 }. */
export type PlanValues<Name extends string = string> = Readonly<Partial<Record<Name, number>>>;

/** `Name` lists the values that uniforms may name. */
export class Plan<Name extends string = string> {
  private readonly steps: Step[] = [];
  private uniformBuffer: GPUBuffer | null = null;
  /** Whether uniforms have changed since they were last written. */
  private isUnwritten = false;
  /** What `uniformBuffer` holds, as words of either type. */
  private ints = new Uint32Array(0);
  private floats = new Float32Array(0);
  private bytes = 0;

  constructor(readonly label: string) {}

  get dispatches(): number {
    return this.steps.length;
  }

  /** Labels in order, for profiles and tests. */
  get labels(): readonly string[] {
    return this.steps.map((step) => step.spec.label);
  }

  /** Appends one dispatch. A forgotten buffer, uniform or constant is a compile error. */
  add<U extends string, B extends string, C extends string>(
    spec: KernelSpec<U, B, C>,
    tensors: Readonly<Record<NoInfer<B>, Tensor>>,
    uniforms: Readonly<Record<NoInfer<U>, UniformValue<Name>>>,
    constants?: Readonly<Partial<Record<NoInfer<C>, number>>>,
  ): void {
    const ordered = (Object.keys(spec.bindings) as B[]).map((name) => tensors[name]);
    const size = uniformBytes(spec as unknown as KernelSpec);
    this.steps.push({
      spec: spec as unknown as KernelSpec,
      constants: { ...spec.constants, ...constants } as Record<string, number>,
      tensors: ordered,
      uniforms,
      uniformOffset: this.bytes,
      ...splitUniforms(spec as unknown as KernelSpec, uniforms, this.bytes / 4),
      workgroups: null,
      pipeline: null,
      bindGroup: null,
    });
    this.bytes += Math.ceil(size / BINDING_ALIGNMENT) * BINDING_ALIGNMENT;
  }

  /** Compiles pipelines in parallel and makes every bind group. `onCompiled` is called as each becomes ready. */
  async build(gpu: Gpu, onCompiled?: () => void): Promise<void> {
    const { device } = gpu;
    this.ints = new Uint32Array(Math.max(this.bytes, 16) / 4);
    this.floats = new Float32Array(this.ints.buffer);
    this.uniformBuffer = device.createBuffer({
      label: `${this.label} uniforms`,
      size: this.ints.byteLength,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    for (const step of this.steps) this.storeConstants(step);
    device.queue.writeBuffer(this.uniformBuffer, 0, this.ints);
    await Promise.all(
      this.steps.map(async (step) => {
        const { pipeline, layout } = await gpu.compile(step.spec, step.constants);
        step.pipeline = pipeline;
        step.bindGroup = device.createBindGroup({
          label: step.spec.label,
          layout,
          entries: this.entries(step),
        });
        onCompiled?.();
      }),
    );
  }

  private entries(step: Step): GPUBindGroupEntry[] {
    const storage = step.tensors.map((tensor, i) => ({
      binding: i + 1,
      resource: {
        buffer: bufferOf(tensor),
        offset: tensor.offset,
        size: Math.max(16, Math.ceil(tensor.length / 4) * 16),
      },
    }));
    const size = uniformBytes(step.spec);
    if (size === 0) return storage;
    return [
      { binding: 0, resource: { buffer: this.uniformBuffer as GPUBuffer, offset: step.uniformOffset, size } },
      ...storage,
    ];
  }

  private storeConstants({ spec, resolved, uniformOffset }: Step): void {
    for (const [i, [name, type]] of Object.entries(spec.uniforms).entries())
      (type === "u32" ? this.ints : this.floats)[uniformOffset / 4 + i] = resolved[name] ?? 0;
  }

  /**
   * Writes the uniforms of this replay: one `writeBuffer` for the whole plan, and none where they are those of the last one. It takes
   * effect before the next submit, so a plan may be encoded several times in one submission only with the same values.
   */
  setValues(gpu: Gpu, values: PlanValues<Name>): void {
    for (const step of this.steps)
      for (const uniform of step.named) {
        const { at, isInt } = uniform;
        const words = isInt ? this.ints : this.floats;
        const before = words[at];
        words[at] = numberFor(uniform, values, this.label);
        if (words[at] !== before) this.isUnwritten = true;
      }
    if (!this.isUnwritten) return;
    gpu.device.queue.writeBuffer(this.uniformBuffer as GPUBuffer, 0, this.ints);
    this.isUnwritten = false;
  }

  /** Records every dispatch into `pass`, with grids computed from the same values as `setValues`. */
  encode(pass: GPUComputePassEncoder, values: PlanValues<Name>): void {
    for (const step of this.steps) this.encodeStep(pass, step, values);
  }

  private encodeStep(pass: GPUComputePassEncoder, step: Step, values: PlanValues<Name>): void {
    const [x, y = 1, z = 1] = workgroupsOf(step, values, this.label);
    if (x === 0 || y === 0 || z === 0) return;
    pass.setPipeline(step.pipeline as GPUComputePipeline);
    pass.setBindGroup(0, step.bindGroup);
    pass.dispatchWorkgroups(x, y, z);
  }

  /** Encodes and submits the plan alone. */
  run(gpu: Gpu, values = {} as PlanValues<Name>): void {
    runTogether(gpu, [{ plan: this, values }]);
  }

  /** Runs the plan with a submission for each dispatch, which is yielded after it was submitted; for debugging. */
  *runStepwise(gpu: Gpu, values: PlanValues<Name>): Generator<Dispatched> {
    this.setValues(gpu, values);
    for (const [index, step] of this.steps.entries()) {
      const encoder = encodePass(gpu, step.spec.label, (pass) => this.encodeStep(pass, step, values));
      gpu.device.queue.submit([encoder.finish()]);
      yield { index, spec: step.spec, tensors: step.tensors };
    }
  }

  destroy(): void {
    this.uniformBuffer?.destroy();
    this.uniformBuffer = null;
  }
}

/** Records a compute pass, after clearing tensors. */
function encodePass(
  gpu: Gpu,
  label: string,
  record: (pass: GPUComputePassEncoder) => void,
  cleared: readonly Tensor[] = [],
): GPUCommandEncoder {
  const encoder = gpu.device.createCommandEncoder({ label });
  for (const tensor of cleared) encoder.clearBuffer(bufferOf(tensor));
  const pass = encoder.beginComputePass({ label });
  record(pass);
  pass.end();
  return encoder;
}

/** A plan and the values of one replay of it. */
export interface Replay<Name extends string = string> {
  readonly plan: Plan<Name>;
  readonly values: PlanValues<Name>;
}

/**
 * Encodes replays one after another, to be submitted before any of their plans is replayed again. A plan may occur several times, with
 * the same values each time, because it has one buffer for its uniforms.
 * @param cleared tensors whose whole buffers are set to zero first.
 * @throws Error for a plan with two values.
 */
export function encodeTogether<Name extends string>(
  gpu: Gpu,
  replays: readonly Replay<Name>[],
  cleared: readonly Tensor[] = [],
): GPUCommandEncoder {
  const valuesOf = distinct(replays);
  for (const [plan, values] of valuesOf) plan.setValues(gpu, values);
  const label = [...valuesOf.keys()].map((plan) => plan.label).join(", ");
  const record = (pass: GPUComputePassEncoder) => {
    for (const { plan, values } of replays) plan.encode(pass, values);
  };
  return encodePass(gpu, label, record, cleared);
}

/** The values of each plan. @throws Error for a plan with two. */
function distinct<Name extends string>(replays: readonly Replay<Name>[]): Map<Plan<Name>, PlanValues<Name>> {
  const valuesOf = new Map<Plan<Name>, PlanValues<Name>>();
  for (const { plan, values } of replays) {
    if ((valuesOf.get(plan) ?? values) !== values)
      throw new Error(`plan ${plan.label}: two replays of one submission have different values`);
    valuesOf.set(plan, values);
  }
  return valuesOf;
}

/** Runs replays as `encodeTogether` encodes them, in one submission. */
export function runTogether<Name extends string>(
  gpu: Gpu,
  replays: readonly Replay<Name>[],
  cleared: readonly Tensor[] = [],
): void {
  gpu.device.queue.submit([encodeTogether(gpu, replays, cleared).finish()]);
}

/** Uniforms with the numbers that they were recorded with, and the others, from word `first` of the plan's uniforms on. */
function splitUniforms(
  spec: KernelSpec,
  uniforms: Readonly<Record<string, UniformValue>>,
  first: number,
): Pick<Step, "resolved" | "named"> {
  const resolved: Record<string, number> = {};
  const named: NamedUniform[] = [];
  for (const [i, [name, type]] of Object.entries(spec.uniforms).entries()) {
    const value = uniforms[name] as UniformValue;
    if (typeof value === "number") resolved[name] = value;
    else named.push({ name, value, at: first + i, isInt: type === "u32" });
  }
  return { resolved, named };
}

function numberFor({ name, value }: NamedUniform, values: PlanValues, plan: string): number {
  const number = values[value];
  if (number === undefined) throw new Error(`plan ${plan}: no value for the uniform ${name} (${value})`);
  return number;
}

/** The grid of a step under `values`, computed where a number differs from the last replay's. */
function workgroupsOf(step: Step, values: PlanValues, plan: string): Grid {
  for (const uniform of step.named) {
    const number = numberFor(uniform, values, plan);
    if (number === step.resolved[uniform.name]) continue;
    step.resolved[uniform.name] = number;
    step.workgroups = null;
  }
  step.workgroups ??= step.spec.grid(step.resolved, step.constants);
  return step.workgroups;
}
