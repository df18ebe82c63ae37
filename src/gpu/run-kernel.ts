// Runs one kernel on plain arrays: for tests, and for checks of a device.
import type { Gpu } from "./device.ts";
import type { KernelSpec } from "./kernel.ts";
import { Arena, bufferOf, type Tensor } from "./memory.ts";
import { Plan } from "./plan.ts";

export type Numbers = Float32Array | Uint32Array | Int32Array;

/** Uploads `data` into a new tensor. */
export async function upload(gpu: Gpu, data: Numbers, label = "upload"): Promise<Tensor> {
  const arena = new Arena();
  const tensor = arena.tensor("kernel", label, data.length);
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
 * @throws GpuError as `Gpu.compile` and `Gpu.read` do.
 */
export async function runKernelOn<U extends string, B extends string, C extends string>(
  gpu: Gpu,
  spec: KernelSpec<U, B, C>,
  arrays: Readonly<Record<NoInfer<B>, Numbers>>,
  uniforms: Readonly<Record<NoInfer<U>, number>>,
  constants?: Readonly<Partial<Record<NoInfer<C>, number>>>,
): Promise<Record<B, Float32Array>> {
  const names = Object.keys(spec.bindings) as B[];
  const tensors = {} as Record<B, Tensor>;
  const plan = new Plan(spec.label);
  try {
    for (const name of names) tensors[name] = await upload(gpu, arrays[name], name);
    plan.add(spec, tensors, uniforms, constants);
    await plan.build(gpu);
    plan.run(gpu);
    const results = {} as Record<B, Float32Array>;
    for (const name of names)
      if (spec.bindings[name] === "read_write") results[name] = await download(gpu, tensors[name]);
    return results;
  } finally {
    for (const tensor of Object.values<Tensor>(tensors)) tensor.slot.gpuBuffer?.destroy();
    plan.destroy();
  }
}
