// A fixed sequence of dispatches, built once and replayed: no allocation and no bind-group creation in the steady state.
import type { Gpu } from "./device.ts";
import { type KernelSpec, uniformBytes } from "./kernel.ts";
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
  pipeline: GPUComputePipeline | null;
  bindGroup: GPUBindGroup | null;
}

/** One dispatch of a plan; tensors are in the order of the spec's bindings. */
export type Dispatched = Pick<Step, "spec" | "tensors"> & { index: number };

/** Values of the named uniforms of one replay, e.g. { tokens: 1830, lr: 4e-4 }. */
export type PlanValues<Name extends string = string> = Readonly<Partial<Record<Name, number>>>;

/** `Name` lists the values that uniforms may name. */
export class Plan<Name extends string = string> {
  private readonly steps: Step[] = [];
  private uniformBuffer: GPUBuffer | null = null;
  private mirror = new ArrayBuffer(0);
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
      resolved: {},
      pipeline: null,
      bindGroup: null,
    });
    this.bytes += Math.ceil(size / BINDING_ALIGNMENT) * BINDING_ALIGNMENT;
  }

  /** Compiles pipelines in parallel and makes every bind group. `onCompiled` is called as each becomes ready. */
  async build(gpu: Gpu, onCompiled?: () => void): Promise<void> {
    const { device } = gpu;
    this.mirror = new ArrayBuffer(Math.max(this.bytes, 16));
    this.uniformBuffer = device.createBuffer({
      label: `${this.label} uniforms`,
      size: this.mirror.byteLength,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
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

  /**
   * Writes the uniforms of this replay: one `writeBuffer` for the whole plan. It takes effect before the next submit,
   * so a plan may be encoded several times in one submission only with the same values.
   */
  setValues(gpu: Gpu, values: PlanValues<Name>): void {
    const ints = new Uint32Array(this.mirror);
    const floats = new Float32Array(this.mirror);
    for (const step of this.steps) {
      const resolved = resolve(step, values, this.label);
      let at = step.uniformOffset / 4;
      for (const name in step.spec.uniforms) {
        if (step.spec.uniforms[name] === "u32") ints[at] = resolved[name] as number;
        else floats[at] = resolved[name] as number;
        at++;
      }
    }
    gpu.device.queue.writeBuffer(this.uniformBuffer as GPUBuffer, 0, this.mirror);
  }

  /** Records every dispatch into `pass`, with grids computed from the same values as `setValues`. */
  encode(pass: GPUComputePassEncoder, values: PlanValues<Name>): void {
    for (const step of this.steps) this.encodeStep(pass, step, values);
  }

  private encodeStep(pass: GPUComputePassEncoder, step: Step, values: PlanValues<Name>): void {
    const [x, y = 1, z = 1] = step.spec.grid(resolve(step, values, this.label), step.constants);
    if (x === 0 || y === 0 || z === 0) return;
    pass.setPipeline(step.pipeline as GPUComputePipeline);
    pass.setBindGroup(0, step.bindGroup);
    pass.dispatchWorkgroups(x, y, z);
  }

  /** Encodes and submits the plan alone. */
  run(gpu: Gpu, values = {} as PlanValues<Name>): void {
    runTogether(gpu, [this], values);
  }

  /** Runs the plan with a submission for each dispatch, which is yielded after it was submitted; for debugging. */
  *runStepwise(gpu: Gpu, values: PlanValues<Name>): Generator<Dispatched> {
    this.setValues(gpu, values);
    for (const [index, step] of this.steps.entries()) {
      submitPass(gpu, step.spec.label, (pass) => this.encodeStep(pass, step, values));
      yield { index, spec: step.spec, tensors: step.tensors };
    }
  }

  destroy(): void {
    this.uniformBuffer?.destroy();
    this.uniformBuffer = null;
  }
}

/** Records a compute pass, after clearing tensors, and submits it. */
function submitPass(
  gpu: Gpu,
  label: string,
  record: (pass: GPUComputePassEncoder) => void,
  cleared: readonly Tensor[] = [],
): void {
  const encoder = gpu.device.createCommandEncoder({ label });
  for (const tensor of cleared) encoder.clearBuffer(bufferOf(tensor));
  const pass = encoder.beginComputePass({ label });
  record(pass);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
}

/**
 * Runs plans one after another in one submission, all with the same values. A plan may occur several times.
 * @param cleared tensors whose whole buffers are set to zero first.
 */
export function runTogether<Name extends string>(
  gpu: Gpu,
  plans: readonly Plan<Name>[],
  values: PlanValues<Name>,
  cleared: readonly Tensor[] = [],
): void {
  const distinct = [...new Set(plans)];
  for (const plan of distinct) plan.setValues(gpu, values);
  const label = distinct.map((plan) => plan.label).join(", ");
  const record = (pass: GPUComputePassEncoder) => {
    for (const plan of plans) plan.encode(pass, values);
  };
  submitPass(gpu, label, record, cleared);
}

/** The numbers of a step's uniforms under `values`, in `step.resolved`. */
function resolve(step: Step, values: PlanValues, plan: string): Readonly<Record<string, number>> {
  const { uniforms, resolved } = step;
  for (const name in step.spec.uniforms) {
    const value = uniforms[name] as UniformValue;
    const number = typeof value === "number" ? value : values[value];
    if (number === undefined) throw new Error(`plan ${plan}: no value for the uniform ${name} (${value})`);
    resolved[name] = number;
  }
  return resolved;
}
