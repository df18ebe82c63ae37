// Reading several buffers back with one copy and one map.
import type { Gpu } from "./device.ts";
import { bufferOf, type Tensor } from "./memory.ts";

/** A stretch to read: the first `length` 4-byte elements of a tensor. */
export interface Stretch {
  tensor: Tensor;
  length: number;
}

/**
 * Reads the named stretches in one wait, each as f32 in a buffer of its own; `new Uint32Array(result.buffer)` gives the
 * same words as integers. @throws as `Gpu.read`.
 */
export async function readNamed<Wanted extends Readonly<Record<string, Stretch>>>(
  gpu: Gpu,
  wanted: Wanted,
): Promise<{ [Name in keyof Wanted]: Float32Array<ArrayBuffer> }> {
  const total = Object.values(wanted).reduce((sum, { length }) => sum + length * 4, 0);
  const joined = gpu.device.createBuffer({
    label: "read together",
    size: total,
    usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
  const encoder = gpu.device.createCommandEncoder({ label: "read together" });
  let offset = 0;
  for (const { tensor, length } of Object.values(wanted)) {
    encoder.copyBufferToBuffer(bufferOf(tensor), tensor.offset, joined, offset, length * 4);
    offset += length * 4;
  }
  gpu.device.queue.submit([encoder.finish()]);
  try {
    const all = await gpu.read(joined, total);
    let end = 0;
    const entries = Object.entries(wanted).map(([name, { length }]) => {
      end += length * 4;
      return [name, new Float32Array(all.slice(end - length * 4, end))];
    });
    return Object.fromEntries(entries);
  } finally {
    joined.destroy();
  }
}
