// Test helpers: one device per test process, run one kernel on plain arrays, compare numbers. Imported by tests only.
import { expect } from "vitest";
import { type Gpu, openGpu } from "./device.ts";
import type { KernelSpec } from "./kernel.ts";
import { Arena, bufferOf, type Tensor } from "./memory.ts";
import { requestNodeGpu } from "./node-device.ts";
import { Plan } from "./plan.ts";

let shared: Promise<Gpu> | undefined;

/** The device of this test process; opened once, never destroyed (use `openGpu` for a test that destroys one). */
export function testGpu(): Promise<Gpu> {
  shared ??= requestNodeGpu().then(openGpu);
  return shared;
}

export type Numbers = Float32Array | Uint32Array | Int32Array;

/** Uploads `data` into a new tensor. */
export async function upload(gpu: Gpu, data: Numbers, label = "test"): Promise<Tensor> {
  const arena = new Arena();
  const tensor = arena.tensor("test", label, data.length);
  await arena.create(gpu);
  gpu.device.queue.writeBuffer(
    bufferOf(tensor),
    0,
    data.buffer as ArrayBuffer,
    data.byteOffset,
    data.byteLength,
  );
  return tensor;
}

/** Reads a whole tensor as f32. */
export async function download(gpu: Gpu, tensor: Tensor): Promise<Float32Array> {
  return new Float32Array(await gpu.read(bufferOf(tensor), tensor.length * 4, tensor.offset));
}

/**
 * Runs one kernel on plain arrays and returns every `read_write` binding afterwards as f32
 * (use `new Uint32Array(result.buffer)` for integers).
 */
export async function runKernel<U extends string, B extends string, C extends string>(
  spec: KernelSpec<U, B, C>,
  arrays: Readonly<Record<NoInfer<B>, Numbers>>,
  uniforms: Readonly<Record<NoInfer<U>, number>>,
  constants?: Readonly<Partial<Record<NoInfer<C>, number>>>,
): Promise<Record<B, Float32Array>> {
  const gpu = await testGpu();
  const tensors = {} as Record<B, Tensor>;
  for (const name of Object.keys(spec.bindings) as B[]) tensors[name] = await upload(gpu, arrays[name], name);
  const plan = new Plan(spec.label);
  plan.add(spec, tensors, uniforms, constants);
  await plan.build(gpu);
  plan.run(gpu);
  const results = {} as Record<B, Float32Array>;
  for (const name of Object.keys(spec.bindings) as B[]) {
    if (spec.bindings[name] === "read_write") results[name] = await download(gpu, tensors[name]);
  }
  for (const name of Object.keys(tensors) as B[]) tensors[name].slot.gpuBuffer?.destroy();
  plan.destroy();
  return results;
}

/** Checks several kernels at once: a software driver compiles each on one core. */
export async function together<T>(kernels: readonly T[], check: (kernel: T) => Promise<void>): Promise<void> {
  await Promise.all(kernels.map(check));
}

/** Deterministic test numbers, roughly normal with the given scale (no RNG of the product is used on purpose). */
export function noise(length: number, seed = 1, scale = 1): Float32Array {
  const out = new Float32Array(length);
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let i = 0; i < length; i++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += (state >>> 0) / 2 ** 32 - 0.5;
    }
    out[i] = sum * Math.sqrt(3) * scale;
  }
  return out;
}

/** Fails with the worst element (index, got, want, |Δ|) unless |got − want| ≤ atol + rtol·|want| everywhere. */
export function expectClose(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  { rtol = 1e-5, atol = 1e-6 } = {},
): void {
  expect(got.length).toBe(want.length);
  let worst = { excess: 0, message: "" };
  for (let i = 0; i < want.length; i++) {
    const g = got[i] as number;
    const w = want[i] as number;
    const error = Math.abs(g - w);
    const excess = Number.isFinite(error) ? error / (atol + rtol * Math.abs(w)) : Number.POSITIVE_INFINITY;
    if (excess > Math.max(worst.excess, 1))
      worst = { excess, message: `[${i}] got ${g}, want ${w}, |Δ| ${error}` };
  }
  expect(worst.message, "worst element").toBe("");
}

/** Central differences of a scalar function at chosen elements of `x` (f64). */
export function centralDifferences(
  f: (x: Float64Array) => number,
  x: ArrayLike<number>,
  at: readonly number[],
  h = 1e-5,
): number[] {
  const point = Float64Array.from(x as ArrayLike<number>);
  return at.map((i) => {
    const centre = point[i] as number;
    point[i] = centre + h;
    const up = f(point);
    point[i] = centre - h;
    const down = f(point);
    point[i] = centre;
    return (up - down) / (2 * h);
  });
}
