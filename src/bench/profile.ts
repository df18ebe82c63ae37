// Where the time of a plan goes: every dispatch is repeated alone, and its work compared with the device's rooflines.
import type { Gpu } from "../gpu/device.ts";
import type { Grid, KernelSpec } from "../gpu/kernel.ts";
import type { Tensor } from "../gpu/memory.ts";
import { Plan, type PlanValues, type UniformValue } from "../gpu/plan.ts";
import { wallTime } from "../gpu/stopwatch.ts";
import { spread } from "./stats.ts";
import { timed } from "./timed.ts";

/** One dispatch of a plan as it was recorded. */
interface Recorded {
  spec: KernelSpec;
  tensors: readonly Tensor[];
  uniforms: Readonly<Record<string, UniformValue>>;
  constants: Readonly<Record<string, number>>;
}

/** One dispatch of a replay. */
interface Dispatch {
  label: string;
  pipeline: GPUComputePipeline;
  bindGroup: GPUBindGroup;
  grid: Required<Grid>;
  flops: number;
  bytes: number;
}

/** All dispatches of one kernel in one replay. */
export interface KernelTime {
  label: string;
  dispatches: number;
  ms: number;
  /** Of matrix products and attention; 0 for the others. */
  flops: number;
  /** Every bound array once, as far as a dispatch touches it. */
  bytes: number;
}

const recorded = new WeakMap<Plan, Recorded[]>();
let replays: { plan: Plan; values: PlanValues }[] | null = null;
let originalEncode: Plan["encode"] | undefined;

/** Starts recording the dispatches of plans, by wrapping methods of Plan; call it before the engine creates any. */
export function watchPlans(): void {
  if (originalEncode) return;
  const { add, encode } = Plan.prototype;
  originalEncode = encode;
  Plan.prototype.add = function (this: Plan, spec, tensors, uniforms, constants) {
    const own = recorded.get(this) ?? [];
    recorded.set(this, own);
    own.push({
      spec: spec as unknown as KernelSpec,
      tensors: Object.values(tensors),
      uniforms,
      constants: { ...spec.constants, ...constants } as Record<string, number>,
    });
    add.call(this, spec as never, tensors, uniforms, constants);
  } as Plan["add"];
  Plan.prototype.encode = function (this: Plan, pass, values) {
    replays?.push({ plan: this, values });
    encode.call(this, pass, values);
  };
}

/** Work that depends on the batch and not on a dispatch's uniforms. */
interface Work {
  /** (query, key) pairs of one head over the whole batch. */
  pairs: number;
  /** The part of its bound arrays that a dispatch of `kernel` touches. */
  touched: (kernel: string) => number;
}

/** Products of the head dimension per pair: scores and values forward; those again and their gradients backward. */
const ATTENTION_PRODUCTS: Readonly<Record<string, number>> = {
  attention_forward: 2,
  attention_backward_query: 3,
  attention_backward_key_value: 4,
};

function flopsOf(
  { spec, constants }: Recorded,
  u: Readonly<Record<string, number>>,
  { pairs }: Work,
): number {
  if (spec.label.startsWith("linear_")) return 2 * (u.m as number) * (u.k as number) * (u.n as number);
  const products = Object.entries(ATTENTION_PRODUCTS).find(([name]) => spec.label.startsWith(name))?.[1] ?? 0;
  return products * 2 * pairs * (u.heads ?? 0) * (constants.HEAD_VEC4 ?? 0) * 4;
}

function bytesOf({ spec, tensors }: Recorded, { touched }: Work): number {
  const distinct = new Map(tensors.map((tensor) => [`${tensor.slot.label} ${tensor.offset}`, tensor]));
  const floats = [...distinct.values()].reduce((sum, { length }) => sum + length, 0);
  return 4 * floats * touched(spec.label);
}

function dispatchesOf(plan: Plan, values: PlanValues, work: Work): Dispatch[] {
  const objects: Pick<Dispatch, "pipeline" | "bindGroup" | "grid">[] = [];
  let [pipeline, bindGroup] = [undefined as unknown, undefined as unknown];
  const pass = {
    setPipeline: (given: GPUComputePipeline) => {
      pipeline = given;
    },
    setBindGroup: (_: number, given: GPUBindGroup) => {
      bindGroup = given;
    },
    dispatchWorkgroups: (x: number, y = 1, z = 1) => {
      objects.push({
        pipeline: pipeline as GPUComputePipeline,
        bindGroup: bindGroup as GPUBindGroup,
        grid: [x, y, z],
      });
    },
  };
  originalEncode!.call(plan, pass as unknown as GPUComputePassEncoder, values);
  const steps = (recorded.get(plan) ?? []).flatMap((step) => {
    const uniforms = Object.fromEntries(
      Object.entries(step.uniforms).map(([name, value]) => [
        name,
        typeof value === "number" ? value : (values[value] as number),
      ]),
    );
    // A plan leaves out dispatches without workgroups.
    const isEmpty = step.spec.grid(uniforms, step.constants).some((count) => count === 0);
    return isEmpty
      ? []
      : [{ label: step.spec.label, flops: flopsOf(step, uniforms, work), bytes: bytesOf(step, work) }];
  });
  if (steps.length !== objects.length)
    throw new Error(`${plan.label}: ${steps.length} recorded dispatches, ${objects.length} replayed`);
  return steps.map((step, i) => ({ ...step, ...objects[i]! }));
}

/** Each batch of repeats lasts about this long. */
const BATCH_MS = 15;
const BATCHES = 5;
const MAX_REPEATS = 400;

/** Milliseconds of one dispatch, repeated alone in one submission. */
async function timeDispatch(
  gpu: Gpu,
  { pipeline, bindGroup, grid }: Dispatch,
  emptyMs: number,
): Promise<number> {
  const batch = (repeats: number) =>
    wallTime(gpu, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      for (let i = 0; i < repeats; i++) pass.dispatchWorkgroups(...grid);
    });
  const once = Math.max(0.005, (await batch(1)) - emptyMs);
  const repeats = Math.min(MAX_REPEATS, Math.max(1, Math.ceil(BATCH_MS / once)));
  const times: number[] = [];
  for (let i = 0; i < BATCHES; i++) times.push(Math.max(0, (await batch(repeats)) - emptyMs) / repeats);
  // The least disturbed batch: the rooflines are minima too.
  return Math.min(...times);
}

/** Milliseconds of a submission without work. */
async function emptySubmission(gpu: Gpu): Promise<number> {
  const submit = () => {
    gpu.device.queue.submit([gpu.device.createCommandEncoder().finish()]);
    return gpu.settle();
  };
  const times: number[] = [];
  for (let i = 0; i < 20; i++) times.push(await timed(submit));
  return spread(times).median;
}

/**
 * Runs `replay` once (a training step, a chunk of tokens) and times the dispatches of every plan that it encoded, the
 * longest first. The repeats overwrite buffers.
 */
export async function profile(gpu: Gpu, replay: () => Promise<unknown>, work: Work): Promise<KernelTime[]> {
  replays = [];
  await replay();
  const seen = replays;
  replays = null;
  const emptyMs = await emptySubmission(gpu);
  const kernels = new Map<string, KernelTime>();
  const timesOf = new Map<Plan, KernelTime[]>();
  for (const { plan, values } of seen) {
    // A plan that was encoded several times, as in decoding, is timed once and counted as often.
    const own = timesOf.get(plan) ?? (await timeAll(gpu, dispatchesOf(plan, values, work), emptyMs));
    timesOf.set(plan, own);
    for (const time of own) addUp(kernels, time);
  }
  return [...kernels.values()].sort((a, b) => b.ms - a.ms);
}

async function timeAll(gpu: Gpu, dispatches: readonly Dispatch[], emptyMs: number): Promise<KernelTime[]> {
  const times: KernelTime[] = [];
  for (const dispatch of dispatches) {
    const { label, flops, bytes } = dispatch;
    times.push({ label, dispatches: 1, ms: await timeDispatch(gpu, dispatch, emptyMs), flops, bytes });
  }
  return times;
}

function addUp(kernels: Map<string, KernelTime>, time: KernelTime): void {
  const sum = kernels.get(time.label) ?? { label: time.label, dispatches: 0, ms: 0, flops: 0, bytes: 0 };
  kernels.set(time.label, {
    label: time.label,
    dispatches: sum.dispatches + time.dispatches,
    ms: sum.ms + time.ms,
    flops: sum.flops + time.flops,
    bytes: sum.bytes + time.bytes,
  });
}
